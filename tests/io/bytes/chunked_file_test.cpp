#include "io/bytes/chunked_file.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

using data_test::message_of;
using data_test::TemporaryFolder;
using data_test::write_file;

class ChunkedFileTest : public testing::Test {
 protected:
  ChunkedFile open(const std::string& bytes) const {
    write_file(folder_ / "a", bytes);
    return ChunkedFile(folder_ / "a");
  }
  TemporaryFolder folder_;
};

/// Lines of all lengths, some longer than a chunk, so that chunks end everywhere in them.
TEST_F(ChunkedFileTest, HandsOutEveryLineOnce) {
  std::vector<std::string> lines;
  for (size_t k = 0; k < 3000; ++k) lines.emplace_back(k, static_cast<char>('a' + k % 26));
  lines.emplace_back(5'000'000, 'x');
  lines.emplace_back("");
  lines.emplace_back("last");
  for (const char* end : {"\n", "\r\n"}) {
    std::string bytes = "\xEF\xBB\xBF";
    for (const std::string& line : lines) bytes += line + end;
    bytes.resize(bytes.size() - std::string(end).size());  // the last line need not end
    ChunkedFile file = open(bytes);
    for (const std::string& line : lines) ASSERT_EQ(file.next_line(), line);
    EXPECT_EQ(file.next_line(), std::nullopt);
    EXPECT_EQ(file.line_number(), static_cast<int64_t>(lines.size()));
    EXPECT_EQ(file.remaining(), 0);
  }
}

TEST_F(ChunkedFileTest, HandsOutEveryByteOnce) {
  std::string bytes(3'000'000, '\0');
  for (size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(k * k >> 7U);
  ChunkedFile file = open("title\n" + bytes);
  EXPECT_EQ(file.next_line(), "title");
  EXPECT_EQ(file.peek(2'000'000), std::string_view(bytes).substr(0, 2'000'000));
  std::string found;
  for (size_t count = 1; found.size() + count <= bytes.size(); count = count * 3 / 2 + 1) {
    EXPECT_EQ(file.position(), static_cast<int64_t>(6 + found.size()));
    found.append(file.take(count), count);
  }
  EXPECT_EQ(found, bytes.substr(0, found.size()));
  const auto rest = static_cast<int64_t>(bytes.size() - found.size());
  EXPECT_EQ(file.remaining(), rest);
  EXPECT_EQ(file.take(static_cast<size_t>(rest + 1)), nullptr);
  EXPECT_TRUE(file.skip(rest - 1));
  EXPECT_EQ(*file.take(1), bytes.back());
  EXPECT_FALSE(file.skip(1));
}

TEST_F(ChunkedFileTest, NamesThePlaceOfAnError) {
  const std::string name = (folder_ / "a").string();
  ChunkedFile file = open("one\ntwo\n123456");
  file.next_line();
  file.next_line();
  EXPECT_EQ(message_of<UserError>([&] { file.fail("bad"); }), name + ":2: bad");
  file.take(4);
  EXPECT_EQ(message_of<UserError>([&] { file.fail("bad"); }), name + ": byte 12: bad");
  EXPECT_EQ(message_of<UserError>([&] { open(""); }),
            name + ": the file is empty; export it again");
}

}  // namespace
}  // namespace equiframe
