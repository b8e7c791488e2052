/// The data set `abc`: its files, its lists, and what it says if they do not fit.
#include <thread>

#include <gtest/gtest.h>

#include "tests/datasets/solids/abc_folder.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;
using datasets_test::AbcFolder;
using datasets_test::box_obj;
using datasets_test::equal;
using datasets_test::expect_part;
using datasets_test::items;
using datasets_test::list_json;
using datasets_test::message_of;

TEST(AbcFiles, TheEndOfTheTrainingListValidates) {
  const AbcFolder folder;
  const Splits splits = folder.load("setting=I/SO3");
  EXPECT_EQ(splits.train->size(), 3);
  EXPECT_EQ(splits.valid->size(), 1);
  EXPECT_EQ(splits.test->size(), 2);
  EXPECT_EQ(splits.description,
            "512 points, setting I/SO(3), 3/1/2 meshes, validation from the end of the training "
            "list; " +
                folder.path().string());
  EXPECT_EQ(folder.load("valid=0.5").train->size(), 2);
  EXPECT_EQ(folder.load("valid=0.99").train->size(), 1);
  // The plate, 3 x 2 x 0.5: of its area of 17 the two large faces have 12.
  const Tensor up = folder.load().valid->get(items({0})).target.select(-1, 2).abs();
  EXPECT_NEAR((up > 0.5).to(at::kDouble).mean().item<double>(), 12.0 / 17, 0.09);
}

TEST(AbcFiles, MayLieInAFolderOfTheirResolutionOrNot) {
  const AbcFolder published, plain;
  for (const std::string split : {"train", "test"}) {
    for (const auto& entry : fs::directory_iterator(plain / (split + "/512")))
      fs::rename(entry.path(), plain / split / entry.path().filename());
    fs::remove(plain / (split + "/512"));
  }
  const Splits a = published.load(), b = plain.load();
  EXPECT_TRUE(equal(a.test->get(items({0, 1})), b.test->get(items({0, 1}))));
  EXPECT_EQ(a.checksum, b.checksum);
}

TEST(AbcFiles, ListsMayHaveOtherPlaces) {
  const AbcFolder folder;
  folder.write("lists/few.json", list_json({"tower", "cube"}));
  folder.write("lists/one.json", list_json({"bar"}));
  const Splits splits = folder.load("train_split=lists/few.json, test_split=lists/one.json");
  EXPECT_EQ(splits.train->size(), 1);
  EXPECT_EQ(splits.test->size(), 1);
}

TEST(AbcFiles, TheChecksumTellsOtherListsAndOtherFiles) {
  const AbcFolder folder;
  const std::string before = folder.load().checksum;
  EXPECT_EQ(before.size(), 64U);
  EXPECT_EQ(before, folder.load("setting=I/SO3, points=9").checksum);
  EXPECT_NE(before, folder.load("valid=0.5").checksum);
  folder.write("test.json", list_json({"bar", "box"}));
  const std::string turned = folder.load().checksum;
  EXPECT_NE(before, turned);
  folder.add("test/512/bar", box_obj({4, 1, 2}) + "# more\n");
  EXPECT_NE(turned, folder.load().checksum);
}

TEST(AbcFiles, AreReadAtTheirFirstUseAndKept) {
  const AbcFolder folder;
  const Splits splits = folder.load();
  folder.add("train/512/tower", "v 1 2\n");
  const Example first = splits.train->get(items({0, 1}));
  fs::remove_all(folder / "train");
  EXPECT_TRUE(equal(first, splits.train->get(items({0, 1}))));
  expect_part(message_of<UserError>([&] { splits.train->get(items({2})); }), "tower.obj");
}

TEST(AbcFiles, MayBeReadBySeveralThreadsAtOnce) {
  const AbcFolder folder;
  const Example expected = folder.load().train->get(items({0, 1, 2}));
  const auto train = folder.load().train;
  std::vector<Example> seen(4);
  std::vector<std::thread> threads;
  for (Example& mine : seen) threads.emplace_back([&] { mine = train->get(items({0, 1, 2})); });
  for (std::thread& thread : threads) thread.join();
  for (const Example& example : seen) EXPECT_TRUE(equal(example, expected));
}

TEST(AbcFiles, SaysWhatIsMissing) {
  expect_part(datasets_test::refusal("abc"), "no folder is given; say with --data");
  const AbcFolder folder;
  fs::remove(folder / "train/512/octahedron.obj");
  const std::string text = folder.refusal();
  expect_part(text, "the train list has 'octahedron', but there is neither '");
  expect_part(text, (folder / "train/512/octahedron.obj").string());
  expect_part(text, (folder / "train/octahedron.obj").string());
  fs::remove(folder / "test.json");
  expect_part(folder.refusal(), "no list of names '" + (folder / "test.json").string() + "'");
  expect_part(folder.refusal(), "set data.test_split");
  expect_part(folder.refusal("train_split=x.json"), "set data.train_split");
}

TEST(AbcFiles, SaysWhatAListShouldBe) {
  const AbcFolder folder;
  const std::vector<std::string> wrong{"",
                                       "{\"scans\": {\"all\": [\"cube\"",
                                       "[\"cube\"]",
                                       "7",
                                       "{\"scans\": {\"some\": [\"cube\"]}}",
                                       "{\"scans\": {\"all\": \"cube\"}}",
                                       "{\"scans\": [\"cube\"]}",
                                       "{\"scans\": {\"all\": [\"cube\", 3]}}"};
  for (const std::string& text : wrong) {
    folder.write("train.json", text);
    const std::string said = folder.refusal();
    expect_part(said, "train.json' is not a list of names");
    expect_part(said, R"(expected JSON {"scans": {"all": ["name", "name"]}})");
  }
  folder.write("train.json", list_json({}));
  expect_part(folder.refusal(), "train.json' is empty");
  folder.write("train.json", list_json({"cube"}));
  expect_part(folder.refusal(), "has one name; two are needed");
}

TEST(AbcFiles, SaysWhichMeshCannotBeUsed) {
  const AbcFolder folder;
  folder.add("test/512/box", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  folder.add("test/512/bar", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  const auto test = folder.load().test;
  const auto said = [&](int64_t item) {
    return message_of<UserError>([&] { test->get(items({item})); });
  };
  expect_part(said(0), "box.obj': the mesh has no faces");
  expect_part(said(0), "take its name out of the list");
  expect_part(said(1), "bar.obj': none of the 1 faces of the mesh has an area");
  expect_part(message_of<UserError>([&] { test->get(items({1, 0})); }), "bar.obj");
}

TEST(AbcFiles, RefusesMeshesThatTrainAndTest) {
  const AbcFolder folder;
  folder.write("test.json", list_json({"box", "tower", "cube"}));
  expect_part(folder.refusal(), "'tower' is in the training list and in the test list");
}

TEST(AbcFiles, RefusesSharesThatAreNone) {
  const AbcFolder folder;
  for (const std::string share : {"0", "1", "-0.1", "400", "nan"})
    expect_part(folder.refusal("valid=" + share), "valid");
}

}  // namespace
}  // namespace equiframe
