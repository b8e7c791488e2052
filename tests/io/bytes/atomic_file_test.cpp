#include "io/bytes/atomic_file.h"

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "equiframe/core/error.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace equiframe {
namespace {

using test_support::entries;
using test_support::message_of;
using test_support::read_file;
using test_support::TemporaryFolder;

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

TEST(AtomicFile, FollowsSymbolicLinks) {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  fs::create_directory(folder / "far");
  write_file_atomically(folder / "far/file", "old");
  fs::create_symlink("far/file", folder / "link");
  fs::create_symlink(folder / "link", folder / "second");
  write_file_atomically(folder / "second", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "second") && fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "far/file"), "new");
  EXPECT_EQ(entries(folder / "far"), 1);
  fs::create_symlink("far/other", folder / "dangling");
  write_file_atomically(folder / "dangling", "other");
  EXPECT_EQ(read_file(folder / "far/other"), "other");
  fs::create_symlink("nowhere/file", folder / "lost");
  EXPECT_NE(refusal(folder / "lost").find("does not exist"), std::string::npos);
  fs::create_symlink("loop", folder / "loop");
  EXPECT_NE(refusal(folder / "loop").find("symbolic links"), std::string::npos);
}

/// What /dev/stdout is when a shell sends it to a file: the link must stay, and the file be the one
/// that is open.
TEST(AtomicFile, AFileThatIsOpenIsWrittenTo) {
  const TemporaryFolder folder;
  const int descriptor = open((folder / "open").c_str(), O_WRONLY | O_CREAT, 0666);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(write(descriptor, "before ", 7), 7);
  std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(descriptor), folder / "link");
  write_file_atomically(folder / "link", "new ");
  ASSERT_EQ(write(descriptor, "after", 5), 5);
  close(descriptor);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "open"), "before new after");
  EXPECT_EQ(entries(folder.path()), 2);
}

TEST(AtomicFile, KeepsPermissionsAndRespectsThem) {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  write_file_atomically(folder / "secret", "old");
  fs::permissions(folder / "secret", fs::perms::owner_read | fs::perms::owner_write);
  write_file_atomically(folder / "secret", "new");
  EXPECT_EQ(fs::status(folder / "secret").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  const std::string longest(255, 'x');  // there is room for the temporary name, too
  write_file_atomically(folder / longest, "new");
  EXPECT_EQ(read_file(folder / longest), "new");
  if (geteuid() == 0) GTEST_SKIP() << "nothing is write-protected for root";
  fs::permissions(folder / "secret", fs::perms::owner_read);
  EXPECT_NE(refusal(folder / "secret").find("write-protected"), std::string::npos);
}

TEST(AtomicFile, ADeviceStaysADevice) {
  const TemporaryFolder folder;
  const auto null = folder / "null", full = folder / "full";
  if (mknod(null.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0 ||
      mknod(full.c_str(), S_IFCHR | 0666, makedev(1, 7)) != 0)
    GTEST_SKIP() << "no permission to make a device";
  if (const int tried = open(null.c_str(), O_WRONLY); tried >= 0)
    close(tried);
  else
    GTEST_SKIP() << "devices do not work in this folder";
  write_file_atomically(null, "new");
  EXPECT_TRUE(std::filesystem::is_character_file(null));
  EXPECT_NE(refusal(full).find("the disk is full"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_character_file(full));
  EXPECT_EQ(entries(folder.path()), 2);
}

TEST(AtomicFile, APipeNeedsAReader) {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0666), 0);
  std::string read;
  std::thread reader([&] { read = read_file(pipe); });
  write_file_atomically(pipe, "through");
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_NE(refusal(pipe).find("nobody reads from this pipe"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(RequireWritable, SaysBeforeTheWorkWhatWouldBeWrong) {
  const TemporaryFolder folder;
  const auto complaint = [](const std::filesystem::path& path) {
    return message_of<UserError>([&] { require_writable(path); });
  };
  require_writable(folder / "fine.txt");
  EXPECT_EQ(entries(folder.path()), 0);
  EXPECT_NE(complaint(folder / "no/a.txt").find((folder / "no").string()), std::string::npos);
  EXPECT_NE(complaint(folder.path()).find("it is a folder"), std::string::npos);
  EXPECT_NE(complaint("").find("empty"), std::string::npos);
  EXPECT_THROW(write_file_atomically("/proc/version", "x"), UserError);  // for nobody to write
}

}  // namespace
}  // namespace equiframe
