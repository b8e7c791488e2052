#include "equiframe/torchscript/wrap.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/script.h>

#include "equiframe/averaging/average.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/any_group.h"
#include "tests/support/temporary_folder.h"

namespace equiframe {
namespace {

/// A module with `weight` [in, hidden] and the given forward.
ScriptModel script(const std::string& forward, std::vector<std::pair<std::string, Tensor>> parts) {
  torch::jit::Module module("Net");
  module.register_attribute("training", c10::BoolType::get(), true);
  for (const auto& [name, value] : parts) module.register_parameter(name, value, false);
  module.define(forward);
  return ScriptModel(module);
}

/// Each node sees itself and the sum over nodes: equivariant to permutations, to nothing else.
ScriptModel point_net(int64_t in, int64_t out) {
  auto generator = make_generator(3);
  const auto weight = [&](int64_t a, int64_t b) {
    return torch::randn({a, b}, generator, torch::kFloat64).to(torch::kFloat32) * 0.7;
  };
  return script(
      R"(
def forward(self, x):
    h = torch.tanh(x @ self.a + 0.3)
    m = h.mean(1, True)
    return torch.tanh(h @ self.b + m @ self.c) @ self.d + 0.1
)",
      {{"a", weight(in, 8)}, {"b", weight(8, 8)}, {"c", weight(8, 8)}, {"d", weight(8, out)}});
}

WrapOptions options(const std::string& group, const std::string& in, const std::string& out,
                    const std::string& frame = "") {
  WrapOptions result;
  result.call.group = group;
  result.call.in = {parse_typed_argument(in)};
  result.call.out = {parse_typed_argument(out)};
  result.frame = frame;
  return result;
}

/// max |f(gx) - g f(x)| in the type of x, g in float64.
double error_of(const ScriptModel& model, const std::string& group_name, const std::string& in,
                const std::string& out, const Tensor& x) {
  const AnyGroup any = parse_group(group_name);
  const auto& group = std::get<EuclideanGroup>(any);
  auto generator = make_generator(11);
  const auto g = group.sample(x.size(0), generator);
  const Tensor wide = x.to(torch::kFloat64);
  const Tensor moved = group.act(FieldType::parse(in), g, wide).to(x.dtype());
  const Tensor there = model.run({moved})[0].to(torch::kFloat64);
  const Tensor here = group.act(FieldType::parse(out), g, model.run({x})[0].to(torch::kFloat64));
  return (there - here).abs().max().item<double>();
}

struct Case {
  const char *group, *in, *out, *frame;
  int64_t channels_in, channels_out;
};

class WrapEuclidean : public testing::TestWithParam<Case> {};

TEST_P(WrapEuclidean, IsEquivariantWhereTheBareModelIsNot) {
  const Case c = GetParam();
  const ScriptModel bare = point_net(c.channels_in, c.channels_out);
  const WrappedModel wrapped = wrap(bare, options(c.group, c.in, c.out, c.frame));
  auto generator = make_generator(5);
  const Tensor x = torch::randn({4, 9, c.channels_in}, generator, torch::kFloat64);
  EXPECT_GT(error_of(bare, c.group, c.in, c.out, x), 1e-2);
  EXPECT_LT(error_of(wrapped.model, c.group, c.in, c.out, x), 1e-10);
  EXPECT_LT(error_of(wrapped.model, c.group, c.in, c.out, x.to(torch::kFloat32)), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Groups, WrapEuclidean,
    testing::Values(Case{"E(3)", "point", "point", "", 3, 3},
                    Case{"SE3", "point + vector", "vector", "pca", 6, 3},
                    Case{"SO(3)", "vector", "scalar", "pca(degenerate=minimal)", 3, 1},
                    Case{"O(3)", "2 vector", "tensor", "", 6, 9},
                    Case{"O(3)", "point + pseudovector", "pseudoscalar + scalar", "", 6, 2},
                    Case{"E(2)", "point + scalar", "2 point", "minimal", 3, 4},
                    Case{"SE(4)", "point", "vector", "", 4, 4},
                    Case{"E(3)", "point", "point", "minimal", 3, 3},
                    Case{"SE(3)", "point", "pseudovector", "minimal", 3, 3},
                    Case{"T(3)", "point", "point", "", 3, 3}));

TEST(Wrap, GivesWhatTheLibraryGives) {
  const ScriptModel bare = point_net(6, 3);
  auto generator = make_generator(6);
  Tensor x = torch::randn({4, 8, 6}, generator, torch::kFloat64);
  for (const char* frame : {"pca(degenerate=minimal)", "minimal"}) {
    // The corners of a cube, with vectors outwards: no pca, and 48 elements of the minimal frame.
    for (int64_t k = 0; k < 8; ++k)
      for (int64_t c = 0; c < 3; ++c) x[2][k][c] = x[2][k][3 + c] = (k >> c) % 2 == 1 ? 1.0 : -1.0;
    const WrappedModel wrapped = wrap(bare, options("E(3)", "point + vector", "point", frame));
    const EuclideanGroup group = EuclideanGroup::E(3);
    const Symmetry<EuclideanGroup> symmetry{group, FieldType::parse("point + vector"),
                                            FieldType::parse("point")};
    const auto set = (*make_frame(frame, group, symmetry.in))(Batch(x));
    const Tensor expected = equivariant_average(
        symmetry, set, [&](const Tensor& framed) { return bare.run({framed})[0]; }, Batch(x));
    const Tensor found = wrapped.model.run({x})[0];
    EXPECT_LT((found - expected).abs().max().item<double>(), 1e-11) << frame;
    EXPECT_GT((found - bare.run({x})[0]).abs().max().item<double>(), 1e-2);
  }
}

TEST(Wrap, SymmetricInputsStayExactWithMinimalAndAreRefusedByPca) {
  const ScriptModel bare = point_net(3, 3);
  Tensor cube = torch::empty({1, 8, 3}, torch::kFloat64);
  for (int64_t k = 0; k < 8; ++k)
    for (int64_t c = 0; c < 3; ++c) cube[0][k][c] = (k >> c) % 2 == 1 ? 1.0 : -1.0;
  const WrappedModel exact = wrap(bare, options("E(3)", "point", "vector"));
  EXPECT_LT(error_of(exact.model, "E(3)", "point", "vector", cube), 1e-10);
  const WrappedModel strict = wrap(bare, options("E(3)", "point", "vector", "pca"));
  EXPECT_THROW(strict.model.run({cube}), UserError);
  EXPECT_THROW(exact.model.run({torch::zeros({1, 4, 3})}), UserError) << "one place";
}

TEST(Wrap, GradientsAreThoseOfTheAverage) {
  const WrappedModel wrapped = wrap(point_net(3, 1), options("SO(3)", "vector", "scalar"));
  auto generator = make_generator(8);
  const Tensor x = torch::randn({1, 6, 3}, generator, torch::kFloat64).requires_grad_();
  const auto f = [&](const Tensor& at) {
    return wrapped.model.run_with_gradients({at})[0].square().sum();
  };
  const Tensor slope = torch::autograd::grad({f(x)}, {x})[0];
  const Tensor step = torch::randn({1, 6, 3}, generator, torch::kFloat64);
  constexpr double kStep = 1e-5;
  const torch::NoGradGuard no_grad;
  const double expected = (f(x + step * kStep) - f(x - step * kStep)).item<double>() / (2 * kStep);
  EXPECT_NEAR((slope * step).sum().item<double>(), expected, 1e-7 * std::abs(expected) + 1e-8);
}

TEST(Wrap, OtherAxesMaskAndPassThroughArguments) {
  const ScriptModel bare = script(R"(
def forward(self, x, scale: float = 2.0, mask: Optional[Tensor] = None, edge: Optional[Tensor] = None):
    h = torch.tanh(x.transpose(1, 2) @ self.a + 0.3)
    if mask is not None:
        h = h * mask.unsqueeze(2).to(h.dtype)
    return (h * scale).transpose(1, 2)
)",
                                  {{"a", torch::randn({3, 3}, make_generator(2))}});
  WrapOptions some = options("E(3)", "x=point", "vector");
  some.call.point_axis = 2;
  some.call.mask = "mask";
  const WrappedModel wrapped = wrap(bare, some);
  auto generator = make_generator(4);
  const Tensor x = torch::randn({2, 7, 3}, generator, torch::kFloat64);
  Tensor mask = torch::ones({2, 7}, torch::kBool);
  mask[1][5] = mask[1][6] = false;
  const auto run = [&](const Tensor& points) {
    return wrapped.model.run({points.transpose(1, 2), Tensor(), mask, Tensor()})[0].transpose(1, 2);
  };
  const EuclideanGroup group = EuclideanGroup::E(3);
  const auto g = group.sample(2, generator);
  const Tensor there = run(group.act(FieldType::parse("point"), g, x));
  EXPECT_LT((there - group.act(FieldType::parse("vector"), g, run(x))).abs().max().item<double>(),
            1e-10);
  Tensor far = x.clone();
  far[1][6] += 100;  // a masked point
  EXPECT_LT((run(far)[1] - run(x)[1]).narrow(0, 0, 5).abs().max().item<double>(), 1e-12);
}

TEST(Wrap, ModelsWithoutABatchAxis) {
  const ScriptModel bare = script(R"(
def forward(self, x):
    return torch.tanh(x @ self.a + 0.3).sum(0)
)",
                                  {{"a", torch::randn({3, 3}, make_generator(2))}});
  WrapOptions some = options("SE(3)", "point", "vector");
  some.call.batch_axis = -1;
  some.call.point_axis = 0;
  const WrappedModel wrapped = wrap(bare, some);
  auto generator = make_generator(4);
  const Tensor x = torch::randn({7, 3}, generator, torch::kFloat64);
  const EuclideanGroup group = EuclideanGroup::SE(3);
  const auto g = group.sample(1, generator);
  const Tensor moved = group.act(FieldType::parse("point"), g, x.unsqueeze(0))[0];
  const Tensor expected =
      group.act(FieldType::parse("vector"), g, wrapped.model.run({x})[0].view({1, 1, 3}))[0][0];
  EXPECT_LT((wrapped.model.run({moved})[0] - expected).abs().max().item<double>(), 1e-11);
}

