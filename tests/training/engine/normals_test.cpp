/// Networks that predict normals in the training engine: the loss, the scores, augmented data.
#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/training/engine/toy.h"
#include "training/engine/metrics.h"
#include "training/engine/trainer.h"

namespace equiframe {
namespace {

/// Normals [B, N, 3] that a network predicts by handing on what it is given.
class Arrows final : public Dataset {
 public:
  Arrows(Tensor given, Tensor wanted, Tensor mask = {})
      : given_(std::move(given)), wanted_(std::move(wanted)), mask_(std::move(mask)) {}
  int64_t size() const override { return given_.size(0); }
  Example get(const Tensor& indices) const override {
    Batch batch(given_.index_select(0, indices));
    if (mask_.defined()) batch.mask = mask_.index_select(0, indices);
    return {batch, wanted_.index_select(0, indices)};
  }

 private:
  Tensor given_, wanted_, mask_;
};

class Scaled final : public Backbone {
 public:
  explicit Scaled(float factor)
      : factor_(register_parameter("factor", torch::full({1}, factor, torch::kFloat32))) {}
  Tensor forward(const Batch& batch) override { return batch.x * factor_; }

 private:
  Tensor factor_;
};

Tensor arrow_batch(std::vector<double> degrees) {
  const Tensor angle = torch::tensor(degrees, torch::kFloat64) * (M_PI / 180);
  return torch::stack({angle.cos(), angle.sin(), torch::zeros_like(angle)}, -1)
      .to(torch::kFloat32)
      .unsqueeze(0);
}

TEST(Normals, TheErrorIsTheSquaredSineWhicheverWayTheyPoint) {
  const Arrows data(arrow_batch({0, 30, 180, 90}), arrow_batch({0, 0, 0, 0}));
  for (const float factor : {1.0F, -3.0F}) {
    Scaled model(factor);
    const Score found = score(model, data, 1, Measure::kUnoriented);
    EXPECT_NEAR(found.error, (0 + 0.25 + 0 + 1) / 4, 1e-6);
    EXPECT_EQ(found.measure, Measure::kUnoriented);
    EXPECT_TRUE(std::isnan(found.accuracy));
  }
}

TEST(Normals, PaddingDoesNotCountAndNoAnswerIsWrong) {
  const Arrows data(arrow_batch({0, 30, 77}), arrow_batch({0, 0, 0}),
                    torch::tensor({{true, true, false}}));
  Scaled model(1), silent(0);
  EXPECT_NEAR(score(model, data, 1, Measure::kUnoriented).error, 0.125, 1e-6);
  EXPECT_EQ(score(silent, data, 1, Measure::kUnoriented).error, 1);
}

TEST(Normals, ScoresComeBackFromTheirNames) {
  const Score given{0.25, NAN, Measure::kUnoriented};
  const auto names = named("test", given);
  EXPECT_EQ(names, (std::map<std::string, double>{{"test_normal_error", 0.25}}));
  EXPECT_EQ(find_score(names, "test").measure, Measure::kUnoriented);
}

}  // namespace
}  // namespace equiframe
