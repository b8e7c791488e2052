#include "geometry/kernels/nearest_select.h"
#include "simd/workspace.h"

namespace equiframe::kernels::inline geometry {
namespace {

constexpr int kTileRows = 4;       // queries whose sums are in registers together
constexpr int kTileRegisters = 2;  // of points they are compared with

template <class T>
class RowSearch {
 public:
  RowSearch(const PointRows<T>& rows, std::int64_t k)
      : rows_(rows),
        k_(k),
        padded_((rows.count + kTile - 1) / kTile * kTile),
        columns_(numbers_.take(padded_ * rows.width)),
        tile_(doubles_.take(kTileRows * padded_)),
        squared_(doubles_.take(padded_)),
        sorted_(doubles_.take(padded_)),
        absent_(doubles_.take(padded_)),
        places_(integers_.take(padded_)),
        sorted_places_(integers_.take(padded_)),
        own_numbers_(integers_.take(padded_)),
        pairs_(pair_space_.take(padded_)) {
    for (std::int64_t i = 0; i < padded_; ++i) {
      if (i >= rows.count || !is_present(i)) absent_[i] = __builtin_nan("");
    }
    for (std::int64_t i = 0; i < rows.count; ++i) {
      own_numbers_[i] = static_cast<std::int32_t>(i);
      present_ += is_present(i) ? 1 : 0;
      for (std::int64_t c = 0; c < rows.width; ++c) {
        columns_[c * padded_ + i] = rows.values[i * rows.width + c];
      }
    }
  }

  void operator()(std::int64_t first, std::int64_t last, std::int64_t* indices) {
    for (std::int64_t row = first; row < last; row += kTileRows) {
      fill_tile(row);
      for (std::int64_t i = row; i < last && i < row + kTileRows; ++i) {
        search(i, tile_ + (i - row) * padded_, indices + (i - first) * k_);
      }
    }
  }

 private:
  static constexpr int kTile = kTileRegisters * kWidth<T>;

  bool is_present(std::int64_t i) const { return rows_.present == nullptr || rows_.present[i]; }

  /// Squared distances of kTileRows points from `row` on to all points; the last point stands in
  /// for what is behind it.
  void fill_tile(std::int64_t row) {
    const T* query[kTileRows];
    for (int r = 0; r < kTileRows; ++r) {
      const std::int64_t i = row + r < rows_.count ? row + r : rows_.count - 1;
      query[r] = rows_.values + i * rows_.width;
    }
    for (std::int64_t j = 0; j < padded_; j += kTile) compare(query, j);
  }

  /// The same for the points [j, j + kTile).
  void compare(const T* const (&query)[kTileRows], std::int64_t j) {
    using V = Lanes<T>;
    V sum[kTileRows][kTileRegisters];
#pragma GCC unroll 4
    for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
      for (int i = 0; i < kTileRegisters; ++i) sum[r][i] = V{};
    }
    for (std::int64_t c = 0; c < rows_.width; ++c) {
      const T* column = columns_ + c * padded_ + j;
#pragma GCC unroll 4
      for (int r = 0; r < kTileRows; ++r) {
        const V q = splat<V>(query[r][c]);
#pragma GCC unroll 2
        for (int i = 0; i < kTileRegisters; ++i) {
          V x;
          std::memcpy(&x, column + i * kWidth<T>, sizeof x);
          sum[r][i] += (x - q) * (x - q);
        }
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kTileRows; ++r) {
      T values[kTile];
      std::memcpy(values, sum[r], sizeof values);
      double* to = tile_ + r * padded_ + j;
      for (int i = 0; i < kTile; ++i) to[i] = double(values[i]);
    }
  }

  /// What cannot be a neighbour becomes NaN, which no bound contains. Returns the range of the
  /// rest.
  Bracket exclude(std::int64_t self, double* squared) const {
    constexpr double kBelow = 1 - 1e-12;
    const Doubles farthest = splat<Doubles>(1.7976931348623157e308);
    const double self_absent = absent_[self];
    absent_[self] = __builtin_nan("");
    Doubles least = farthest, most{};
    for (std::int64_t j = 0; j < padded_; j += kWidth<double>) {
      const Doubles d = load(squared + j);
      const Doubles finite = (d <= farthest ? d : farthest) + load(absent_ + j);
      std::memcpy(squared + j, &finite, sizeof finite);
      least = smaller(finite, least);
      most = larger(finite, most);
    }
    absent_[self] = self_absent;
    double low = least[0], high = most[0];
    for (int lane = 1; lane < kWidth<double>; ++lane) {
      low = least[lane] < low ? least[lane] : low;
      high = most[lane] > high ? most[lane] : high;
    }
    return {low * kBelow, high, 0, present_ - 1};
  }

  void search(std::int64_t self, double* squared, std::int64_t* indices) {
    indices[0] = self;
    const std::int64_t known = !is_present(self) ? 1 : present_ < k_ ? present_ : k_;
    const std::int64_t others = known - 1;
    if (others > 0) {
      const Bracket all = exclude(self, squared);
      const double reach = narrowed(squared, padded_, others, all, kSteps).high;
      const Doubles reaches = splat<Doubles>(reach);
      Candidates found{squared_, places_, 0};
      for (std::int64_t j = 0; j < padded_; j += kWidth<double>) {
        append_within(load(squared + j), reaches, static_cast<std::int32_t>(j), found);
      }
      keep_nearest(found, others, own_numbers_, pairs_);
      sort_nearest(found, own_numbers_, pairs_, {sorted_, sorted_places_, others});
      for (std::int64_t i = 0; i < others; ++i) indices[1 + i] = sorted_places_[i];
    }
    for (std::int64_t i = known; i < k_; ++i) indices[i] = indices[i - known];
  }

  const PointRows<T>& rows_;
  std::int64_t k_, padded_, present_ = 0;
  Workspace<T> numbers_;
  Workspace<double> doubles_;
  Workspace<std::int32_t> integers_;
  Workspace<Pair> pair_space_;
  T* columns_;                 // [width, padded]
  double* tile_;               // [kTileRows, padded]
  double *squared_, *sorted_;  // [padded]
  double* absent_;             // [padded], zero, or NaN for what is no point
  std::int32_t *places_, *sorted_places_, *own_numbers_;  // [padded]
  Pair* pairs_;                                           // [padded]
};

template <class T>
void nearest_of_rows(const PointRows<T>& rows, std::int64_t first, std::int64_t last,
                     std::int64_t k, std::int64_t* indices) {
  if (first < last) RowSearch<T>(rows, k)(first, last, indices);
}

}  // namespace
}  // namespace equiframe::kernels::inline geometry

EQUIFRAME_KERNELS(NearestRowsKernels, {{&nearest_of_rows<float>}, {&nearest_of_rows<double>}});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline geometry {

template <class T>
void nearest_rows(const PointRows<T>& rows, std::int64_t first, std::int64_t last, std::int64_t k,
                  std::int64_t* indices) {
  Table<NearestRowsKernels>::chosen().of<T>().nearest_rows(rows, first, last, k, indices);
}

template void nearest_rows(const PointRows<float>&, std::int64_t, std::int64_t, std::int64_t,
                           std::int64_t*);
template void nearest_rows(const PointRows<double>&, std::int64_t, std::int64_t, std::int64_t,
                           std::int64_t*);

}  // namespace equiframe::kernels::inline geometry
#endif
