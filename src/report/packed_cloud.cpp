#include "report/packed_cloud.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "equiframe/core/rng.h"

namespace equiframe::report {
namespace {

constexpr double kLargestNumber = 65535;

void check(const CloudView& view) {
  const auto rows_of_three = [](const Tensor& x) {
    return x.defined() && x.dim() == 2 && x.size(1) == 3;
  };
  TORCH_CHECK(rows_of_three(view.points) && view.points.scalar_type() == at::kDouble,
              "CloudView: points must be [N, 3] float64");
  TORCH_CHECK(rows_of_three(view.normals) && view.normals.size(0) == view.points.size(0),
              "CloudView: normals must be [N, 3]");
  TORCH_CHECK(!view.confidence.defined() ||
                  (view.confidence.dim() == 1 && view.confidence.size(0) == view.points.size(0)),
              "CloudView: confidence must be [N]");
  TORCH_CHECK(view.max_points > 0, "CloudView: max_points must be positive");
}

std::string bytes_of(const Tensor& values) {
  const Tensor packed = values.contiguous();
  return {static_cast<const char*>(packed.data_ptr()), packed.nbytes()};
}

/// Low byte first, whatever the machine. `numbers` are int32 in 0..65535.
std::string two_bytes_each(const Tensor& numbers) {
  const Tensor low = numbers.bitwise_and(255), high = numbers.bitwise_right_shift(8);
  return bytes_of(at::stack({low, high}, -1).to(at::kByte));
}

/// Unit length, so that any length may be given; 0 0 0 where there is no direction.
std::string packed_normals(const Tensor& normals) {
  const Tensor exact = normals.to(at::kDouble);
  const Tensor length = exact.norm(2, {1}, true);  // [N, 1]
  const Tensor known = length.isfinite().logical_and(length > 0);
  const Tensor unit = at::where(known, exact / length, at::zeros_like(exact));
  return bytes_of((unit * 127).round().to(at::kChar));
}

std::string packed_confidence(const Tensor& confidence) {
  const Tensor exact = confidence.to(at::kDouble).nan_to_num(0).clamp(0, 1);
  return bytes_of((exact * 255).round().to(at::kByte));
}

}  // namespace

Tensor shown_rows(const CloudView& view) {
  check(view);
  const Tensor finite = view.points.isfinite().all(1).nonzero().squeeze(1);  // [F]
  const int64_t count = finite.size(0);
  if (count <= view.max_points) return finite;
  const Rng rng{0, 0};
  Tensor chosen = at::empty({view.max_points}, at::kLong);
  auto* place = chosen.data_ptr<int64_t>();
  for (int64_t i = 0; i < view.max_points; ++i) {
    const int64_t first = i * count / view.max_points, end = (i + 1) * count / view.max_points;
    const auto key = static_cast<uint64_t>(i);
    place[i] = first + static_cast<int64_t>(rng.below(static_cast<uint64_t>(end - first), key, 0));
  }
  return finite.index_select(0, chosen);
}

PackedCloud pack(const CloudView& view) {
  const Tensor rows = shown_rows(view);
  PackedCloud result;
  result.count = rows.size(0);
  if (result.count == 0) return result;
  const Tensor points = view.points.detach().index_select(0, rows);  // [count, 3]
  const Tensor low = points.amin(0), side = points.amax(0) - low;    // [3]
  for (int64_t axis = 0; axis < 3; ++axis)
    result.origin.at(static_cast<size_t>(axis)) = low[axis].item<double>();
  const double longest = side.max().item<double>();
  result.step = longest > 0 ? longest / kLargestNumber : 1;
  const Tensor numbers = ((points - low) / result.step).round().clamp(0, kLargestNumber);
  result.points = two_bytes_each(numbers.to(at::kInt));
  result.normals = packed_normals(view.normals.detach().index_select(0, rows));
  if (view.confidence.defined())
    result.confidence = packed_confidence(view.confidence.detach().index_select(0, rows));
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t here = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8U | (j < here ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (size_t j = 0; j < 4; ++j)
      result += j <= here ? kDigits[group >> (18U - 6U * j) & 63U] : '=';
  }
  return result;
}

}  // namespace equiframe::report
