#include "equiframe/datasets/nbody.h"

#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "io/bytes/checksum.h"
#include "io/bytes/manifest.h"
#include "tests/support/scoped_cache.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;
using data_test::entries;
using data_test::message_of;
using data_test::ScopedCache;
using data_test::TemporaryFolder;

NBodyOptions small_nbody() {
  NBodyOptions options;
  options.train = 8;
  options.valid = options.test = 4;
  return options;
}

NBodyOptions tiny_options() {
  NBodyOptions options = small_nbody();
  options.system.steps = 300;
  return options;
}

bool equal(const NBodySplit& a, const NBodySplit& b) {
  return at::equal(a.loc, b.loc) && at::equal(a.vel, b.vel) && at::equal(a.edges, b.edges) &&
         at::equal(a.charges, b.charges);
}

bool equal(const NBodyArrays& a, const NBodyArrays& b) {
  return equal(a.train, b.train) && equal(a.valid, b.valid) && equal(a.test, b.test);
}

TEST(NBodyData, HasTheBenchmarksNamesShapesAndBytes) {
  const TemporaryFolder folder;
  const NBodyArrays arrays = generate_nbody(small_nbody());
  EXPECT_EQ(arrays.train.loc.sizes(), at::IntArrayRef({8, 49, 3, 5}));
  EXPECT_EQ(arrays.valid.vel.sizes(), at::IntArrayRef({4, 49, 3, 5}));
  EXPECT_EQ(arrays.test.edges.sizes(), at::IntArrayRef({4, 5, 5}));
  EXPECT_EQ(arrays.train.charges.sizes(), at::IntArrayRef({8, 5, 1}));
  EXPECT_EQ(arrays.train.loc[0][30][0][0].item<double>(), 2.9891163171666544);
  const auto written = write_nbody(folder.path(), arrays);
  const std::map<std::string, std::string> expected{
      {"loc_train_charged5_initvel1small.npy",
       "8f75527611b266e084fc8a9e98cfa4b036855131ba7147fa968c61dcb276d978"},
      {"loc_valid_charged5_initvel1small.npy",
       "8e4cd040915c40681aa00bfe2acec45383412abc31f6fab9535e8a5bf58d1dc3"},
      {"loc_test_charged5_initvel1small.npy",
       "a0e1e1b09534e9d3b6d9f88af8bdc2b1733001d52774bb0d7bc5e44a85bcba8c"},
      {"vel_train_charged5_initvel1small.npy",
       "7df75c602f638bd4ced922d5fc9e6a4c3501d2ca3c9ed15b5642a3348c925155"},
      {"vel_valid_charged5_initvel1small.npy",
       "f5ff59b6ee2a651f29ad4f5c844a352ec34e3f31e0101eedf572b0ba85a2a6ee"},
      {"vel_test_charged5_initvel1small.npy",
       "7f21d595a5df0351c8cdad5fad9d2110bf188faf01a1aaf3cfaecddce9179867"},
      {"edges_train_charged5_initvel1small.npy",
       "56ea5643290fcbf282258b2a37e528422e5804ad18b44c0b8811405093ae549b"},
      {"edges_valid_charged5_initvel1small.npy",
       "d32e124c5b9ae37bc44cb2d4330136132a7434a421a56eba01a1d08276c0e6df"},
      {"edges_test_charged5_initvel1small.npy",
       "b31f7d31ff8f6dbf10ae40afa2558cf1a9ac000e102eb5e476a5082cb7e03255"},
      {"charges_train_charged5_initvel1small.npy",
       "b91e60e3d1dc9caf427a077f660f6a90afcf445d436687e83f4fc22e08ab7b60"},
      {"charges_valid_charged5_initvel1small.npy",
       "1913b33cb88be7a595c087842003f3cf3273c15781a7717d3bb060541c58f367"},
      {"charges_test_charged5_initvel1small.npy",
       "a1f6414ee48ff7e57348409cb2c9af4f7173608272266e7867f118f6a8bf6539"}};
  EXPECT_EQ(written, expected);
  EXPECT_EQ(entries(folder.path()), 13);
  EXPECT_TRUE(is_intact(folder.path()));
}

