// Point files of tests.
#pragma once

#include <cstring>
#include <string>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "equiframe/io/point_files.h"
#include "tests/io/temporary_folder.h"

namespace equiframe::data_test {

/// A folder with one file in it.
class CloudFile {
 public:
  explicit CloudFile(const std::string& extension) : name_("cloud" + extension) {}

  std::filesystem::path path() const { return folder_ / name_; }

  PointCloud read(const std::string& bytes, const PointReadOptions& options = {}) const {
    std::filesystem::remove(path());  // to write over a file is slow
    write_file(path(), bytes);
    return read_points(path(), options);
  }

  /// What reading says of `bytes`: one line, without the folder.
  std::string complaint(const std::string& bytes) const {
    std::string said = message_of<UserError>([&] { read(bytes); });
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    const size_t at = said.find(path().string());
    EXPECT_NE(at, std::string::npos) << said;
    if (at != std::string::npos) said.replace(at, path().string().size(), name_);
    return said;
  }

  std::string written(const PointCloud& cloud, const PointFileOptions& options = {}) const {
    write_points(path(), cloud, options);
    return read_file(path());
  }

  PointCloud round_trip(const PointCloud& cloud, const PointFileOptions& options = {}) const {
    write_points(path(), cloud, options);
    return read_points(path());
  }

 private:
  TemporaryFolder folder_;
  std::string name_;
};

/// The same bits, and the same type and shape.
inline bool identical(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) return false;
  const Tensor x = a.contiguous(), y = b.contiguous();
  return x.nbytes() == 0 || std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) == 0;
}

inline void expect_identical(const PointCloud& a, const PointCloud& b) {
  EXPECT_TRUE(identical(a.points, b.points)) << a.points << b.points;
  EXPECT_TRUE(identical(a.normals, b.normals));
  EXPECT_TRUE(identical(a.faces, b.faces));
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t k = 0; k < a.columns.size(); ++k) {
    EXPECT_EQ(a.columns[k].name, b.columns[k].name);
    EXPECT_TRUE(identical(a.columns[k].values, b.columns[k].values)) << a.columns[k].name;
  }
}

inline Tensor rows(std::initializer_list<double> numbers) {
  return at::tensor(at::ArrayRef<double>(numbers), at::kDouble).view({-1, 3});
}

inline Tensor corners(std::initializer_list<int64_t> numbers) {
  return at::tensor(at::ArrayRef<int64_t>(numbers), at::kLong).view({-1, 3});
}

/// Random points, more than one block of them, far from the origin and known to the millimetre.
inline PointCloud survey(int64_t size = 5000) {
  const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(7);
  const Tensor steps = at::randint(0, 100'000, {size, 3}, generator, at::kDouble);
  PointCloud cloud;
  cloud.points =
      (steps + at::tensor({412'345'678.0, 5'312'345'678.0, 432'100.0}, at::kDouble)) / 1000;
  return cloud;
}

/// The same with unit normals, colours and triangles.
inline PointCloud coloured_mesh(int64_t size = 5000) {
  const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(8);
  PointCloud cloud = survey(size);
  const Tensor normals = at::randn({size, 3}, generator);
  cloud.normals = normals / normals.norm(2, {1}, true);
  for (const char* name : {"red", "green", "blue"})
    cloud.columns.push_back({name, at::randint(0, 256, {size}, generator, at::kByte)});
  cloud.faces = at::randint(0, size, {2 * size, 3}, generator, at::kLong);
  return cloud;
}

/// The bytes of a number, little-endian.
template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
std::string big_endian(T value) {
  const std::string bytes = bytes_of(value);
  return {bytes.rbegin(), bytes.rend()};
}

}  // namespace equiframe::data_test
