#include "nn/clouds/packed_points.h"

#include <limits>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "geometry/search/k_nearest.h"

namespace equiframe::inline nn {
namespace {

/// A value of shape [M] that multiplies or divides [M, ...].
Tensor column(const Tensor& values, const Tensor& like) {
  std::vector<int64_t> shape(static_cast<size_t>(like.dim()), 1);
  shape[0] = -1;
  return values.to(like.dtype()).view(shape);
}

}  // namespace

PackedPoints::PackedPoints(const Batch& batch) : clouds_(batch.size()), places_(batch.nodes()) {
  first_.reserve(static_cast<size_t>(clouds_) + 1);
  first_.push_back(0);
  if (!batch.mask.defined() || batch.mask.all().item<bool>()) {
    if (places_ == 0) throw UserError("the clouds are empty; give at least one point each");
    for (int64_t m = 1; m <= clouds_; ++m) first_.push_back(m * places_);
    return;
  }
  mask_ = batch.mask;
  counts_ = mask_.sum(1);
  for (int64_t m = 0; m < clouds_; ++m) {
    const auto count = counts_[m].item<int64_t>();
    if (count == 0)
      throw UserError(c10::str("cloud ", m, " has no point left after the mask; drop it"));
    first_.push_back(first_.back() + count);
  }
  index_ = mask_.flatten().nonzero().squeeze(1);
  cloud_ = torch::div(index_, places_, "floor");
}

Tensor PackedPoints::grouped(const Tensor& rows) const {
  return rows.unflatten(0, {clouds_, places_});
}

Tensor PackedPoints::pack(const Tensor& x) const {
  const Tensor flat = x.flatten(0, 1);
  return mask_.defined() ? flat.index_select(0, index_) : flat;
}

Tensor PackedPoints::unpack(const Tensor& rows) const {
  if (!mask_.defined()) return grouped(rows);
  auto shape = rows.sizes().vec();
  shape[0] = clouds_ * places_;
  return grouped(torch::zeros(shape, rows.options()).index_copy(0, index_, rows));
}

Tensor PackedPoints::max(const Tensor& rows) const {
  if (!mask_.defined()) return std::get<0>(grouped(rows).max(1));
  const Tensor padding = mask_.logical_not().unsqueeze(-1);
  return std::get<0>(
      unpack(rows).masked_fill(padding, -std::numeric_limits<double>::infinity()).max(1));
}

Tensor PackedPoints::mean(const Tensor& rows) const {
  if (!mask_.defined()) return grouped(rows).mean(1);
  const Tensor sum = unpack(rows).sum(1);
  return sum / column(counts_, sum);
}

Tensor PackedPoints::add(const Tensor& rows, const Tensor& of_clouds) const {
  if (mask_.defined()) return rows + of_clouds.index_select(0, cloud_);
  return (grouped(rows) + of_clouds.unsqueeze(1)).flatten(0, 1);
}

Tensor PackedPoints::multiply(const Tensor& rows, const Tensor& of_clouds) const {
  return pack(unpack(rows).matmul(of_clouds));
}

Tensor PackedPoints::project(const Tensor& of_clouds, const Tensor& rows) const {
  // One product for each cloud: [C, D] [D, N E].
  const Tensor right = unpack(rows).transpose(1, 2).flatten(2);  // [M, D, N E]
  const Tensor all = of_clouds.transpose(1, 2).bmm(right).unflatten(2, {places_, rows.size(2)});
  return pack(all.transpose(1, 2).flatten(2));  // [M, C, N, E] -> [M, N, C E]
}

Tensor PackedPoints::nearest(const Tensor& rows, int64_t k) const {
  const torch::NoGradGuard guard;
  const Tensor local = k_nearest(unpack(rows.detach().flatten(1)), k, mask_);  // [M, N, k]
  if (!mask_.defined()) {
    const Tensor start = torch::arange(clouds_, torch::kLong) * places_;
    return (local + start.view({-1, 1, 1})).flatten(0, 1);
  }
  const Tensor row = torch::zeros({clouds_ * places_}, torch::kLong)
                         .index_copy(0, index_, torch::arange(size(), torch::kLong));
  const Tensor place = pack(local) + (cloud_ * places_).unsqueeze(1);  // [R, k]
  return row.index_select(0, place.flatten()).view({-1, k});
}

}  // namespace equiframe::inline nn
