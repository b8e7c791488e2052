/// Classifiers in the training engine: the loss, the scores, what is prepared once.
#include <cmath>

#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "datasets/graphs/graph_sets.h"
#include "equiframe/core/error.h"
#include "equiframe/training/run.h"
#include "io/graphs/graph_text.h"
#include "tests/training/engine/toy.h"
#include "training/engine/load_data.h"
#include "training/engine/metrics.h"

namespace equiframe {
namespace {

using training_test::message_of;
using training_test::TemporaryFolder;

/// Points [B, 1, 1] and the class each is in.
class Points final : public Dataset {
 public:
  Points(Tensor x, Tensor classes) : x_(std::move(x)), classes_(std::move(classes)) {}
  int64_t size() const override { return x_.size(0); }
  Example get(const Tensor& indices) const override {
    return {Batch(x_.index_select(0, indices).view({-1, 1, 1})),
            classes_.index_select(0, indices).view({-1, 1})};
  }

 private:
  Tensor x_, classes_;
};

class Logits final : public Backbone {
 public:
  explicit Logits(Tensor slopes) : slopes_(register_parameter("slopes", std::move(slopes))) {}
  Tensor forward(const Batch& batch) override { return batch.x.flatten(1).matmul(slopes_); }

 private:
  Tensor slopes_;
};

TEST(Classifier, ScoresAreCrossEntropyAndAccuracy) {
  const Points data(torch::tensor({1.0F, -2.0F, 0.5F, -1.0F}),
                    torch::tensor({1.0F, 0.0F, 0.0F, 1.0F}));
  Logits one(torch::tensor({{2.0F}}));
  const Score binary = score(one, data, 3, Measure::kCrossEntropy);
  const auto minus_log = [](double logit) { return std::log1p(std::exp(-logit)); };
  EXPECT_NEAR(binary.error, (minus_log(2) + minus_log(4) + minus_log(-1) + minus_log(-2)) / 4,
              1e-7);
  EXPECT_EQ(binary.accuracy, 0.5);
  // Two logits whose difference is that logit say the same.
  Logits two(torch::tensor({{-1.0F, 1.0F}}));
  const Score pair = score(two, data, 3, Measure::kCrossEntropy);
  EXPECT_NEAR(pair.error, binary.error, 1e-7);
  EXPECT_EQ(pair.accuracy, 0.5);
  const ItemScores items = item_scores(one, data, 3, Measure::kCrossEntropy);
  EXPECT_TRUE(items.right.equal(torch::tensor({true, true, false, false})));
  EXPECT_NEAR(items.error.mean().item<double>(), binary.error, 1e-12);
}

TEST(Classifier, ScoresComeBackFromTheirNames) {
  const Score score{0.25, 0.75, Measure::kCrossEntropy};
  const auto names = named("test", score);
  EXPECT_EQ(names.at("test_accuracy"), 0.75);
  EXPECT_EQ(find_score(names, "test").error, 0.25);
  EXPECT_EQ(find_score(named("valid", Score{3}), "valid").error, 3);
  EXPECT_THROW(find_score(names, "valid"), std::out_of_range);
  const auto kind = Measure::kCrossEntropy;
  const Evaluation e{3, 9, 1e-3, 0.5, {0.25, 0.75, kind}, {0.5, 1, kind}};
  const Evaluation back = parse_json_line(to_json_line(e));
  EXPECT_EQ(back.valid.accuracy, 0.75);
  EXPECT_EQ(back.test.error, 0.5);
  EXPECT_EQ(to_json_line(back), to_json_line(e));
}

TEST(Classifier, AClassTheModelDoesNotKnowIsNamed) {
  Logits one(torch::tensor({{2.0F}}));
  const Points data(torch::tensor({1.0F, 2.0F}), torch::tensor({0.0F, 2.0F}));
  const std::string text = message_of([&] { score(one, data, 2, Measure::kCrossEntropy); });
  EXPECT_NE(text.find("classes up to 2"), std::string::npos) << text;
  EXPECT_NE(text.find("model.classes"), std::string::npos) << text;
}

RunRequest graph_run(const TemporaryFolder& folder, const std::string& model,
                     const std::string& settings) {
  write_graph_text(folder / "exp.txt", exp_like_pairs({.pairs = 12}));
  RunRequest request;
  request.config = parse_config("[data]\nname = 'graphs'\n[model]\nname = '" + model +
                                    "'\ntask = 'classify'\n" + settings +
                                    "[train]\nepochs = 3\nbatch = 8\nloss = 'cross-entropy'\n"
                                    "evaluate_every = 1\nthreads = 1\n",
                                "test");
  request.folder = folder / model;
  request.data = folder / "exp.txt";
  return request;
}

/// What a model prepares once must be what it computes by itself: same weights, same scores.
TEST(Classifier, PreparedGraphsGiveTheSameNumbers) {
  for (const auto& [model, settings] :
       {std::pair{"gin-id", "nodes = 64\n"}, std::pair{"chebnet", ""}, std::pair{"gnnml3", ""},
        std::pair{"gin-id", "nodes = 64\nframe = 'laplacian(max_elements=1)'\n"}}) {
    const TemporaryFolder folder;
    const RunResult result = run(graph_run(folder, model, settings));
    ASSERT_TRUE(result.finished) << model;
    const LoadedModel loaded = load_model(folder / model / "model.safetensors");
    const Splits raw = load_data(loaded.card.data, folder / "exp.txt", nullptr);
    const Score test = score(*loaded.model, *raw.test, 8, Measure::kCrossEntropy);
    EXPECT_NEAR(test.error, result.metrics.at("test_cross_entropy"), 1e-6) << model << settings;
    EXPECT_EQ(test.accuracy, result.metrics.at("test_accuracy"));
    EXPECT_EQ(loaded.card.classes, (std::vector<int64_t>{0, 1}));
    EXPECT_LT(result.card.equivariance.permutation32, 1e-4) << model;
    EXPECT_TRUE(verify_model(folder / model / "model.safetensors").pass()) << model;
  }
}

/// GIN cannot tell the pairs apart, GIN+ID on canonical orders can.
TEST(Classifier, LearnsWhatOneDimensionalWlCannotSee) {
  const auto train_accuracy = [](const std::string& model, const std::string& settings) {
    const TemporaryFolder folder;
    RunRequest request = graph_run(folder, model, settings);
    request.config.train.epochs = 150;
    request.config.train.evaluate_every = 150;
    request.config.train.lr = 3e-3;
    return run(request).metrics.at("train_accuracy");
  };
  EXPECT_EQ(train_accuracy("gin", ""), 0.5);
  EXPECT_GT(train_accuracy("gin-id", "nodes = 64\n"), 0.9);
}

}  // namespace
}  // namespace equiframe
