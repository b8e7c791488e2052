// Scratch memory, and weights as the products of multiply.h want them.
#pragma once

#include "simd/multiply.h"
#include "simd/workspace.h"

namespace equiframe::kernels::inline simd {
namespace {

/// Zeroed padded matrices that live as long as this.
template <class T>
class Scratch {
 public:
  Rows<T> take(std::int64_t rows, std::int64_t cols) {
    return {workspace_.take(rows * padded(cols)), padded(cols)};
  }
  std::vector<Rows<T>> take_several(std::int64_t count, std::int64_t rows, std::int64_t cols) {
    std::vector<Rows<T>> several;
    for (std::int64_t k = 0; k < count; ++k) several.push_back(take(rows, cols));
    return several;
  }

 private:
  Workspace<T> workspace_;
};

/// Columns first, first + step, ... of a row-major matrix.
struct Columns {
  std::int64_t row;  ///< numbers from one row to the next
  std::int64_t first = 0;
  std::int64_t step = 1;
};

/// to [cols, rows] = the columns of from [rows, ...], transposed.
template <class T>
void pack_transposed(const T* from, Columns columns, std::int64_t rows, std::int64_t cols,
                     Rows<T> to) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c)
      to.at(c)[r] = from[r * columns.row + columns.first + c * columns.step];
}

/// to [rows, cols] = the columns of from [rows, ...].
template <class T>
void pack(const T* from, Columns columns, std::int64_t rows, std::int64_t cols, Rows<T> to) {
  for (std::int64_t r = 0; r < rows; ++r, from += columns.row) {
    if (columns.step == 1) {
      std::memcpy(to.at(r), from + columns.first, static_cast<std::size_t>(cols) * sizeof(T));
      continue;
    }
    for (std::int64_t c = 0; c < cols; ++c) to.at(r)[c] = from[columns.first + c * columns.step];
  }
}

/// The reverse of `pack`, adding.
template <class T>
void unpack_add(Rows<T> from, std::int64_t rows, std::int64_t cols, T* to, Columns columns) {
  for (std::int64_t r = 0; r < rows; ++r, to += columns.row)
    for (std::int64_t c = 0; c < cols; ++c) to[columns.first + c * columns.step] += from.at(r)[c];
}

template <class T>
Rows<const T> read_only(Rows<T> rows) {
  return {rows.data, rows.row};
}

/// Columns of one row, lane by lane: f(offset).
template <class T, class F>
void for_lanes(std::int64_t cols, const F& f) {
  for (std::int64_t c = 0; c < cols; c += kWidth<T>) f(c);
}

/// sum += every row.
template <class T>
void add_rows(Rows<T> rows, std::int64_t count, std::int64_t cols, T* sum) {
  for_lanes<T>(cols, [&](std::int64_t c) {
    Lanes<T> total = load(sum + c);
    for (std::int64_t r = 0; r < count; ++r) total += load(rows.at(r) + c);
    store(sum + c, total);
  });
}

}  // namespace
}  // namespace equiframe::kernels::inline simd
