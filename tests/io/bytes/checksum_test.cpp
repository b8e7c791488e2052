#include "io/bytes/checksum.h"

#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

// FIPS 180-4
constexpr const char* kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kMillion = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Checksum, KnowsTheStandardsExamples) {
  EXPECT_EQ(sha256(std::string_view()), kEmpty);
  EXPECT_EQ(sha256("abc"), kAbc);
  EXPECT_EQ(sha256(std::string(1000000, 'a')), kMillion);
}

TEST(Checksum, PiecesMakeTheWhole) {
  Sha256 hash;
  hash.update("a", 1);
  hash.update("", 0);
  hash.update("bc", 2);
  EXPECT_EQ(hash.hex(), kAbc);
  EXPECT_THROW(hash.hex(), c10::Error);
  EXPECT_THROW(hash.update("d", 1), c10::Error);
}

TEST(Checksum, TensorsCountInRowMajorOrder) {
  const Tensor text = at::tensor({97, 98, 99}, at::kByte);
  EXPECT_EQ(sha256(text), kAbc);
  const Tensor square = at::arange(4, at::kDouble).view({2, 2});
  EXPECT_EQ(sha256(square.t()), sha256(square.t().contiguous()));
  EXPECT_NE(sha256(square.t()), sha256(square));
}

TEST(Checksum, Files) {
  const data_test::TemporaryFolder folder;
  data_test::write_file(folder / "file", std::string(1000000, 'a'));
  EXPECT_EQ(sha256_file(folder / "file"), kMillion);
  const auto missing = data_test::message_of<UserError>([&] { sha256_file(folder / "missing"); });
  EXPECT_NE(missing.find("there is no such file"), std::string::npos) << missing;
  EXPECT_THROW(sha256_file(folder.path()), UserError);
}

}  // namespace
}  // namespace equiframe
