#pragma once

/// Plain C++20 on Linux, no LibTorch.
namespace equiframe::runtime {

/// Tells glibc to keep freed memory for the next request instead of giving it back to the kernel. A
/// training step allocates and frees the same tens of megabytes every time; without this a tenth of
/// its time goes into page faults. For programs, not for libraries: it holds for the whole process.
void keep_freed_memory();

}  // namespace equiframe::runtime
