/// A table of speed ratios, `equiframe bench`. Every bench/*.cpp adds its cases:
///
///     const bool kRegistered = bench::add("kernels", [] {
///       return bench::speedup("eigh3 float64, 1e5 matrices", 16, ours, reference);
///     });
///
/// Everything is one thread against one thread. Times are processor time of the calling thread,
/// the least of many runs taken in turns, so that a busy machine disturbs both sides alike.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace equiframe::bench {

enum class Goal {
  kSpeedup,  ///< ratio = reference / ours, to be at least the target
  kCost,     ///< ratio = ours / reference, to be at most the target
};

/// Seconds over the size of a problem.
struct Curve {
  std::string name;
  std::vector<double> size, seconds;
};

struct Row {
  std::string name;
  double ours = 0, reference = 0;  ///< seconds
  Goal goal = Goal::kSpeedup;
  double target = 1;
  std::map<std::string, double> facts = {};  ///< other figures of the same run, units in the name
  std::vector<Curve> curves = {};            ///< for `--plot`

  double ratio() const { return goal == Goal::kSpeedup ? reference / ours : ours / reference; }
  bool ok() const { return goal == Goal::kSpeedup ? ratio() >= target : ratio() <= target; }
};

/// Processor time of one call of the calling thread, and wall time for work on several threads.
double seconds(const std::function<void()>& work);
double wall_seconds(const std::function<void()>& work);

/// The least of several calls.
double least_of(int calls, double (*clock)(const std::function<void()>&),
                const std::function<void()>& work);

/// The row of two alternatives that do the same work.
Row speedup(std::string name, double target, const std::function<void()>& ours,
            const std::function<void()>& reference);
Row cost(std::string name, double target, const std::function<void()>& ours,
         const std::function<void()>& reference);

struct Case {
  std::string group;  ///< what `equiframe bench GROUP` selects
  std::function<Row()> run;
};

/// All cases that were added, in no particular order.
std::vector<Case>& cases();

/// For namespace-scope registration; the value says nothing.
bool add(std::string group, std::function<Row()> run);

}  // namespace equiframe::bench
