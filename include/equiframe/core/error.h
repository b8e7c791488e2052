#pragma once

#include <stdexcept>

#include "equiframe/export.h"

namespace equiframe::inline core {

/// Everything the world can get wrong: names, files, configuration, data. The text says what is
/// wrong, where, and what to do, in one sentence; the program prints it as one line and exits 2.
/// A contract broken by code is a `c10::Error` (TORCH_CHECK) instead.
class EQUIFRAME_API UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace equiframe::inline core
