#pragma once

#include <string>
#include <string_view>

/// Names of OpenBLAS kernels, as OPENBLAS_CORETYPE and openblas_get_corename spell them.
namespace equiframe::runtime {

/// Vector registers a kernel uses, narrowest first. kUnknown: a name we have not heard of.
enum class KernelWidth { kUnknown, kSse, kAvx, kAvx2, kAvx512 };

/// Case does not matter: a build for one processor only says "HASWELL".
KernelWidth kernel_width(std::string_view core);

bool same_core(std::string_view a, std::string_view b);

/// The symbol of the kernel's table in an OpenBLAS with run-time choice, "gotoblas_SKYLAKEX".
std::string table_symbol(std::string_view core);

}  // namespace equiframe::runtime
