// Registers from and to records of several numbers: lane k holds a field of record k.
#pragma once

#include "simd/lanes.h"

namespace equiframe::kernels::inline simd {
namespace {

/// Lane k is value(k).
template <class V, class Value>
V lanes_from(const Value& value) {
  return [&]<int... kLane>(std::integer_sequence<int, kLane...>)->V {
    return V{value(kLane)...};
  }
  (std::make_integer_sequence<int, sizeof(V) / sizeof(Scalar<V>)>{});
}

/// Piece q of the result is read from `address(kFirst + q)`.
template <class V, int kFirst = 0, class Address>
V load_pieces(const Address& address) {
  if constexpr (sizeof(V) == 16) {
    V piece;
    std::memcpy(&piece, address(kFirst), 16);
    return piece;
  } else {
    constexpr int kHalf = sizeof(V) / 2;
    using Half = typename VectorOf<Scalar<V>, kHalf>::type;
    const Half low = load_pieces<Half, kFirst>(address);
    const Half high = load_pieces<Half, kFirst + kHalf / 16>(address);
    return [&]<int... kLane>(std::integer_sequence<int, kLane...>)->V {
      return __builtin_shufflevector(low, high, kLane...);
    }
    (std::make_integer_sequence<int, sizeof(V) / sizeof(Scalar<V>)>{});
  }
}

/// Piece q of `value` goes to `address(kFirst + q)`.
template <int kFirst = 0, class V, class Address>
void store_pieces(V value, const Address& address) {
  if constexpr (sizeof(V) == 16) {
    std::memcpy(address(kFirst), &value, 16);
  } else {
    constexpr int kHalf = sizeof(V) / sizeof(Scalar<V>) / 2;
    [&]<int... kLane>(std::integer_sequence<int, kLane...>) {
      store_pieces<kFirst>(__builtin_shufflevector(value, value, kLane...), address);
      store_pieces<kFirst + sizeof(V) / 32>(
          __builtin_shufflevector(value, value, (kLane + kHalf)...), address);
    }
    (std::make_integer_sequence<int, kHalf>{});
  }
}

/// In each piece: the first (kPart = 0) or last (kPart = 1) halves of a and b, interleaved.
template <int kPart, class V>
V interleave(V a, V b) {
  constexpr int kPiece = kQuad<Scalar<V>>;
  constexpr int kLanes = sizeof(V) / sizeof(Scalar<V>);
  constexpr auto kSource = [](int lane) {
    const int place = lane % kPiece;
    return lane - place + place / 2 + kPart * kPiece / 2 + (place % 2) * kLanes;
  };
  return [&]<int... kLane>(std::integer_sequence<int, kLane...>)->V {
    return __builtin_shufflevector(a, b, kSource(kLane)...);
  }
  (std::make_integer_sequence<int, kLanes>{});
}

/// Transposes the 2x2 (double) or 4x4 (float) block in every piece of the registers.
template <class V>
void transpose(V (&r)[2]) {
  const V a = r[0], b = r[1];
  r[0] = interleave<0>(a, b);
  r[1] = interleave<1>(a, b);
}

template <class V>
void transpose(V (&r)[4]) {
  using Wide = typename VectorOf<double, sizeof(V)>::type;
  const Wide a = (Wide)interleave<0>(r[0], r[1]), b = (Wide)interleave<1>(r[0], r[1]);
  const Wide c = (Wide)interleave<0>(r[2], r[3]), d = (Wide)interleave<1>(r[2], r[3]);
  r[0] = (V)interleave<0>(a, c);
  r[1] = (V)interleave<1>(a, c);
  r[2] = (V)interleave<0>(b, d);
  r[3] = (V)interleave<1>(b, d);
}

/// fields[j] lane k = source[k * kFields + j]: kWidth records of kFields numbers each.
template <int kFields, class T>
void load_records(const T* source, Lanes<T> (&fields)[kFields]) {
  constexpr int kQ = kQuad<T>;
  constexpr int kWhole = kFields - kFields % kQ;
  for (int j = 0; j < kWhole; j += kQ) {
    Lanes<T> block[kQ];
    for (int i = 0; i < kQ; ++i) {
      block[i] = load_pieces<Lanes<T>>([&](int q) { return source + (q * kQ + i) * kFields + j; });
    }
    transpose(block);
    for (int i = 0; i < kQ; ++i) fields[j + i] = block[i];
  }
  for (int j = kWhole; j < kFields; ++j) {
    fields[j] = lanes_from<Lanes<T>>([&](int k) { return source[k * kFields + j]; });
  }
}

/// The inverse of `load_records`.
template <int kFields, class T>
void store_records(const Lanes<T> (&fields)[kFields], T* target) {
  constexpr int kQ = kQuad<T>;
  constexpr int kWhole = kFields - kFields % kQ;
  for (int j = 0; j < kWhole; j += kQ) {
    Lanes<T> block[kQ];
    for (int i = 0; i < kQ; ++i) block[i] = fields[j + i];
    transpose(block);
    for (int i = 0; i < kQ; ++i) {
      store_pieces(block[i], [&](int q) { return target + (q * kQ + i) * kFields + j; });
    }
  }
  for (int j = kWhole; j < kFields; ++j) {
    for (int k = 0; k < kWidth<T>; ++k) target[k * kFields + j] = fields[j][k];
  }
}

}  // namespace
}  // namespace equiframe::kernels::inline simd
