#include <torch/types.h>

#include "models/clouds/dgcnn_body.h"
#include "models/clouds/normal_model.h"

namespace equiframe::inline models {
namespace {

/// DGCNN, the baseline of Table 1: no symmetry but that of the order of points. Options `k`, and
/// `tnet` = false to leave the learned transform of the input out.
class Dgcnn final : public NormalModel {
 public:
  explicit Dgcnn(const Options& options) {
    DgcnnBody::Shape shape;
    shape.k = neighbors_option(options, "dgcnn", shape.k);
    shape.tnet = options.get_bool("tnet", true);
    body_ = register_module("body", std::make_shared<DgcnnBody>(shape));
  }

 private:
  Tensor directions(const Batch& batch) override {
    const PackedPoints rows(batch);
    return rows.unpack(body_->forward(rows, rows.pack(batch.x)));
  }

  std::shared_ptr<DgcnnBody> body_;
};

const bool kDgcnnRegistered = Models::instance().add(
    "dgcnn", "normals: edge convolutions on graphs of nearest neighbours in feature space",
    [](const Options& options) { return std::make_unique<Dgcnn>(options); });

}  // namespace
}  // namespace equiframe::inline models
