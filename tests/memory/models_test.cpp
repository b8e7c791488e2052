// Loading, forward and backward of models in C++ where memory runs out: an exception, and the next
// step gives what the first gave.
#include <cmath>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "equiframe/models/model.h"
#include "io/graphs/graph6.h"
#include "io/graphs/graph_batch.h"
#include "tests/bindings/c/c_handles.h"
#include "tests/memory/failing_allocations.h"
#include "tests/models/registered.h"
#include "training/engine/metrics.h"

namespace equiframe {
namespace {

using memory_test::expect_survival;
using memory_test::report_fault;

constexpr int kModelPlaces = 10;

Batch input_for(Input input) {
  auto generator = make_generator(4);
  if (input == Input::kGraphs)
    return graph_batch({parse_graph6("GCQbfW"), parse_graph6("D?{"), parse_graph6("A_")});
  const int64_t nodes = input == Input::kClouds ? 20 : 5;
  const int64_t channels = input == Input::kClouds ? 3 : 7;
  return Batch(torch::randn({2, nodes, channels}, generator, torch::kFloat64));
}

/// A step of training: a loss and its gradient.
double step(Model& model, const Batch& batch) {
  torch::manual_seed(11);
  model.zero_grad();
  const Tensor loss = model.forward(batch).square().sum();
  if (loss.requires_grad()) loss.backward();
  return loss.item<double>();
}

class EveryModelInMemory : public testing::TestWithParam<Input> {};

TEST_P(EveryModelInMemory, SurvivesItsLack) {
  const std::vector<std::string> names = registered_models(GetParam());
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    torch::manual_seed(7);
    const auto model = make_model(name);
    const Batch batch = to_type(input_for(GetParam()), torch::kFloat32);
    const double expected = step(*model, batch);
    const auto agrees = [&](double loss) {
      return std::abs(loss - expected) <= 1e-3 * std::abs(expected);
    };
    const bool draws = !agrees(step(*model, batch));  // another frame in each step of training
    expect_survival(name, kModelPlaces, [&] {
      if (!agrees(step(*model, batch)) && !draws) report_fault("another loss");
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryModelInMemory,
                         testing::Values(Input::kParticles, Input::kGraphs, Input::kClouds));

TEST(ModelFileInMemory, SurvivesItsLack) {
  const std::string path = capi_test::shipped("nbody-fa-verlet");
  expect_survival("load", 3 * kModelPlaces, [&] { load_model(path); });
}

}  // namespace
}  // namespace equiframe
