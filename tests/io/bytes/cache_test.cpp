#include "io/bytes/cache.h"

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "io/bytes/manifest.h"
#include "tests/support/scoped_cache.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;
using data_test::entries;
using data_test::read_file;
using data_test::ScopedCache;
using data_test::TemporaryFolder;
using data_test::write_file;

class Cache : public testing::Test {
 protected:
  fs::path make(const std::string& content = "data") {
    return cached_folder("set", [&](const fs::path& folder) {
      ++fills_;
      write_file(folder / "a", content);
      write_file(folder / "b", "more");
      write_manifest(folder, "test", {"a", "b"});
    });
  }

  ScopedCache cache_;
  std::atomic<int> fills_{0};
};

TEST_F(Cache, FillsOnce) {
  const fs::path folder = make();
  EXPECT_EQ(folder, cache_.path() / "set");
  EXPECT_EQ(read_file(folder / "a"), "data");
  EXPECT_EQ(make(), folder);
  EXPECT_EQ(fills_, 1);
}

TEST_F(Cache, RepairsDamage) {
  const fs::path folder = make();
  const auto damages = std::vector<std::function<void()>>{
      [&] { write_file(folder / "a", "date"); },
      [&] { write_file(folder / "b", ""); },
      [&] { fs::remove(folder / "b"); },
      [&] { fs::remove(folder / "manifest.json"); },
      [&] { write_file(folder / "manifest.json", "{\"format\": 3"); },
      [&] { write_file(folder / "manifest.json", "[1, 2]"); }};
  for (size_t k = 0; k < damages.size(); ++k) {
    damages[k]();
    EXPECT_FALSE(is_intact(folder)) << k;
    EXPECT_EQ(read_file(make() / "a"), "data") << k;
    EXPECT_EQ(fills_, static_cast<int>(k) + 2) << k;
  }
}

TEST_F(Cache, AFailedFillLeavesNothing) {
  EXPECT_THROW(cached_folder("set",
                             [](const fs::path& folder) {
                               write_file(folder / "a", "half");
                               throw std::domain_error("fill");
                             }),
               std::domain_error);
  EXPECT_FALSE(fs::exists(cache_.path() / "set"));
  EXPECT_FALSE(fs::exists(cache_.path() / "set.tmp"));
  EXPECT_EQ(read_file(make() / "a"), "data");
}

TEST_F(Cache, RemainsOfAKilledProcessDoNotHurt) {
  fs::create_directories(cache_.path() / "set.tmp");
  write_file(cache_.path() / "set.tmp" / "a", "half");
  EXPECT_EQ(entries(make()), 3);
}

TEST_F(Cache, ManyAtOnceFillOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int k = 0; k < 6; ++k)
    threads.emplace_back([&] { good += read_file(make() / "a") == "data" ? 1 : 0; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 6);
  EXPECT_EQ(fills_, 1);
}

TEST_F(Cache, AManifestNamesFilesOfItsFolderOnly) {
  const fs::path folder = make();
  write_file(folder / "manifest.json",
             R"({"format": "equiframe data 1", "description": "", "sha256": {"../set/a": "0"}})");
  EXPECT_FALSE(read_manifest(folder));
}

TEST(CacheRoot, FollowsTheEnvironment) {
  const TemporaryFolder folder;
  setenv("EQUIFRAME_CACHE", folder.path().c_str(), 1);
  EXPECT_EQ(cache_root(), folder.path());
  unsetenv("EQUIFRAME_CACHE");
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string shared = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  EXPECT_EQ(cache_root(), folder / "equiframe");
  setenv("XDG_CACHE_HOME", shared.c_str(), 1);
}

TEST(CacheRoot, SaysHowToChooseAnother) {
  const ScopedCache cache("/dev/null/cache");
  const std::string text = data_test::message_of<UserError>(
      [] { cached_folder("set", [](const fs::path&) { FAIL() << "must not be reached"; }); });
  EXPECT_NE(text.find("EQUIFRAME_CACHE"), std::string::npos) << text;
}

}  // namespace
}  // namespace equiframe
