// Deep recursions of other people's code.
#pragma once

#include <functional>

namespace equiframe::inline frames {

/// f() on a thread of its own whose stack holds a quarter of a gigabyte, of which only what is used
/// takes memory. What f throws is thrown here.
void run_on_large_stack(const std::function<void()>& f);

}  // namespace equiframe::inline frames
