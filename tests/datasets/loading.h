#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "equiframe/datasets/dataset.h"
#include "tests/support/scoped_cache.h"

namespace equiframe::datasets_test {

using data_test::message_of;
using data_test::ScopedCache;
using data_test::TemporaryFolder;
using data_test::write_file;

/// The data set of a call such as "cad(train=3, valid=1)".
inline Splits load(const std::string& call, const std::filesystem::path& folder = {}) {
  const auto [name, options] = Options::parse_call(call);
  return Datasets::instance().make(name)->load({options, folder, nullptr});
}

inline std::string refusal(const std::string& call, const std::filesystem::path& folder = {}) {
  return message_of<UserError>([&] { load(call, folder); });
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

inline Tensor items(std::vector<int64_t> numbers) {
  return at::tensor(numbers, at::kLong);
}

inline bool equal(const Example& a, const Example& b) {
  return at::equal(a.input.x, b.input.x) && at::equal(a.target, b.target) &&
         at::equal(a.input.id, b.input.id);
}

inline double most(const Tensor& values) {
  return values.abs().max().item<double>();
}

/// Of the distances of points [B, P, 3] from the origin, [B].
inline Tensor spread(const Tensor& points) {
  return points.to(at::kDouble).square().sum(-1).sqrt().std(1, /*unbiased=*/false);
}

/// The matrix R with b = a R^T, by least squares, [3, 3] float64; a and b [P, 3].
inline Tensor linear_map(const Tensor& a, const Tensor& b) {
  const Tensor x = a.to(at::kDouble), y = b.to(at::kDouble);
  return at::matmul(at::matmul(x.t(), x).inverse(), at::matmul(x.t(), y)).t();
}

/// How far a matrix is from a rotation, reflections being far.
inline double rotation_error(const Tensor& r) {
  return most(at::matmul(r, r.t()) - at::eye(3, at::kDouble)) +
         std::abs(at::det(r).item<double>() - 1);
}

/// Angle of a rotation in degrees.
inline double turned_by(const Tensor& r) {
  return std::acos(std::clamp((r.trace().item<double>() - 1) / 2, -1.0, 1.0)) * 180 / M_PI;
}

}  // namespace equiframe::datasets_test