/// The twelve files of the whole benchmark, as docs/data/nbody.md lists them, and what a line drawn
/// through position and velocity makes of it: mean squared error .0847 on the test split.
TEST(NBodyData, TheWholeBenchmark) {
  const TemporaryFolder folder;
  const NBodyArrays arrays = generate_nbody({}, {.threads = 2});
  const std::map<std::string, std::string> expected{
      {"loc_train_charged5_initvel1small.npy",
       "4559abfeb808d700522f50999b27953af9df1b7c252ba65ddd24454defda1d79"},
      {"loc_valid_charged5_initvel1small.npy",
       "4f727c6c425133b7713816fae05e760f5d2208d97991607ea73da960466e5a98"},
      {"loc_test_charged5_initvel1small.npy",
       "deb209b4f63da1576feba9033669d55c03d8b096febf3f76b6c931cdcb03eab6"},
      {"vel_train_charged5_initvel1small.npy",
       "be853f571dbaed2c943d5bdd04aa199600bb5741a8bff592873dd9609578f24f"},
      {"vel_valid_charged5_initvel1small.npy",
       "2f95f737f5f199fee53326e3eab7abc02939824ecac6a3a6664589b8fb8d078a"},
      {"vel_test_charged5_initvel1small.npy",
       "1a0428743388f2b1cdf9e783451da8e94342e9c6fc306b84c2f293f41b553ea0"},
      {"edges_train_charged5_initvel1small.npy",
       "e40c92c57ffe088e3395559cf87aa028317ba75155cb8c81bc0b02145ef09dfc"},
      {"edges_valid_charged5_initvel1small.npy",
       "15f035103978c8f74fd824bf8804d88a570ae46e11d79ba1cc557af5c689e49d"},
      {"edges_test_charged5_initvel1small.npy",
       "8e486e84b1ff54b4d327e5c9967eee6eb39289e5c73c0e42c4a28b0821ca7ede"},
      {"charges_train_charged5_initvel1small.npy",
       "9d817ec0ab59a8d2c590f2caba63ea449655ca26054387dd5155f85b28aab3fd"},
      {"charges_valid_charged5_initvel1small.npy",
       "0cad9633a117dac343ca5632738e1db8e4528ec0f4f1f9e48c386b17c96369ab"},
      {"charges_test_charged5_initvel1small.npy",
       "df4a4a688a709779ce276abb216153e200079b267f679ce4cd6e04bcbcfac8f9"}};
  EXPECT_EQ(write_nbody(folder.path(), arrays), expected);
  const auto at_frame = [](const Tensor& values, int64_t frame) {
    return values.narrow(0, 0, std::min<int64_t>(values.size(0), 3000)).select(1, frame);
  };
  const auto residual = [&](const NBodySplit& split) {
    return at_frame(split.loc, 40) - at_frame(split.loc, 30);
  };
  const Tensor v = at_frame(arrays.train.vel, 30);
  const Tensor t = (v * residual(arrays.train)).sum() / (v * v).sum();
  const Tensor error = residual(arrays.test) - t * at_frame(arrays.test.vel, 30);
  EXPECT_NEAR(t.item<double>(), 0.7237, 5e-5);
  EXPECT_NEAR(residual(arrays.test).square().mean().item<double>(), 0.2715, 5e-5);
  EXPECT_NEAR(error.square().mean().item<double>(), 0.0847, 5e-5);
}

TEST(NBodyData, SplitsAreOneStream) {
  NBodyOptions apart = tiny_options(), together = tiny_options();
  together.train = 16;
  together.valid = together.test = 0;
  const NBodyArrays a = generate_nbody(apart), b = generate_nbody(together, {.threads = 3});
  EXPECT_TRUE(at::equal(at::cat({a.train.loc, a.valid.loc, a.test.loc}), b.train.loc));
  EXPECT_TRUE(at::equal(a.valid.edges, b.train.edges.narrow(0, 8, 4)));
  EXPECT_TRUE(at::equal(a.train.edges, a.train.charges.matmul(a.train.charges.transpose(1, 2))));
  apart.seed = 44;
  EXPECT_FALSE(at::equal(generate_nbody(apart).train.loc, a.train.loc));
}

TEST(NBodyData, NamesFollowTheSystem) {
  NBodyOptions options;
  EXPECT_EQ(options.tag(), "_charged5_initvel1small");
  options.system = kernels::springs(20);
  options.system.speed = 1e-16;
  options.suffix = "";
  EXPECT_EQ(options.tag(), "_springs20_initvel0");
}

TEST(NBodyData, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  NBodyOptions options = tiny_options();
  options.system = kernels::springs(3);
  options.system.steps = 300;
  const NBodyArrays arrays = generate_nbody(options);
  EXPECT_EQ(arrays.train.charges.abs().sum().item<double>(), 0);
  write_nbody(folder.path(), arrays);
  const NBodyArrays back = read_nbody(folder.path());
  EXPECT_TRUE(equal(arrays, back));
  EXPECT_EQ(back.tag, "_springs3_initvel1small");
  EXPECT_EQ(back.description, options.str());
}

