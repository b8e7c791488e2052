#include "io/bytes/checksum.h"

#include <array>
#include <vector>

#include <ATen/ATen.h>
#include <openssl/evp.h>

#include "io/bytes/input_file.h"

namespace equiframe::inline io {

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  TORCH_CHECK(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1,
              "Sha256: OpenSSL has no SHA-256");
}

void Sha256::update(const void* bytes, std::size_t count) {
  TORCH_CHECK(context_ && EVP_DigestUpdate(context_.get(), bytes, count) == 1,
              "Sha256: update after hex()");
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  TORCH_CHECK(context_ && EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1,
              "Sha256: hex() twice");
  context_.reset();
  std::string text;
  for (const unsigned char byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes.data(), bytes.size());
  return hash.hex();
}

std::string sha256(const Tensor& values) {
  const Tensor rows = values.detach().cpu().contiguous();
  Sha256 hash;
  hash.update(rows.data_ptr(), rows.nbytes());
  return hash.hex();
}

std::string sha256_file(const std::filesystem::path& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  InputFile file(path);
  std::vector<char> piece(kPiece);
  Sha256 hash;
  while (const std::size_t count = file.read_some(piece.data(), kPiece)) {
    hash.update(piece.data(), count);
  }
  return hash.hex();
}

}  // namespace equiframe::inline io