TEST(Wrap, SavedFilesRunAgainAndCarryTheirCard) {
  const auto file = std::filesystem::temp_directory_path() / "equiframe-wrap-test.pt";
  const WrappedModel wrapped = wrap(point_net(3, 3), options("E(3)", "point", "point"));
  save_script(file, wrapped.model, "{\"group\": \"E3\"}");
  const ScriptModel again = ScriptModel::load(file);
  const Tensor x = torch::randn({2, 5, 3}, make_generator(1));
  EXPECT_TRUE(again.run({x})[0].equal(wrapped.model.run({x})[0]));
  EXPECT_EQ(load_script_card(file), "{\"group\": \"E3\"}");
  const WrappedModel twice = wrap(again, options("E(3)", "point", "point"));
  EXPECT_LT((twice.model.run({x})[0] - again.run({x})[0]).abs().max().item<double>(), 1e-4);
  std::filesystem::remove(file);
}

TEST(Wrap, SampledFramesDrawInTraining) {
  WrapOptions some = options("E(3)", "point", "scalar", "pca");
  some.train_frame = "sampled(k=1, base=pca)";
  const WrappedModel wrapped = wrap(point_net(3, 1), some);
  torch::jit::Module module = wrapped.model.module();
  const Tensor x = torch::randn({2, 5, 3}, make_generator(1));
  const auto run = [&] { return module.forward({x}).toTensor(); };
  EXPECT_TRUE(run().equal(run()));
  module.train();
  bool differs = false;
  for (int k = 0; k < 10; ++k) differs = differs || !run().equal(run());
  EXPECT_TRUE(differs);
}

