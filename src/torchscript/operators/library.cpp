// The operators by name. Autograd needs no formulas of its own: the kernels are made of
// differentiable parts, so the same function serves the CPU and, one layer above, autograd.
#include <torch/library.h>

#include "equiframe/core/error.h"
#include "torchscript/operators/operators.h"

namespace equiframe::operators {
namespace {

bool wants_gradient(const Tensor& part) {
  return part.requires_grad();
}
template <class Other>
bool wants_gradient(const Other& /*part*/) {
  return false;
}

/// `Function` for callers in other languages: a broken contract arrives as one sentence, without
/// the C++ stack that only a debugger wants.
template <auto Function>
struct Spoken;
template <class Result, class... Arguments, Result (*Function)(Arguments...)>
struct Spoken<Function> {
  static Result call(Arguments... arguments) {
    try {
      return Function(arguments...);
    } catch (const c10::Error& error) {
      throw UserError(error.what_without_backtrace());
    }
  }
  /// Where nobody asks for a gradient, the steps inside need not pass by autograd one by one.
  static Result call_with_autograd(Arguments... arguments) {
    if (at::GradMode::is_enabled() && (wants_gradient(arguments) || ...)) return call(arguments...);
    const at::AutoDispatchBelowADInplaceOrView below;
    return call(arguments...);
  }
};

TORCH_LIBRARY(equiframe, library) {
  library.def(
      "frame(Tensor x, Tensor? mask, str group, str type, str frame, int seed=0, int stream=0) -> "
      "(Tensor linear, Tensor shift, Tensor weights, Tensor margin, Tensor stratum)");
  library.def(
      "frame_rows(Tensor x, Tensor? mask, str group, str type, str frame, int seed=0, "
      "int stream=0) -> (Tensor linear, Tensor shift, Tensor weights, Tensor items)");
  library.def("act(Tensor x, Tensor linear, Tensor shift, str group, str type) -> Tensor");
  library.def("act_inverse(Tensor x, Tensor linear, Tensor shift, str group, str type) -> Tensor");
  library.def(
      "framed(Tensor x, Tensor linear, Tensor shift, Tensor items, str group, str type) -> Tensor");
  library.def(
      "combine(Tensor y, Tensor linear, Tensor shift, Tensor weights, Tensor items, int batch, "
      "str group, str type) -> Tensor");
  library.def("sample(str group, int count, int seed) -> (Tensor linear, Tensor shift)",
              &Spoken<&sample>::call);
  library.def("sample_reflections(int dim, int count, int seed) -> (Tensor linear, Tensor shift)",
              &Spoken<&sample_reflections>::call);
  library.def("relative_difference(Tensor a, Tensor b) -> float",
              &Spoken<&relative_difference>::call);
  library.def("describe(str group, str inputs, str outputs, str frame) -> int[]",
              &Spoken<&describe>::call);
  library.def(
      "use_fast_blas(bool overrule=False) -> (str outcome, str before, str after, str expected)",
      &Spoken<&use_fast_blas>::call);
  library.def("wrapped_with_operators(str path) -> Tensor", &Spoken<&wrapped_with_operators>::call);
  library.def(
      "normals(Tensor points, str method, int k, str orient, float[] viewpoint, str[] networks, "
      "int max_memory) -> (Tensor normals, Tensor confidence)",
      &Spoken<&normals>::call);
}

TORCH_LIBRARY_IMPL(equiframe, CPU, library) {
  library.impl("frame", &Spoken<&frame>::call);
  library.impl("frame_rows", &Spoken<&frame_rows>::call);
  library.impl("act", &Spoken<&act>::call);
  library.impl("act_inverse", &Spoken<&act_inverse>::call);
  library.impl("framed", &Spoken<&framed>::call);
  library.impl("combine", &Spoken<&combine>::call);
}
TORCH_LIBRARY_IMPL(equiframe, AutogradCPU, library) {
  library.impl("frame", &Spoken<&frame>::call_with_autograd);
  library.impl("frame_rows", &Spoken<&frame_rows>::call_with_autograd);
  library.impl("act", &Spoken<&act>::call_with_autograd);
  library.impl("act_inverse", &Spoken<&act_inverse>::call_with_autograd);
  library.impl("framed", &Spoken<&framed>::call_with_autograd);
  library.impl("combine", &Spoken<&combine>::call_with_autograd);
}

void implement_shapes(torch::Library& library) {
  library.impl("frame", &Spoken<&meta::frame>::call);
  library.impl("frame_rows", &Spoken<&meta::frame_rows>::call);
  library.impl("act", &Spoken<&meta::act>::call);
  library.impl("act_inverse", &Spoken<&meta::act>::call);
  library.impl("framed", &Spoken<&meta::framed>::call);
  library.impl("combine", &Spoken<&meta::combine>::call);
}

TORCH_LIBRARY_IMPL(equiframe, Meta, library) {
  implement_shapes(library);
}
// LibTorch 1.13 lets other keys of autograd fall through to the backend, but not this one.
TORCH_LIBRARY_IMPL(equiframe, AutogradMeta, library) {
  implement_shapes(library);
}

}  // namespace
}  // namespace equiframe::operators
