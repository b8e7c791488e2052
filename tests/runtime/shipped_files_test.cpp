#include "runtime/shipped_files.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;

/// The current folder for as long as it lives.
class InFolder {
 public:
  explicit InFolder(const fs::path& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~InFolder() { fs::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  fs::path before_;
};

TEST(ShippedFiles, AreFoundBesideTheLibraryWhereverOneIs) {
  const test_support::TemporaryFolder folder;
  const InFolder here(folder.path());
  const auto found = runtime::find_shipped("models/normals-fa-patch.safetensors");
  ASSERT_TRUE(found);
  EXPECT_TRUE(fs::exists(*found));
  EXPECT_FALSE(runtime::find_shipped("models/no-such-model"));
}

TEST(ShippedFiles, OfTheCurrentFolderComeFirst) {
  const test_support::TemporaryFolder folder;
  fs::create_directories(folder / "configs/nbody");
  const InFolder here(folder.path());
  EXPECT_EQ(runtime::find_shipped("configs/nbody"), fs::path("configs/nbody"));
}

}  // namespace
}  // namespace equiframe
