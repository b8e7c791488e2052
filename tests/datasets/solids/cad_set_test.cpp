#include "equiframe/datasets/cad_set.h"

#include <atomic>
#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "datasets/solids/solids.h"
#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "io/bytes/manifest.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

using data_test::message_of;
using data_test::TemporaryFolder;

CadOptions small_cad() {
  CadOptions options;
  options.models = 6;
  options.points = 128;
  options.kinds = {"organic"};
  return options;
}

bool equal(const CadSet& a, const CadSet& b) {
  return at::equal(a.points, b.points) && at::equal(a.normals, b.normals) &&
         at::equal(a.edges, b.edges) && a.recipes == b.recipes;
}

TEST(CadSets, DoNotDependOnThreadsNorModelsOnTheirNumber) {
  CadOptions options = small_cad();
  options.seed = 6;  // whose first solids take little time
  if (solids_available()) options.kinds = {"solids", "organic"};
  const CadSet alone = generate_cad(options, {.threads = 1});
  EXPECT_TRUE(equal(alone, generate_cad(options, {.threads = 3})));
  options.models = 2;
  const CadSet fewer = generate_cad(options);
  EXPECT_TRUE(at::equal(fewer.points, alone.points.narrow(0, 0, 2)));
  options.seed = 12;
  EXPECT_FALSE(at::equal(fewer.points, generate_cad(options).points));
}

TEST(CadSets, HoldTheModels) {
  const CadOptions options = small_cad();
  std::atomic<int64_t> seen = 0;
  const CadSet set = generate_cad(options, {.inspect = [&](int64_t, const Shape&) { ++seen; }});
  EXPECT_EQ(seen, options.models);
  const auto third = cad_model(options, 3);
  EXPECT_EQ(set.recipes[3], third->recipe());
  EXPECT_TRUE(at::equal(set.normals[3], third->sample(options.points).normals.to(at::kFloat)));
  EXPECT_TRUE(set.edges.isinf().all().item<bool>());
}

TEST(CadSets, ReadBackWhatWasWritten) {
  const TemporaryFolder folder;
  const CadSet set = generate_cad(small_cad());
  data_test::write_file(folder / "extra.txt", "x");
  const auto written = write_cad(folder.path(), set, {"extra.txt"});
  EXPECT_EQ(written.size(), 5U);
  EXPECT_TRUE(is_intact(folder.path()));
  const CadSet back = read_cad(folder.path());
  EXPECT_TRUE(equal(set, back));
  EXPECT_EQ(back.description, small_cad().str());
}

TEST(CadSets, SayWhatIsMissingOrDoesNotFit) {
  const TemporaryFolder folder;
  const auto refusal = [&] { return message_of<UserError>([&] { read_cad(folder.path()); }); };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(refusal(), "make a set with 'equiframe data cad");
  const CadSet set = generate_cad(small_cad());
  write_cad(folder.path(), set);
  write_npy(folder / "normals.npy", set.normals.narrow(0, 0, 3));
  expect(refusal(), "has the shape [3, 128, 3], expected [6, 128, 3]");
  write_cad(folder.path(), set);
  data_test::write_file(folder / "recipes.txt", "one\n");
  expect(refusal(), "has 1 lines, expected 6");
}

TEST(CadSets, RefuseOptionsThatMakeNoSense) {
  const auto refusal = [](auto change) {
    CadOptions options = small_cad();
    change(options);
    return message_of<UserError>([&] { generate_cad(options); });
  };
  refusal([](CadOptions& o) { o.models = 0; });
  refusal([](CadOptions& o) { o.points = -3; });
  refusal([](CadOptions& o) { o.kinds = {}; });
  refusal([](CadOptions& o) { o.models = int64_t{1} << 40; });
  const std::string text = refusal([](CadOptions& o) { o.kinds = {"solid"}; });
  EXPECT_NE(text.find("did you mean 'solids'"), std::string::npos) << text;
}

/// A failure of one model ends the work of all threads, with its reason.
TEST(CadSets, PassOnFailures) {
  const CadWork work{.threads = 2, .inspect = [](int64_t number, const Shape&) {
                       if (number == 3) throw UserError("the disk is full");
                     }};
  EXPECT_EQ(message_of<UserError>([&] { generate_cad(small_cad(), work); }), "the disk is full");
}

}  // namespace
}  // namespace equiframe
