#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/simple_graph.h"
#include "io/graphs/graph_batch.h"
#include "tests/bindings/c/c_handles.h"
#include "training/engine/metrics.h"

namespace equiframe::capi_test {
namespace {

constexpr std::array kShipped{"nbody-fa-gnn", "nbody-fa-verlet", "normals-fa-patch",
                              "normals-votes"};

/// The C++ way to the same numbers.
Tensor expected(const std::string& path, const Tensor& x, c10::ScalarType type) {
  const LoadedModel loaded = load_model(path);
  const auto model = build_model(loaded.card.architecture, type);
  copy_weights(*loaded.model, *model);
  const torch::NoGradGuard no_grad;
  return model->forward(x.to(type));
}

TEST(CModelDescribe, SaysWhatGoesInAndOut) {
  const CModel model = load(shipped("nbody-fa-verlet"));
  const equiframe_model_info info = describe(model.get());
  EXPECT_EQ(info.struct_size, sizeof info);
  EXPECT_STREQ(info.name, "fa-verlet");
  EXPECT_STREQ(info.group, "E(3)");
  EXPECT_STREQ(info.frame, "pca");
  EXPECT_STREQ(info.input_type, "point + vector + scalar");
  EXPECT_STREQ(info.output_type, "point");
  EXPECT_EQ(info.dim, 3);
  EXPECT_EQ(info.channels_in, 7);
  EXPECT_EQ(info.channels_out, 3);
  EXPECT_EQ(info.nodes, 0);
  EXPECT_EQ(info.parameters, 5453);
  EXPECT_EQ(info.output_per_node, 1);
  EXPECT_EQ(info.needs_graph, 0);
}

TEST(CModelDescribe, TellsOneRowAnItemFromOneANode) {
  const CModel votes = load(shipped("normals-votes"));
  const equiframe_model_info info = describe(votes.get());
  EXPECT_EQ(info.output_per_node, 0);
  EXPECT_EQ(info.dim, 3);
  EXPECT_EQ(info.channels_in, 57);
  int64_t count = 0;
  EXPECT_EQ(equiframe_model_output_size(votes.get(), 11, 64, &count), EQUIFRAME_OK);
  EXPECT_EQ(count, 11 * 3);
  EXPECT_EQ(equiframe_model_output_size(load(small_model().path()).get(), 11, 64, &count),
            EQUIFRAME_OK);
  EXPECT_EQ(count, 11 * 64 * 3);
}

TEST(CModelDescribe, WritesNoFurtherThanTheCallersStruct) {
  const CModel model = load(small_model().path());
  struct Larger {
    equiframe_model_info known;
    std::array<char, 16> later;
  } larger{};
  larger.known.struct_size = sizeof larger;  // of a header to come
  larger.later.fill('x');
  EXPECT_EQ(equiframe_model_describe(model.get(), &larger.known), EQUIFRAME_OK);
  EXPECT_EQ(larger.known.struct_size, sizeof larger);
  EXPECT_EQ(larger.known.channels_in, 7);
  EXPECT_EQ(std::string(larger.later.begin(), larger.later.end()), std::string(16, 'x'));
  equiframe_model_info info{};
  expect_refused(equiframe_model_describe(model.get(), &info), "struct_size");
}

TEST(CModelRun, GivesTheNumbersOfTheCppModelInBothTypes) {
  const Tensor x = particles(5, 6);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {  // of the file
    const ModelFile file = small_model(type);
    const CModel model = load(file.path());
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(output<float>(model.get(), x),
                flat<float>(expected(file.path(), x, torch::kFloat32)));
      EXPECT_EQ(output<double>(model.get(), x),
                flat<double>(expected(file.path(), x, torch::kFloat64)));
    }
  }
}

TEST(CModelRun, ComputesInFloat64WhenAskedForIt) {
  const ModelFile file = small_model();
  const CModel model = load(file.path());
  const Tensor x = particles(5, 6).to(torch::kFloat32);
  const std::vector<float> single = output<float>(model.get(), x);
  const std::vector<double> exact = output<double>(model.get(), x);
  double apart = 0;
  for (size_t i = 0; i < exact.size(); ++i)
    apart = std::max(apart, std::abs(exact[i] - double{single[i]}));
  EXPECT_GT(apart, 1e-9);
  EXPECT_LT(apart, 1e-4);
}

TEST(CModelRun, RunsTheShippedModels) {
  for (const char* name : kShipped) {
    const LoadedModel loaded = load_model(shipped(name));
    const Tensor x = loaded.reference_input.x.narrow(0, 0, 2);
    const CModel model = load(shipped(name));
    const torch::NoGradGuard no_grad;
    EXPECT_EQ(output<float>(model.get(), x), flat<float>(loaded.model->forward(x))) << name;
  }
}

TEST(CModelRun, TakesAnyNumberOfNodes) {
  for (const char* name : kShipped) {
    const CModel model = load(shipped(name));
    const int64_t channels = describe(model.get()).channels_in;
    for (const int64_t nodes : {1, 2, 3, 9}) {
      const Tensor x = torch::rand({2, nodes, channels}, make_generator(1), torch::kFloat64);
      const bool well = !output<double>(model.get(), x).empty();
      // A frame may refuse few points, with a sentence; nothing may break.
      EXPECT_TRUE(well || std::string(equiframe_last_error()).find("frame") != std::string::npos)
          << name << " on " << nodes << " nodes: " << equiframe_last_error();
      EXPECT_TRUE(well || nodes <= 3) << name;
    }
  }
}

TEST(CModelRun, LeavesTheInputAndTheCallersGradientModeAlone) {
  const CModel model = load(shipped("nbody-fa-gnn"));
  const Tensor x = particles(2, 5), before = x.clone();
  EXPECT_FALSE(output<double>(model.get(), x).empty());
  EXPECT_TRUE(x.equal(before));
  EXPECT_TRUE(at::GradMode::is_enabled());
}

TEST(CModelRun, RefusesArraysThatAreNone) {
  const CModel model = load(small_model().path());
  std::vector<float> in(14, 1), out(6, -7);
  int64_t count = -1;
  expect_refused(run(nullptr, 1, 2, in.data(), out.data()), "'model' is NULL");
  expect_refused(run(model.get(), 1, 2, static_cast<float*>(nullptr), out.data()), "'in' is NULL");
  expect_refused(run(model.get(), 1, 2, in.data(), nullptr), "'out' is NULL");
  for (const auto& [batch, nodes] : std::vector<std::pair<int64_t, int64_t>>{
           {0, 2}, {-1, 2}, {1, 0}, {1, std::numeric_limits<int64_t>::min()}})
    expect_refused(run(model.get(), batch, nodes, in.data(), out.data()), "1 or more");
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const auto& [batch, nodes] :
       std::vector<std::pair<int64_t, int64_t>>{{kMax, 1}, {1, kMax}, {1L << 32, 1L << 32}})
    expect_refused(equiframe_model_output_size(model.get(), batch, nodes, &count), "memory");
  expect_refused(equiframe_model_output_size(model.get(), 1, 1, nullptr), "'count' is NULL");
  expect_refused(equiframe_model_output_size(nullptr, 1, 1, &count), "'model' is NULL");
  expect_refused(equiframe_model_describe(model.get(), nullptr), "'info' is NULL");
  EXPECT_EQ(count, -1);
  EXPECT_EQ(out, std::vector<float>(6, -7));
}

