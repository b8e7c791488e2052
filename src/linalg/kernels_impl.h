// The table of all kernels as compiled for the instruction set of the including source.
#pragma once

#include "linalg/dispatch.h"
#include "linalg/pca_bases.h"
#include "linalg/pca_moments.h"
#include "linalg/symmetric_eigen_impl.h"

namespace equiframe::kernels::inline linalg {
namespace {

template <class T>
constexpr Kernels<T> kCompiledHere{&for_all<Eigh2, T>,     &for_all<Eigh3, T>,
                                   &moments<2, T>,         &moments<3, T>,
                                   &signed_bases_of<2, T>, &signed_bases_of<3, T>};

}  // namespace
}  // namespace equiframe::kernels::inline linalg
