// The numbers that files are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <ATen/core/Tensor.h>

namespace equiframe::inline io {

enum class NumberType : uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat32,
  kFloat64
};

/// f(std::type_identity<T>) for the C++ type T of `type`.
template <class F>
decltype(auto) with_number_type(NumberType type, F&& f) {
  switch (type) {
    case NumberType::kInt8:
      return f(std::type_identity<int8_t>());
    case NumberType::kUint8:
      return f(std::type_identity<uint8_t>());
    case NumberType::kInt16:
      return f(std::type_identity<int16_t>());
    case NumberType::kUint16:
      return f(std::type_identity<uint16_t>());
    case NumberType::kInt32:
      return f(std::type_identity<int32_t>());
    case NumberType::kUint32:
      return f(std::type_identity<uint32_t>());
    case NumberType::kInt64:
      return f(std::type_identity<int64_t>());
    case NumberType::kUint64:
      return f(std::type_identity<uint64_t>());
    case NumberType::kFloat32:
      return f(std::type_identity<float>());
    default:
      return f(std::type_identity<double>());
  }
}

/// The same for the types that the columns of a cloud can have.
template <class F>
decltype(auto) with_column_type(at::ScalarType type, F&& f) {
  switch (type) {
    case at::kByte:
      return f(std::type_identity<uint8_t>());
    case at::kInt:
      return f(std::type_identity<int32_t>());
    case at::kLong:
      return f(std::type_identity<int64_t>());
    case at::kFloat:
      return f(std::type_identity<float>());
    default:
      return f(std::type_identity<double>());
  }
}

inline std::size_t byte_size(NumberType type) {
  return with_number_type(type, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

/// The type of a column that holds all values of `type`, those of uint64 up to 2^63.
inline at::ScalarType column_type(NumberType type) {
  switch (type) {
    case NumberType::kUint8:
      return at::kByte;
    case NumberType::kInt8:
    case NumberType::kInt16:
    case NumberType::kUint16:
    case NumberType::kInt32:
      return at::kInt;
    case NumberType::kUint32:
    case NumberType::kInt64:
    case NumberType::kUint64:
      return at::kLong;
    case NumberType::kFloat32:
      return at::kFloat;
    default:
      return at::kDouble;
  }
}

/// The number at an address of any alignment.
template <class T>
T load_number(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace equiframe::inline io
