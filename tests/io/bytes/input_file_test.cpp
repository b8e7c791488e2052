#include "io/bytes/input_file.h"

#include <chrono>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "equiframe/core/error.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace equiframe {
namespace {

using test_support::message_of;
using test_support::TemporaryFolder;
using test_support::write_file;

class Pipe : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mkfifo(path_.c_str(), 0666), 0); }
  /// Opens the pipe and writes the pieces, each after a pause.
  std::thread writer(std::vector<std::string> pieces) const {
    return std::thread([path = path_, pieces = std::move(pieces)] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      const int descriptor = open(path.c_str(), O_WRONLY);
      for (const std::string& piece : pieces) {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        EXPECT_EQ(write(descriptor, piece.data(), piece.size()),
                  static_cast<ssize_t>(piece.size()));
      }
      close(descriptor);
    });
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "pipe";
};

/// Before, opening it waited forever.
TEST_F(Pipe, WithoutAWriterIsRefused) {
  EXPECT_EQ(
      message_of<UserError>([&] { read_whole_file(path_); }),
      "cannot read '" + path_.string() + "': nobody writes to this pipe; start the writer first");
}

TEST_F(Pipe, IsReadToTheEndOfASlowWriter) {
  std::thread slow = writer({"one ", "two"});
  EXPECT_EQ(read_whole_file(path_), "one two");
  slow.join();
}

TEST_F(Pipe, OfAWriterThatSaysNothingIsEmpty) {
  std::thread silent = writer({});
  EXPECT_EQ(read_whole_file(path_), "");
  silent.join();
}

TEST(InputFile, OrdinaryFilesAreToldFromOthers) {
  const TemporaryFolder folder;
  write_file(folder / "file", "bytes");
  require_ordinary_file(folder / "file");
  EXPECT_EQ(read_whole_file(folder / "file"), "bytes");
  const auto complaint = [](const std::filesystem::path& path) {
    return message_of<UserError>([&] { require_ordinary_file(path); });
  };
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0666), 0);
  EXPECT_NE(complaint(folder / "pipe").find("it is a pipe or a device"), std::string::npos);
  EXPECT_NE(complaint("/dev/null").find("it is a pipe or a device"), std::string::npos);
  EXPECT_NE(complaint(folder.path()).find("it is a folder"), std::string::npos);
  EXPECT_NE(complaint(folder / "none").find("there is no such file"), std::string::npos);
}

/// Before, until the memory was used up.
TEST(InputFile, ADeviceWithoutAnEndIsRefused) {
  EXPECT_NE(message_of<UserError>([] { read_whole_file("/dev/zero"); }).find("more than 256 MiB"),
            std::string::npos);
}

}  // namespace
}  // namespace equiframe
