#include "equiframe/io/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "io/arrays/npy_header.h"
#include "io/bytes/atomic_file.h"
#include "io/bytes/input_file.h"

namespace equiframe::inline io {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

/// numpy's letter and size; one-byte types have '|' for the byte order, others '<'.
constexpr std::array<std::pair<const char*, at::ScalarType>, 9> kNpyTypes{{{"<f8", at::kDouble},
                                                                           {"<f4", at::kFloat},
                                                                           {"<f2", at::kHalf},
                                                                           {"<i8", at::kLong},
                                                                           {"<i4", at::kInt},
                                                                           {"<i2", at::kShort},
                                                                           {"|i1", at::kChar},
                                                                           {"|u1", at::kByte},
                                                                           {"|b1", at::kBool}}};

at::ScalarType type_of(const std::string& descr, const std::string& file) {
  if (descr.ends_with("O"))
    throw UserError("'" + file + "' holds Python objects (dtype '" + descr +
                    "'), expected numbers; save it again as array.astype('float64')");
  for (const auto& [known, type] : kNpyTypes) {
    const std::string_view name = known;
    if (descr == name ||
        (descr.size() == 3 && descr[0] == '=' && descr.substr(1) == name.substr(1)))
      return type;
  }
  throw UserError("'" + file + "' holds numbers of dtype '" + descr +
                  "', expected little-endian float, integer or bool (such as '<f8'); save it again "
                  "as array.astype('<f8')");
}

std::string shown(const std::vector<int64_t>& shape) {
  return c10::str(at::IntArrayRef(shape));
}

/// Bytes of all numbers; refuses a product that no file can have.
int64_t byte_count(const NpyHeader& header, at::ScalarType type, const std::string& file) {
  int64_t bytes = static_cast<int64_t>(at::elementSize(type));
  const bool empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  for (const int64_t length : header.shape) {
    if (!empty && __builtin_mul_overflow(bytes, length, &bytes))
      throw UserError("the header of '" + file + "' is damaged: no array has the shape " +
                      shown(header.shape) + "; write the array again with numpy.save");
  }
  return empty ? 0 : bytes;
}

/// Reads up to the first number; the file then stands there.
NpyHeader read_header(InputFile& file, const std::string& name) {
  std::array<unsigned char, 8> magic{};
  if (!file.read(magic.data(), magic.size()) ||
      std::string_view(reinterpret_cast<const char*>(magic.data()), 6) != "\x93NUMPY")
    throw UserError("'" + name + "' is not a .npy file: expected the mark that numpy.save writes " +
                    "at its start" + (file.size() == 0 ? ", found an empty file" : ""));
  const int version = magic[6];
  if (version < 1 || version > 3)
    throw UserError("'" + name + "' is in version " + std::to_string(version) +
                    " of the .npy format, expected 1, 2 or 3; save it with another numpy");
  std::array<unsigned char, 4> length_bytes{};
  const size_t length_size = version == 1 ? 2 : 4;
  bool whole = file.read(length_bytes.data(), length_size);
  size_t length = 0;
  for (size_t k = length_size; k-- > 0;) length = length << 8 | length_bytes[k];
  whole = whole && static_cast<int64_t>(length) <= file.remaining();
  std::string text(whole ? length : 0, '\0');
  if (!whole || !file.read(text.data(), length))
    throw UserError("'" + name + "' is cut short: expected a header of " + std::to_string(length) +
                    " bytes, the file has " + std::to_string(file.size()) + " in all");
  return parse_npy_header(text, name);
}

}  // namespace

Tensor read_npy(const fs::path& path) {
  const std::string name = path.string();
  InputFile file(path);
  const NpyHeader header = read_header(file, name);
  const at::ScalarType type = type_of(header.descr, name);
  const int64_t expected = byte_count(header, type, name), found = file.remaining();
  if (expected != found)
    throw UserError("'" + name + "' is " + (found < expected ? "cut short" : "too long") +
                    ": expected " + std::to_string(expected) + " bytes for " + header.descr +
                    " numbers of shape " + shown(header.shape) + ", found " +
                    std::to_string(found) + "; copy or generate it again");
  std::vector<int64_t> stored = header.shape;  // slowest axis first
  if (header.fortran_order) std::reverse(stored.begin(), stored.end());
  Tensor values = at::empty(stored, at::TensorOptions(type));
  if (!file.read(values.data_ptr(), static_cast<size_t>(expected)))
    throw UserError("'" + name + "' became shorter while it was read; read it again");
  if (!header.fortran_order || stored.size() < 2) return values;
  std::vector<int64_t> axes(stored.size());
  for (size_t k = 0; k < axes.size(); ++k) axes[k] = static_cast<int64_t>(axes.size() - 1 - k);
  return values.permute(axes).contiguous();
}

Tensor read_npy(const fs::path& path, at::ScalarType expected) {
  Tensor values = read_npy(path);
  if (values.scalar_type() != expected)
    throw UserError(c10::str("'", path.string(), "' holds ", values.scalar_type(),
                             " numbers, expected ", expected, "; convert it with array.astype"));
  return values;
}

void write_npy(const fs::path& path, const Tensor& values) {
  const auto known = std::find_if(kNpyTypes.begin(), kNpyTypes.end(), [&](const auto& entry) {
    return entry.second == values.scalar_type();
  });
  TORCH_CHECK(known != kNpyTypes.end(), "write_npy: no numpy type for ", values.scalar_type());
  const Tensor rows = values.detach().cpu().contiguous();
  const std::string preamble = npy_preamble({known->first, false, rows.sizes().vec()});
  write_file_atomically(path, [&](const ByteSink& sink) {
    sink(preamble.data(), preamble.size());
    sink(rows.data_ptr(), rows.nbytes());
  });
}

}  // namespace equiframe::inline io
