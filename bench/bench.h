/// A table of speed ratios. Every bench/*.cpp adds its cases and all are linked into one program:
///
///     const bool kRegistered = bench::add("eigh3 float64", [] {
///       return bench::speedup("eigh3 float64, 1e5 matrices", 16, ours, reference);
///     });
///
/// Everything is one thread against one thread. Times are processor time of the calling thread,
/// the least of many runs taken in turns, so that a busy machine disturbs both sides alike.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace equiframe::bench {

enum class Goal {
  kSpeedup,  ///< ratio = reference / ours, to be at least the target
  kCost,     ///< ratio = ours / reference, to be at most the target
};

struct Row {
  std::string name;
  double ours = 0, reference = 0;  ///< seconds
  Goal goal = Goal::kSpeedup;
  double target = 1;

  double ratio() const { return goal == Goal::kSpeedup ? reference / ours : ours / reference; }
  bool ok() const { return goal == Goal::kSpeedup ? ratio() >= target : ratio() <= target; }
};

/// Processor time of one call.
double seconds(const std::function<void()>& work);

/// The row of two alternatives that do the same work.
Row speedup(std::string name, double target, const std::function<void()>& ours,
            const std::function<void()>& reference);
Row cost(std::string name, double target, const std::function<void()>& ours,
         const std::function<void()>& reference);

struct Case {
  std::string name;
  std::function<Row()> run;
};

/// All cases that were added, in no particular order.
std::vector<Case>& cases();

/// For namespace-scope registration; the value says nothing.
bool add(std::string name, std::function<Row()> run);

}  // namespace equiframe::bench