TEST(CModelRun, NamesTheNumberThatIsNotFinite) {
  const CModel model = load(small_model().path());
  const Tensor x = particles(3, 4);
  for (const double bad : {NAN, INFINITY, -INFINITY}) {
    Tensor wrong = x.clone();
    wrong[2][1][5] = bad;
    EXPECT_TRUE(output<float>(model.get(), wrong).empty());
    expect_refused(EQUIFRAME_WRONG_INPUT, "channel 5 of node 1 of item 2");
    EXPECT_TRUE(output<double>(model.get(), wrong).empty());
    expect_refused(EQUIFRAME_WRONG_INPUT, "channel 5 of node 1 of item 2");
  }
  EXPECT_FALSE(output<float>(model.get(), x).empty());
}

TEST(CModelRun, GivesNothingThatIsNotFinite) {
  const CModel model = load(ModelFile({"linear", {}}).path());  // x + t v
  const Tensor x = torch::full({1, 2, 7}, 3.4e38, torch::kFloat64);
  std::vector<float> in(14, 3.4e38F), out(6, -7);
  expect_refused(run(model.get(), 1, 2, in.data(), out.data()), "no finite numbers");
  EXPECT_EQ(out, std::vector<float>(6, -7));
  EXPECT_FALSE(output<double>(model.get(), x).empty());
}

TEST(CModelRun, SaysWhatAFrameRefuses) {
  const CModel model = load(shipped("nbody-fa-verlet"));
  std::vector<double> together(21, 1), out(9);
  EXPECT_EQ(run(model.get(), 1, 3, together.data(), out.data()), EQUIFRAME_WRONG_INPUT);
  EXPECT_STRNE(equiframe_last_error(), "");
}

TEST(CModelRun, RefusesGraphs) {
  SimpleGraph path;
  path.nodes = 3;
  path.edges = {{0, 1}, {1, 2}};
  const Batch graphs = graph_batch({path});
  const ModelFile file({"gin", {}}, torch::kFloat32, graphs);
  const CModel model = load(file.path());
  const equiframe_model_info info = describe(model.get());
  EXPECT_EQ(info.needs_graph, 1);
  EXPECT_EQ(info.dim, 0);
  EXPECT_TRUE(output<float>(model.get(), graphs.x).empty());
  expect_refused(EQUIFRAME_WRONG_INPUT, "edges");
}

TEST(CModelLoad, RefusesFilesThatAreNoModels) {
  const ModelFile file = small_model();
  equiframe_model* model = reinterpret_cast<equiframe_model*>(&model);
  const auto refused = [&](const std::string& path, const std::string& words) {
    model = reinterpret_cast<equiframe_model*>(&model);
    expect_refused(equiframe_model_load(path.c_str(), &model), words);
    EXPECT_EQ(model, nullptr);
  };
  refused("no/such.safetensors", "no/such.safetensors");
  refused("", "''");
  refused(std::filesystem::temp_directory_path().string(), "");
  expect_refused(equiframe_model_load(nullptr, &model), "'path' is NULL");
  expect_refused(equiframe_model_load(file.path().c_str(), nullptr), "'model' is NULL");
  const std::string whole = test_support::read_file(file.path());
  std::string changed = whole;
  changed[whole.size() - 40] ^= 1;
  for (const std::string& bytes :
       {std::string(), std::string("{}"), whole.substr(0, whole.size() / 2), changed}) {
    test_support::write_file(file.path(), bytes);
    refused(file.path(), file.path());
  }
  equiframe_model_free(nullptr);
}

}  // namespace
}  // namespace equiframe::capi_test
