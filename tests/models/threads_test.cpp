// One model that eight threads use at the same time: docs/guides/threads.md.
#include <gtest/gtest.h>
#include <torch/types.h>

#include "datasets/graphs/graph_sets.h"
#include "equiframe/core/rng.h"
#include "equiframe/groups/field_type.h"
#include "io/graphs/graph_batch.h"
#include "tests/models/registered.h"
#include "tests/support/at_once.h"

namespace equiframe {
namespace {

using test_support::at_once;
using test_support::kThreads;

std::unique_ptr<Model> shared_model(const std::string& name) {
  torch::manual_seed(7);
  auto model = make_model(name);
  model->eval();
  return model;
}

/// Small inputs of the model, other ones for every `seed`; two seeds have graphs in common, so that
/// threads meet where graphs are remembered.
Batch some_input(const std::string& name, const Model& model, uint64_t seed) {
  if (input_of(model) == Input::kGraphs) {
    constexpr int64_t kGraphs = 20, kStep = 5, kNodes = 8;
    static const std::vector<SimpleGraph> all = connected_graphs(6);
    const auto first = all.begin() + kStep * static_cast<int64_t>(seed);
    return graph_batch({first, first + kGraphs}, kNodes);
  }
  const int64_t nodes = name == "normal-choice" ? 1 : 6;
  const int64_t channels = FieldType::parse(model.signature().in).channels(3);
  return torch::rand({3, nodes, channels}, make_generator(seed));
}

class SharedModel : public testing::TestWithParam<std::string> {
 protected:
  /// What eight threads get of `model` for the inputs 0, 1, ...; one after another or at once.
  std::vector<Tensor> answers(Model& model, bool together) const {
    std::vector<Batch> inputs;
    for (int t = 0; t < kThreads; ++t)
      inputs.push_back(some_input(GetParam(), model, static_cast<uint64_t>(t)));
    std::vector<Tensor> results(kThreads);
    const auto answer = [&](int t) {
      const torch::NoGradGuard guard;
      const auto at = static_cast<size_t>(t);
      results[at] = model.forward(inputs[at]);
    };
    if (together)
      at_once(answer);
    else
      for (int t = 0; t < kThreads; ++t) std::thread(answer, t).join();
    return results;
  }
};

TEST_P(SharedModel, GivesEightThreadsTheBitsOfOne) {
  const auto alone = shared_model(GetParam());
  const std::vector<Tensor> expected = answers(*alone, false);
  const auto shared = shared_model(GetParam());
  for (int again = 0; again < 3; ++again) {
    const std::vector<Tensor> found = answers(*shared, true);
    for (size_t t = 0; t < found.size(); ++t)
      EXPECT_TRUE(torch::equal(found[t], expected[t])) << "thread " << t;
  }
}

class SharedModelOnPoints : public SharedModel {};

/// Gradients with respect to the input, which each thread has of its own.
TEST_P(SharedModelOnPoints, GivesEightThreadsTheirGradients) {
  const auto shared = shared_model(GetParam());
  for (Tensor& parameter : shared->parameters()) parameter.set_requires_grad(false);
  const auto gradient = [&](int t) {
    Batch batch = some_input(GetParam(), *shared, static_cast<uint64_t>(t));
    batch.x.set_requires_grad(true);
    const Tensor sum = shared->forward(batch).square().sum() + 0 * batch.x.sum();
    sum.backward();  // zero where the input goes into the frame alone
    return batch.x.grad();
  };
  std::vector<Tensor> expected(kThreads), found(kThreads);
  for (int t = 0; t < kThreads; ++t)
    std::thread([&, t] { expected[static_cast<size_t>(t)] = gradient(t); }).join();
  at_once([&](int t) { found[static_cast<size_t>(t)] = gradient(t); });
  for (size_t t = 0; t < found.size(); ++t)
    EXPECT_TRUE(torch::equal(found[t], expected[t])) << "thread " << t;
}

std::vector<std::string> models_on_points() {
  std::vector<std::string> names;
  for (const Input input : {Input::kParticles, Input::kClouds, Input::kPatches})
    for (const std::string& name : registered_models(input)) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registered, SharedModel, testing::ValuesIn(Models::instance().names()),
                         model_test_name);
INSTANTIATE_TEST_SUITE_P(Registered, SharedModelOnPoints, testing::ValuesIn(models_on_points()),
                         model_test_name);

}  // namespace
}  // namespace equiframe
