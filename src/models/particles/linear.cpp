#include <torch/types.h>

#include "equiframe/models/model.h"
#include "nn/graphs/particles.h"

namespace equiframe::inline models {
namespace {

/// Uniform motion: x + t v, with the time t as its only parameter.
class LinearMotion final : public Model {
 public:
  LinearMotion() : time_(register_parameter("time", torch::full({1}, 0.7))) {}

  Signature signature() const override { return {.group = "E(3)"}; }

  Tensor forward(const Batch& batch) override {
    return moved_positions(batch, time_ * read_particles(batch).velocity);
  }

 private:
  Tensor time_;
};

const bool kLinearRegistered =
    Models::instance().add("linear", "uniform motion x + t v, one parameter",
                           [](const Options&) { return std::make_unique<LinearMotion>(); });

}  // namespace
}  // namespace equiframe::inline models
