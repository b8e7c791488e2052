#include "runtime/memory.h"

#include <malloc.h>

namespace equiframe::runtime {

void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kLargestOnTheHeap = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargestOnTheHeap);
  mallopt(M_TRIM_THRESHOLD, kLargestOnTheHeap);
#endif
}

}  // namespace equiframe::runtime