/// Reads the pairs in order: equivariant to nothing.
ScriptModel graph_net(int64_t nodes) {
  auto generator = make_generator(3);
  return script(
      R"(
def forward(self, x, a):
    h = torch.tanh(a.squeeze(3) @ x @ self.w + self.place)
    return h
)",
      {{"w", torch::randn({2, 3}, generator)}, {"place", torch::randn({nodes, 3}, generator)}});
}

TEST(Wrap, PermutationsOfNodesAndPairs) {
  constexpr int64_t kNodes = 6;
  WrapOptions some = options("S_n", "x=2 node", "node");
  some.call.in.push_back(parse_typed_argument("a=pair"));
  some.nodes = kNodes;
  const ScriptModel bare = graph_net(kNodes);
  const WrappedModel wrapped = wrap(bare, some);
  auto generator = make_generator(5);
  const SymmetricGroup group(kNodes);
  Tensor x = torch::randn({3, kNodes, 2}, generator, torch::kFloat64);
  Tensor a = torch::rand({3, kNodes, kNodes, 1}, generator, torch::kFloat64);
  a = a + a.transpose(1, 2);
  x[1].fill_(1);  // a ring, all nodes alike: 12 symmetries
  a[1].fill_(0);
  for (int64_t k = 0; k < kNodes; ++k) a[1][k][(k + 1) % kNodes] = a[1][(k + 1) % kNodes][k] = 1;
  const Tensor g = group.sample(3, generator);
  const auto error = [&](const ScriptModel& model) {
    const Tensor there = model.run({group.act(PermutationType::Kind::kNode, g, x),
                                    group.act(PermutationType::Kind::kPair, g, a)})[0];
    const Tensor here = group.act(PermutationType::Kind::kNode, g, model.run({x, a})[0]);
    return (there - here).abs().max().item<double>();
  };
  EXPECT_GT(error(bare), 0.1);
  EXPECT_LT(error(wrapped.model), 1e-12);
  const Tensor ring = wrapped.model.run({x, a})[0][1];
  EXPECT_LT((ring - ring[0]).abs().max().item<double>(), 1e-12) << "nodes alike, answers alike";
}

