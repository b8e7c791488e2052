// The table of all kernels as compiled for the instruction set of the including source.
#pragma once

#include "dispatch.h"
#include "pca_bases.h"
#include "pca_moments.h"
#include "symmetric_eigen_impl.h"

namespace equiframe::kernels {
namespace {

template <class T>
constexpr Kernels<T> kCompiledHere{&for_all<Eigh2, T>,     &for_all<Eigh3, T>,
                                   &moments<2, T>,         &moments<3, T>,
                                   &signed_bases_of<2, T>, &signed_bases_of<3, T>};

}  // namespace
}  // namespace equiframe::kernels