/// numpy's float32, Fortran order aside, and a name of their own.
TEST(NBodyData, ReadsArraysOfOthers) {
  const TemporaryFolder folder;
  NBodyArrays arrays = generate_nbody(tiny_options());
  arrays.tag = "_mine";
  write_nbody(folder.path(), arrays);
  fs::remove(folder / "manifest.json");
  write_npy(folder / "vel_valid_mine.npy", arrays.valid.vel.to(at::kFloat));
  const NBodyArrays back = read_nbody(folder.path());
  EXPECT_TRUE(at::equal(back.valid.vel, arrays.valid.vel.to(at::kFloat).to(at::kDouble)));
  EXPECT_TRUE(equal(back.train, arrays.train));
  EXPECT_EQ(back.description, "");
}

TEST(NBodyData, SaysWhatIsMissingOrDoesNotFit) {
  const TemporaryFolder folder;
  const auto refusal = [&](const fs::path& from, const std::string& tag = "") {
    return message_of<UserError>([&] { read_nbody(from, tag); });
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(refusal(folder / "nowhere"), "cannot read the folder");
  expect(refusal(folder.path()), "expected files such as loc_train_charged5_initvel1small.npy");
  NBodyArrays arrays = generate_nbody(tiny_options());
  write_nbody(folder.path(), arrays);
  fs::remove(folder / "vel_valid_charged5_initvel1small.npy");
  fs::remove(folder / "edges_test_charged5_initvel1small.npy");
  expect(refusal(folder.path()),
         "missing: vel_valid_charged5_initvel1small.npy, edges_test_charged5_initvel1small.npy");
  write_nbody(folder.path(), arrays);
  write_npy(folder / "vel_test_charged5_initvel1small.npy", arrays.test.vel.narrow(0, 0, 3));
  expect(refusal(folder.path()), "has the shape [3, 2, 3, 5], expected [4, 2, 3, 5]");
  write_npy(folder / "loc_train_charged5_initvel1small.npy", arrays.train.loc.transpose(2, 3));
  expect(refusal(folder.path()), "expected [trajectories, frames, 3, particles]");
  arrays.tag = "_other";
  write_nbody(folder.path(), arrays);
  expect(refusal(folder.path()), "several n-body sets");
  EXPECT_TRUE(equal(read_nbody(folder.path(), "_other"), arrays));
  NBodyOptions fewer = tiny_options();
  fewer.system.particles = 4;
  NBodyArrays mixed = generate_nbody(fewer);
  mixed.train = arrays.train;
  mixed.tag = "_mixed";
  write_nbody(folder.path(), mixed);
  expect(refusal(folder.path(), "_mixed"), "5 particles in its train split, but 4 in valid");
}

TEST(NBodyData, RefusesOptionsThatMakeNoSense) {
  const auto refuses = [](auto change) {
    NBodyOptions options = tiny_options();
    change(options);
    EXPECT_THROW(generate_nbody(options), UserError);
  };
  refuses([](NBodyOptions& o) { o.train = -1; });
  refuses([](NBodyOptions& o) { o.system.sampling = 7; });
  refuses([](NBodyOptions& o) { o.system.particles = 0; });
  refuses([](NBodyOptions& o) { o.suffix = "../x"; });
  refuses([](NBodyOptions& o) { o.train = int64_t{1} << 40; });
}

TEST(NBodyData, CacheGivesTheSameAndNoticesDamage) {
  const ScopedCache cache;
  int calls = 0;
  const NBodyWork work{.progress = [&](double, const std::string&) { ++calls; }};
  const NBodyArrays fresh = generate_nbody(tiny_options());
  EXPECT_TRUE(equal(cached_nbody(tiny_options(), work), fresh));
  EXPECT_GT(calls, 0);
  calls = 0;
  EXPECT_TRUE(equal(cached_nbody(tiny_options(), work), fresh));
  EXPECT_EQ(calls, 0) << "generated again";
  fs::path file;
  for (const auto& entry : fs::recursive_directory_iterator(cache.path())) {
    if (entry.path().filename() == "loc_test_charged5_initvel1small.npy") file = entry.path();
  }
  std::string bytes = data_test::read_file(file);
  bytes[bytes.size() - 5] ^= 1;
  data_test::write_file(file, bytes);
  EXPECT_TRUE(equal(cached_nbody(tiny_options(), work), fresh));
  EXPECT_GT(calls, 0);
  NBodyOptions other = tiny_options();
  other.system.dt = 0.002;
  EXPECT_FALSE(equal(cached_nbody(other), fresh));
}

}  // namespace
}  // namespace equiframe