TEST(Wrap, TooManySymmetriesAreDrawnFrom) {
  constexpr int64_t kNodes = 12;
  WrapOptions some = options("S_n", "x=2 node", "node");
  some.call.in.push_back(parse_typed_argument("a=pair"));
  some.nodes = kNodes;
  const Tensor x = torch::ones({1, kNodes, 2}), a = torch::zeros({1, kNodes, kNodes, 1});
  EXPECT_THROW(wrap(graph_net(kNodes), some).model.run({x, a}), UserError);
  some.frame = "sampled(k=4)";
  EXPECT_EQ(wrap(graph_net(kNodes), some).model.run({x, a})[0].size(1), kNodes);
}

/// `words` stand somewhere in `text`.
void expect_in(const std::string& words, const std::string& text) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Wrap, RefusesInOneSentence) {
  const ScriptModel bare = point_net(3, 3);
  expect_in("cannot transform as '2 vector'",
            message([&] { wrap(bare, options("E(3)", "point", "2 vector")); }));
  expect_in("the model fails on random input of shape [3, 16, 4]",
            message([&] { wrap(bare, options("E(3)", "point + scalar", "point")); }));
  expect_in("forward takes (x)", message([&] { wrap(bare, options("E(3)", "y=point", "point")); }));
  expect_in("name the position channels 'point'",
            message([&] { wrap(bare, options("E(3)", "vector", "point")); }));
  const test_support::TemporaryFolder folder;
  test_support::write_file(folder / "text.pt", "not a model");
  expect_in("is no TorchScript file", message([&] { ScriptModel::load(folder / "text.pt"); }));
  expect_in("it is a pipe or a device", message([&] { ScriptModel::load("/dev/null"); }));
  expect_in("cannot read", message([&] { ScriptModel::load("no/such/file.pt"); }));
}

}  // namespace
}  // namespace equiframe
