#include "io/weights/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "io/bytes/atomic_file.h"
#include "io/bytes/checksum.h"
#include "io/bytes/input_file.h"
#include "io/weights/safetensors_header.h"

namespace equiframe::inline io {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestHeader = 100'000'000;  // the limit of the format's own reader
constexpr const char* kChecksum = "sha256";
static_assert(std::endian::native == std::endian::little, "the format is little-endian");

/// A file of this many arrays, laid out: wide types first so that every array is aligned.
struct Layout {
  SafeTensorsHeader header;
  std::vector<Tensor> data;
};

Layout lay_out(const SafeTensors& content) {
  std::vector<std::pair<std::string, Tensor>> sorted(content.tensors.begin(),
                                                     content.tensors.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.element_size() > b.second.element_size();
  });
  Layout result;
  uint64_t position = 0;
  for (const auto& [name, tensor] : sorted) {
    result.data.push_back(tensor.detach().cpu().contiguous());
    const uint64_t end = position + result.data.back().nbytes();
    result.header.arrays.push_back(
        {name, tensor.scalar_type(), tensor.sizes().vec(), position, end});
    position = end;
  }
  result.header.metadata = content.metadata;
  return result;
}

std::string checksum(const std::vector<Tensor>& data) {
  Sha256 sum;
  for (const Tensor& tensor : data) sum.update(tensor.data_ptr(), tensor.nbytes());
  return sum.hex();
}

void read_exactly(InputFile& in, void* bytes, size_t count) {
  if (!in.read(bytes, count)) throw std::runtime_error("it cannot be read to its end");
}

std::string read_header(InputFile& in, uint64_t file_bytes) {
  uint64_t length = 0;
  if (file_bytes < sizeof length) throw std::runtime_error("it is too short");
  read_exactly(in, &length, sizeof length);
  if (length > kLargestHeader) throw std::runtime_error("its header is impossibly long");
  if (length > file_bytes - sizeof length) throw std::runtime_error("its header is cut off");
  std::string text(length, '\0');
  read_exactly(in, text.data(), length);
  return text;
}

SafeTensors read(InputFile& in) {
  const auto file_bytes = static_cast<uint64_t>(in.size());
  const std::string text = read_header(in, file_bytes);
  const SafeTensorsHeader header = parse_header(text, file_bytes - sizeof(uint64_t) - text.size());
  SafeTensors content;
  std::vector<Tensor> data;
  for (const StoredArray& array : header.arrays) {
    const Tensor tensor = torch::empty(array.shape, array.type);
    read_exactly(in, tensor.data_ptr(), tensor.nbytes());
    content.tensors[array.name] = tensor;
    data.push_back(tensor);
  }
  content.metadata = header.metadata;
  const auto stated = content.metadata.find(kChecksum);
  if (stated != content.metadata.end() && stated->second != checksum(data))
    throw std::runtime_error("its data do not have the checksum they were written with");
  content.metadata.erase(kChecksum);
  return content;
}

}  // namespace

const Tensor& SafeTensors::at(const std::string& name, const fs::path& file) const {
  const auto found = tensors.find(name);
  if (found == tensors.end())
    throw UserError("'" + file.string() + "' has no array '" + name +
                    "'; it was written by another program or version");
  return found->second;
}

void save_safetensors(const fs::path& file, const SafeTensors& content) {
  Layout layout = lay_out(content);
  layout.header.metadata[kChecksum] = checksum(layout.data);
  const std::string header = to_text(layout.header);
  const uint64_t length = header.size();
  write_file_atomically(file, [&](const ByteSink& sink) {
    sink(&length, sizeof length);
    sink(header.data(), header.size());
    for (const Tensor& tensor : layout.data) sink(tensor.data_ptr(), tensor.nbytes());
  });
}

SafeTensors load_safetensors(const fs::path& file) {
  require_ordinary_file(file);
  InputFile in(file);
  try {
    return read(in);
  } catch (const UserError&) {
    throw;
  } catch (const std::runtime_error& reason) {
    throw UserError("'" + file.string() + "' is damaged or no .safetensors file: " + reason.what());
  }
}

}  // namespace equiframe::inline io
