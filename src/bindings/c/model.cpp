#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>

#include <torch/types.h>

#include "bindings/c/status.h"
#include "equiframe/groups/field_type.h"
#include "equiframe/models/model_file.h"

namespace equiframe::inline bindings {
namespace {

/// d of the points and vectors of `type`, which take `channels` numbers; 0 if it has neither.
int64_t dimension(const std::string& type, int64_t channels) {
  if (type == "graph") return 0;
  const FieldType fields = FieldType::parse(type);
  if (fields.channels(1) == fields.channels(2)) return 0;  // scalars only
  int64_t dim = 1;
  while (fields.channels(dim) < channels) ++dim;
  return dim;
}

}  // namespace

/// A model file's network in the types it is asked for. The file's reference pair, which
/// `load_model` has computed again, shows the shapes.
class ModelHandle {
 public:
  explicit ModelHandle(const char* path) : loaded_(load_model(path)) {
    const Tensor& in = loaded_.reference_input.x;  // [B, N, C]
    const Tensor& out = loaded_.reference_output;  // [B, N, C'] or [B, C']
    const Signature& signature = loaded_.card.signature;
    if (in.dim() != 3 || (out.dim() != 3 && out.dim() != 2) || out.size(0) != in.size(0))
      throw UserError(c10::str("'", path, "' maps ", in.sizes(), " to ", out.sizes(),
                               ", expected [B, N, C] to [B, N, C'] or [B, C']"));
    info_ = {.struct_size = sizeof info_,
             .name = loaded_.card.architecture.name.c_str(),
             .group = signature.group.c_str(),
             .frame = signature.frame.c_str(),
             .input_type = signature.in.c_str(),
             .output_type = signature.out.c_str(),
             .dim = dimension(signature.in, in.size(2)),
             .channels_in = in.size(2),
             .channels_out = out.size(-1),
             .nodes = 0,
             .parameters = loaded_.card.parameters,
             .output_per_node = out.dim() == 3 ? 1 : 0,
             .needs_graph = signature.in == "graph" ? 1 : 0};
  }
  ModelHandle(const ModelHandle&) = delete;  // info_ points into loaded_
  ModelHandle& operator=(const ModelHandle&) = delete;

  const equiframe_model_info& info() const { return info_; }

  int64_t output_size(int64_t batch, int64_t nodes) const {
    numbers(batch, nodes, info_.channels_in);
    return numbers(batch, info_.output_per_node == 1 ? nodes : 1, info_.channels_out);
  }

  template <class T>
  void run(int64_t batch, int64_t nodes, const T* in, T* out) {
    const int64_t count = output_size(batch, nodes);
    if (info_.needs_graph == 1)
      throw UserError(c10::str("the model '", info_.name,
                               "' is for graphs and needs their edges; use 'equiframe predict' or "
                               "the C++ interface"));
    check_finite(in, nodes, numbers(batch, nodes, info_.channels_in));
    constexpr auto kType = c10::CppTypeToScalarType<T>::value;
    // from_blob knows no const; a copy also ends all questions of alignment.
    const Tensor x =
        torch::from_blob(const_cast<T*>(in), {batch, nodes, info_.channels_in}, kType).clone();
    const std::lock_guard<std::mutex> one_at_a_time(mutex_);
    const Tensor y = in_type(kType).forward(x).contiguous();
    TORCH_CHECK(y.numel() == count && y.scalar_type() == kType, "'", info_.name, "' gave ",
                y.sizes(), " of ", y.scalar_type(), ", expected ", count, " numbers of ", kType);
    if (!y.isfinite().all().template item<bool>())
      throw UserError(c10::str("the model '", info_.name,
                               "' gives no finite numbers for this input; bring the input to the "
                               "range it was trained on"));
    std::copy_n(y.template data_ptr<T>(), count, out);
  }

 private:
  /// How many an array [batch, nodes, channels] holds.
  static int64_t numbers(int64_t batch, int64_t nodes, int64_t channels) {
    if (batch < 1 || nodes < 1)
      throw UserError(c10::str("batch and nodes must be 1 or more, got ", batch, " and ", nodes));
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max() / int64_t{sizeof(double)};
    if (nodes > kMax / channels || batch > kMax / channels / nodes)
      throw UserError(c10::str(batch, " items of ", nodes,
                               " nodes are more than memory can hold; use smaller batches"));
    return batch * nodes * channels;
  }

  template <class T>
  void check_finite(const T* in, int64_t nodes, int64_t count) const {
    const T* const found =
        std::find_if(in, in + count, [](T value) { return !std::isfinite(value); });
    if (found == in + count) return;
    const int64_t at = found - in, node = at / info_.channels_in;
    throw UserError(c10::str("channel ", at % info_.channels_in, " of node ", node % nodes,
                             " of item ", node / nodes, " (counted from 0) is ", *found,
                             "; the input must be finite"));
  }

  /// The network with weights of `type`, converted at the first call.
  Model& in_type(c10::ScalarType type) {
    if (type == type_of(*loaded_.model)) return *loaded_.model;
    if (!converted_) {
      auto copy = build_model(loaded_.card.architecture, type);
      copy_weights(*loaded_.model, *copy);
      converted_ = std::move(copy);
    }
    return *converted_;
  }

  LoadedModel loaded_;
  std::shared_ptr<Model> converted_;  // in the other of the two types; null = not asked for yet
  equiframe_model_info info_{};
  std::mutex mutex_;
};

}  // namespace equiframe::inline bindings

struct equiframe_model {  // NOLINT(readability-identifier-naming): a name of C
  equiframe::bindings::ModelHandle handle;
};

using equiframe::UserError;
using equiframe::bindings::guarded;
using equiframe::bindings::require;

namespace {

template <class T>
int run(equiframe_model* model, int64_t batch, int64_t nodes, const T* in, T* out) {
  return guarded([&] {
    require(model, "model");
    require(in, "in");
    require(out, "out");
    model->handle.run(batch, nodes, in, out);
  });
}

}  // namespace

int equiframe_model_load(const char* path, equiframe_model** model) {
  return guarded([&] {
    require(model, "model");
    *model = nullptr;
    require(path, "path");
    *model = new equiframe_model{equiframe::bindings::ModelHandle(path)};
  });
}

void equiframe_model_free(equiframe_model* model) {
  delete model;
}

int equiframe_model_describe(const equiframe_model* model, equiframe_model_info* info) {
  return guarded([&] {
    require(model, "model");
    require(info, "info");
    const size_t size = info->struct_size;
    constexpr size_t kFirst = offsetof(equiframe_model_info, needs_graph) + sizeof(int32_t);
    if (size < kFirst)
      throw UserError(c10::str("struct_size is ", size, ", expected at least ", kFirst,
                               "; set it to sizeof(equiframe_model_info)"));
    std::memcpy(info, &model->handle.info(), std::min(size, sizeof *info));
    info->struct_size = size;
  });
}

int equiframe_model_output_size(const equiframe_model* model, int64_t batch, int64_t nodes,
                                int64_t* count) {
  return guarded([&] {
    require(model, "model");
    require(count, "count");
    *count = model->handle.output_size(batch, nodes);
  });
}

int equiframe_model_run_f32(equiframe_model* model, int64_t batch, int64_t nodes, const float* in,
                            float* out) {
  return run(model, batch, nodes, in, out);
}

int equiframe_model_run_f64(equiframe_model* model, int64_t batch, int64_t nodes, const double* in,
                            double* out) {
  return run(model, batch, nodes, in, out);
}
