// A library of somebody else with the interface of equiframe.h: the vectors from the centre of a
// cloud to its points, "sound" or "biased".
#include <cstdint>
#include <cstring>
#include <string>

#include "equiframe.h"

struct equiframe_model {
  double bias = 0;
};

namespace {

thread_local std::string last_error;  // NOLINT: as the interface has it

template <class Number>
int run(const equiframe_model& model, int64_t batch, int64_t nodes, const Number* in, Number* out) {
  for (int64_t b = 0; b < batch; ++b) {
    const Number* x = in + 3 * nodes * b;
    Number* y = out + 3 * nodes * b;
    for (int64_t c = 0; c < 3; ++c) {
      Number centre = 0;
      for (int64_t n = 0; n < nodes; ++n) centre += x[3 * n + c] / static_cast<Number>(nodes);
      for (int64_t n = 0; n < nodes; ++n)
        y[3 * n + c] = x[3 * n + c] - centre + static_cast<Number>(c == 1 ? model.bias : 0);
    }
  }
  return EQUIFRAME_OK;
}

}  // namespace

extern "C" {

const char* equiframe_last_error(void) {
  return last_error.c_str();
}

int equiframe_model_load(const char* path, equiframe_model** model) {
  const std::string name = path;
  *model = nullptr;
  if (name != "sound" && name != "biased") {
    last_error = "the stranger knows 'sound' and 'biased' only";
    return EQUIFRAME_WRONG_INPUT;
  }
  *model = new equiframe_model{name == "biased" ? 0.4 : 0};
  return EQUIFRAME_OK;
}

void equiframe_model_free(equiframe_model* model) {
  delete model;
}

int equiframe_model_describe(const equiframe_model* /*model*/, equiframe_model_info* info) {
  equiframe_model_info known{};
  known.struct_size = info->struct_size;
  known.name = "stranger";
  known.group = "E(3)";
  known.frame = "none";
  known.input_type = "point";
  known.output_type = "vector";
  known.dim = known.channels_in = known.channels_out = 3;
  known.output_per_node = 1;
  *info = known;
  return EQUIFRAME_OK;
}

int equiframe_model_output_size(const equiframe_model* /*model*/, int64_t batch, int64_t nodes,
                                int64_t* count) {
  *count = 3 * batch * nodes;
  return EQUIFRAME_OK;
}

int equiframe_model_run_f32(equiframe_model* model, int64_t batch, int64_t nodes, const float* in,
                            float* out) {
  return run(*model, batch, nodes, in, out);
}

int equiframe_model_run_f64(equiframe_model* model, int64_t batch, int64_t nodes, const double* in,
                            double* out) {
  return run(*model, batch, nodes, in, out);
}

}  // extern "C"
