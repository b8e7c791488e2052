#include "equiframe/data/atomic_file.h"

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "equiframe/core/error.h"
#include "temporary_folder.h"

namespace equiframe {
namespace {

using data_test::entries;
using data_test::message_of;
using data_test::read_file;
using data_test::TemporaryFolder;

std::string refusal(const std::filesystem::path& path) {
  return message_of<UserError>([&] { write_file_atomically(path, "new"); });
}

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  const auto path = folder / "file";
  write_file_atomically(path, "old");
  EXPECT_EQ(read_file(path), "old");
  write_file_atomically(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(AtomicFile, TakesPiecesOfAnySize) {
  const TemporaryFolder folder;
  std::string expected;
  write_file_atomically(folder / "file", [&](const ByteSink& sink) {
    for (const size_t size : {1u, 1000u, 300000u, 0u, 262144u, 5u, 1000000u}) {
      const std::string piece(size, static_cast<char>('a' + expected.size() % 26));
      sink(piece.data(), piece.size());
      expected += piece;
    }
  });
  EXPECT_TRUE(read_file(folder / "file") == expected);
}

TEST(AtomicFile, ReaderSeesTheOldFileUntilTheEnd) {
  const TemporaryFolder folder;
  const auto path = folder / "file";
  write_file_atomically(path, "old");
  write_file_atomically(path, [&](const ByteSink& sink) {
    const std::string much(1 << 20, 'x');
    sink(much.data(), much.size());
    EXPECT_EQ(read_file(path), "old");
  });
  EXPECT_EQ(read_file(path).size(), 1u << 20);
}

TEST(AtomicFile, AFailingWriterLeavesEverythingAsItWas) {
  const TemporaryFolder folder;
  const auto path = folder / "file";
  write_file_atomically(path, "old");
  const auto failing = [](const ByteSink& sink) {
    sink("half", 4);
    throw std::domain_error("writer");
  };
  EXPECT_THROW(write_file_atomically(path, failing), std::domain_error);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), 1);
}

/// A limit on the size of files stands for the full disk.
TEST(AtomicFile, AFullDiskLeavesEverythingAsItWas) {
  const TemporaryFolder folder;
  const auto path = folder / "file";
  write_file_atomically(path, "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string text =
      message_of<UserError>([&] { write_file_atomically(path, std::string(1 << 20, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(text.find(path.string()), std::string::npos) << text;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(AtomicFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "file", "old");
  EXPECT_NE(refusal("/dev/full").find("the disk is full"), std::string::npos);
  EXPECT_NE(refusal(folder / "no/file").find("does not exist"), std::string::npos);
  EXPECT_NE(refusal(folder / "file/below").find("is not a folder"), std::string::npos);
  EXPECT_NE(refusal(folder.path()).find("it is a folder"), std::string::npos);
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(AtomicFile, NamesTheFolderThatCannotBeWritten) {
  const TemporaryFolder folder;
  const std::filesystem::path locked = folder / "locked";
  std::filesystem::create_directory(locked);
  ASSERT_EQ(chmod(locked.c_str(), 0555), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  // Nobody locks root out, so a child of root becomes somebody else first.
  const auto try_to_write = [&] {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
    std::fputs(refusal(locked / "file").c_str(), stderr);
    _exit(0);
  };
  EXPECT_EXIT(try_to_write(), testing::ExitedWithCode(0),
              "no permission to write in '" + locked.string() + "'");
}

}  // namespace
}  // namespace equiframe
