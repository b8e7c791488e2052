#include "equiframe/io/npy.h"

#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

using data_test::message_of;
using data_test::TemporaryFolder;
using data_test::write_file;

/// A file of the given version with this dictionary, not padded, and these bytes behind it.
std::string npy(int version, const std::string& dictionary, const std::string& numbers) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  const size_t length_size = version == 1 ? 2 : 4;
  for (size_t k = 0; k < length_size; ++k)
    bytes += static_cast<char>(dictionary.size() >> (8 * k) & 0xff);
  return bytes + dictionary + numbers;
}

std::string bytes_of(const Tensor& values) {
  const Tensor rows = values.contiguous();
  return {static_cast<const char*>(rows.data_ptr()), rows.nbytes()};
}

std::string npy_header(const std::string& descr, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

class Npy : public testing::Test {
 protected:
  Tensor read(const std::string& bytes) const {
    write_file(path(), bytes);
    return read_npy(path());
  }
  std::string refusal(const std::string& bytes) const {
    const std::string text = message_of<UserError>([&] { read(bytes); });
    EXPECT_NE(text.find(path().string()), std::string::npos) << text;
    return text;
  }
  void expect_refusal(const std::string& bytes, const std::string& why) const {
    const std::string text = refusal(bytes);
    EXPECT_NE(text.find(why), std::string::npos) << text;
  }
  std::filesystem::path path() const { return folder_ / "a.npy"; }

  TemporaryFolder folder_;
};

TEST_F(Npy, RoundTripsEveryType) {
  for (const at::ScalarType type : {at::kDouble, at::kFloat, at::kHalf, at::kLong, at::kInt,
                                    at::kShort, at::kChar, at::kByte, at::kBool}) {
    const Tensor values = at::arange(24, at::kFloat).view({2, 3, 4}).fmod(7).to(type);
    write_npy(path(), values);
    const Tensor back = read_npy(path(), type);
    EXPECT_EQ(back.scalar_type(), type);
    EXPECT_TRUE(at::equal(back, values)) << type;
  }
}

TEST_F(Npy, RoundTripsEveryShape) {
  for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{
           {}, {0}, {1}, {7}, {3, 0, 2}, {2, 3}, {1, 1, 1, 1, 1}, {10000, 5, 1}}) {
    const Tensor values = at::rand(shape, at::kDouble);
    write_npy(path(), values);
    EXPECT_TRUE(at::equal(read_npy(path()), values)) << at::IntArrayRef(shape);
  }
  const Tensor transposed = at::rand({3, 5}).t();
  write_npy(path(), transposed);
  EXPECT_TRUE(at::equal(read_npy(path()), transposed));
}

/// The bytes numpy.save writes for numpy.arange(3.0) and for a scalar.
TEST_F(Npy, WritesWhatNumpyWrites) {
  write_npy(path(), at::arange(3, at::kDouble));
  const std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected +=
      text + std::string(117 - text.size(), ' ') + "\n" + bytes_of(at::arange(3, at::kDouble));
  EXPECT_TRUE(data_test::read_file(path()) == expected);
  write_npy(path(), at::scalar_tensor(1.0, at::kDouble));
  EXPECT_NE(data_test::read_file(path()).find("'shape': (), }"), std::string::npos);
  EXPECT_EQ(data_test::read_file(path()).size() % 64, 8u);
}

TEST_F(Npy, ReadsAllVersionsAndSpellings) {
  const Tensor values = at::arange(6, at::kInt).view({2, 3});
  const std::string numbers = bytes_of(values);
  for (const int version : {1, 2, 3})
    EXPECT_TRUE(at::equal(read(npy(version, npy_header("<i4", "(2, 3)"), numbers)), values))
        << version;
  const std::string python2 = "{\"shape\": (2L, 3L), \"fortran_order\":False,\"descr\":\"<i4\"}";
  EXPECT_TRUE(at::equal(read(npy(1, python2, numbers)), values));
  EXPECT_TRUE(at::equal(read(npy(1, npy_header("=i4", "(6,)"), numbers)), values.view(-1)));
}

TEST_F(Npy, ReadsFortranOrder) {
  const Tensor values = at::arange(24, at::kDouble).view({2, 3, 4});
  const std::string columns = bytes_of(values.permute({2, 1, 0}));
  const Tensor back = read(npy(1, npy_header("<f8", "(2, 3, 4)", "True"), columns));
  EXPECT_TRUE(at::equal(back, values));
  EXPECT_TRUE(back.is_contiguous());
}

TEST_F(Npy, RefusesWhatIsCutShort) {
  const std::string whole =
      npy(1, npy_header("<f8", "(2, 3)"), bytes_of(at::rand({2, 3}, at::kDouble)));
  for (size_t length = 0; length < whole.size(); ++length) refusal(whole.substr(0, length));
  expect_refusal(whole.substr(0, whole.size() - 1),
                 "expected 48 bytes for <f8 numbers of shape [2, 3], found 47");
  expect_refusal(whole + "x", "too long");
  expect_refusal("", "found an empty file");
}

TEST_F(Npy, RefusesWhatItCannotHold) {
  expect_refusal(npy(1, npy_header("|O", "(2,)"), "pickle"), "holds Python objects (dtype '|O')");
  expect_refusal(npy(1, npy_header(">f8", "(1,)"), "12345678"),
                 "dtype '>f8', expected little-endian");
  expect_refusal(npy(1, npy_header("<c16", "(0,)"), ""), "'<c16'");
  expect_refusal(npy(1, npy_header("<U5", "(0,)"), ""), "'<U5'");
  expect_refusal(npy(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (0,), }", ""),
                 "records");
}

TEST_F(Npy, RefusesDamagedHeaders) {
  expect_refusal("PK\x03\x04 an archive", "is not a .npy file");
  expect_refusal(npy(9, npy_header("<f8", "(0,)"), ""), "version 9");
  for (const char* dictionary :
       {"", "{", "{}", "[]", "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'fortran_order': maybe, 'shape': (0,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
        "{'descr': '<f8 'fortran_order': False, 'shape': (0,)}",
        "{'descr': '<f8', 'colour': 'red', 'fortran_order': False, 'shape': (0,)}"})
    expect_refusal(npy(1, dictionary, ""), "damaged");
}

TEST_F(Npy, NamesTheExpectedAndTheFoundType) {
  write_npy(path(), at::zeros({2}, at::kFloat));
  const std::string text = message_of<UserError>([&] { read_npy(path(), at::kDouble); });
  EXPECT_NE(text.find("holds Float numbers, expected Double"), std::string::npos) << text;
}

TEST_F(Npy, MissingFilesAndTypesWithoutName) {
  EXPECT_THROW(read_npy(folder_ / "missing.npy"), UserError);
  EXPECT_THROW(write_npy(path(), at::zeros({2}, at::kComplexDouble)), c10::Error);
}

}  // namespace
}  // namespace equiframe
