#include <cstring>

#include <torch/script.h>

#include "equiframe/torchscript/wrap.h"
#include "torchscript/operators/operators.h"

namespace equiframe::operators {

Tensor wrapped_with_operators(const std::string& path) {
  const std::string bytes = script_archive(load_with_operators(path).module());
  const Tensor result = torch::empty({static_cast<int64_t>(bytes.size())}, torch::kUInt8);  // [n]
  std::memcpy(result.data_ptr<uint8_t>(), bytes.data(), bytes.size());
  return result;
}

}  // namespace equiframe::operators
