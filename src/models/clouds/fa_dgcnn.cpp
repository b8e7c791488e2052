#include <torch/types.h>

#include "models/clouds/dgcnn_body.h"
#include "models/clouds/framed_normals.h"

namespace equiframe::inline models {
namespace {

/// `variant` = official: the network of the published code, which pools by means and shows the
/// global feature the coordinates; paper: the one of the text, the baseline's. Either keeps the
/// T-Net; `tnet` = false leaves it out.
DgcnnBody::Shape shape_of(const Options& options) {
  DgcnnBody::Shape shape;
  shape.k = neighbors_option(options, "fa-dgcnn", shape.k);
  shape.tnet = options.get_bool("tnet", true);
  if (options.get_choice("variant", {"official", "paper"}) == 1) return shape;
  shape.pool = Pool::kMean;
  shape.coordinates = true;
  shape.second_dropout = DgcnnBody::Shape::SecondDropout::kBehind128;
  return shape;
}

/// FA-DGCNN of Table 1: DGCNN on each framed copy. For its other options see FramedNormals.
class FaDgcnn final : public FramedNormalModel {
 public:
  explicit FaDgcnn(const Options& options)
      : FramedNormalModel("fa-dgcnn", options,
                          rows_backbone(std::make_shared<DgcnnBody>(shape_of(options)))) {}
};

const bool kFaDgcnnRegistered = Models::instance().add(
    "fa-dgcnn", "normals: DGCNN, averaged over a frame",
    [](const Options& options) { return std::make_unique<FaDgcnn>(options); });

}  // namespace
}  // namespace equiframe::inline models
