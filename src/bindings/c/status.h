// How what happens inside becomes a status of equiframe.h.
#pragma once

#include <string>

#include <ATen/core/grad_mode.h>

#include "equiframe.h"
#include "equiframe/core/error.h"

namespace equiframe::inline bindings {

/// The exception being handled as a status, its text for `equiframe_last_error`.
int caught() noexcept;
void forget_error() noexcept;
/// What comes before any work: OpenBLAS's kernel is set right at the first call of the process, if
/// no other threads run then.
void prepare();

/// The status of `body`, which may throw. Gradients are never recorded, and the caller's mode stays
/// as it is.
template <class Body>
int guarded(Body&& body) noexcept {
  try {
    const at::NoGradGuard no_grad;
    forget_error();
    prepare();
    body();
    return EQUIFRAME_OK;
  } catch (...) {
    return caught();
  }
}

/// Throws UserError if `pointer`, the argument called `name`, is NULL.
inline void require(const void* pointer, const char* name) {
  if (pointer == nullptr)
    throw UserError(std::string("the argument '") + name + "' is NULL; a pointer is needed");
}

}  // namespace equiframe::inline bindings
