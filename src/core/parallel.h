#pragma once

#include <cstdint>
#include <functional>

namespace equiframe::inline core {

/// f(part) for each part in [0, count), on as many threads as LibTorch has; f must write to places
/// of its own part only. If several parts throw, the first of them in order is what is thrown.
void for_each_part(int64_t count, const std::function<void(int64_t)>& f);

/// The same for `count` items, `together` of them to a part.
void for_each_item(int64_t count, int64_t together, const std::function<void(int64_t)>& f);

}  // namespace equiframe::inline core
