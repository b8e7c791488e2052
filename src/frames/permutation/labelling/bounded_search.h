// nauty, within bounds.
#pragma once

#include <functional>

#include <nauty.h>

namespace equiframe::inline frames {

/// Runs `search`, a call of nauty with `options` on a graph of `vertices` vertices, and throws
/// UserError once it has done more than about ten seconds' work: counted in nodes of the search
/// tree and in cells, not by a clock, so that the same graph is refused everywhere. Deep searches
/// get a large stack, and with it a thread of their own. Safe to call from several threads.
void bounded_search(int vertices, optionblk& options, const std::function<void()>& search);

}  // namespace equiframe::inline frames
