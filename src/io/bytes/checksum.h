#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "equiframe/core/tensor.h"

struct evp_md_ctx_st;  // OpenSSL's

namespace equiframe::inline io {

/// SHA-256 of bytes that arrive piece by piece.
class Sha256 {
 public:
  Sha256();
  void update(const void* bytes, std::size_t count);
  /// 64 hexadecimal digits. Ends the computation: nothing may be added after it.
  std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256(std::string_view bytes);

/// Of the values in row-major order; neither shape nor type enters.
std::string sha256(const Tensor& values);

/// Throws UserError if the file cannot be read.
std::string sha256_file(const std::filesystem::path& path);

}  // namespace equiframe::inline io
