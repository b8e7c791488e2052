#pragma once

#include <optional>

/// A fault of old kernels of OpenBLAS, found in 0.3.21 ("Prescott", "Atom", "Barcelona", "Bobcat"):
/// one product of matrices with a NaN or an infinity, however small, and from then on `eigh` of
/// sound float32 matrices fails or returns NaN.
///
/// The product leaves its packed operands in a work buffer that lives as long as the process.
/// ssymv_ of a lower triangle copies its vector of n numbers to the start of the same buffer, reads
/// it back four at a time and, where n mod 4 is 2 or 3, multiplies what lies behind it by zero: 0
/// for any number, NaN for a NaN. LAPACK's ssyevd calls it with n - 1, so matrices of 3, 4, 7, 8,
/// 11, ... rows are hit. Nothing heals it but another product. float64 is not affected, nor are QR,
/// LU or singular values of either type.
namespace equiframe::runtime {

/// Whether the BLAS in use has the fault, found out by trying; the buffer is clean afterwards.
/// Nothing if the library does not show what it takes. Conditions as for sgemm_gflops.
std::optional<bool> has_nan_fault();

/// Overwrites what earlier products left in the buffers of the calling thread and of OpenBLAS's
/// workers, with finite products of under a millisecond. Does nothing where the kernel is of those
/// that are sound, which are all with AVX.
void clear_blas_buffers();

}  // namespace equiframe::runtime
