#include "frames/permutation/labelling/bounded_search.h"

#include <algorithm>
#include <csetjmp>
#include <mutex>
#include <vector>

#include <c10/util/StringUtil.h>
#include <nausparse.h>

#include "equiframe/core/error.h"
#include "frames/permutation/labelling/large_stack.h"

namespace equiframe::inline frames {
namespace {

/// In steps over one vertex of about 1.5 ns; to split off a cell costs as much as kCell of them.
constexpr double kMaxWork = 8e9, kCell = 200;
/// Even one refinement can take time of the order of the square.
constexpr int kMaxVertices = 200000;

struct Work {
  double left = kMaxWork;
  std::vector<int> cells;  // of the partition at each level of the search tree, the first is 1
  std::jmp_buf give_up;
};

/// nauty calls back without a user argument.
thread_local Work* search_work = nullptr;

extern "C" void count_node(graph* /*g*/, int* /*lab*/, int* /*ptn*/, int level, int cells,
                           int /*target*/, int /*code*/, int /*words*/, int vertices) {
  const int before = search_work->cells[static_cast<std::size_t>(level) - 1];
  search_work->cells[static_cast<std::size_t>(level)] = cells;
  search_work->left -= vertices + kCell * std::max(0, cells - before);
  // nauty is C and has no other way out that concerns one thread only.
  if (search_work->left < 0) std::longjmp(search_work->give_up, 1);
}

/// False if it gave up. No object with a destructor lives between here and `count_node`.
bool finishes(const std::function<void()>& search) {
  if (setjmp(search_work->give_up) != 0) return false;
  search();
  return true;
}

void run(int vertices, const std::function<void()>& search) {
#if !HAVE_TLS
  static std::mutex one_at_a_time;  // this nauty keeps its work space in globals
  const std::lock_guard lock(one_at_a_time);
#endif
  Work own;
  own.cells.assign(static_cast<std::size_t>(vertices) + 2, 0);
  search_work = &own;
  const bool finished = finishes(search);
  search_work = nullptr;
  if (!finished)
    throw UserError(c10::str("the symmetries of ", vertices,
                             " connected nodes take too long to find; leave the graph out, or give "
                             "its nodes types that tell more of them apart"));
}

/// The work space of a thread that ends.
void free_work_space() {
  nauty_freedyn();
  nautil_freedyn();
  naugraph_freedyn();
  nausparse_freedyn();
}

}  // namespace

void bounded_search(int vertices, optionblk& options, const std::function<void()>& search) {
  constexpr int kShallow = 1000;  // levels that fit on any stack
  if (vertices > kMaxVertices)
    throw UserError(c10::str("the graph has ", vertices,
                             " connected nodes when twins and trees are put together, at most ",
                             kMaxVertices, " are put in order; leave it out"));
  options.usernodeproc = count_node;
  if (vertices <= kShallow) return run(vertices, search);
  run_on_large_stack([&] {
    try {
      run(vertices, search);
    } catch (...) {
      free_work_space();
      throw;
    }
    free_work_space();
  });
}

}  // namespace equiframe::inline frames
