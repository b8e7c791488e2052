#include "bench.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <time.h>

namespace equiframe::bench {
namespace {

constexpr int kTurn = 3;       // runs of one side in a row
constexpr int kMinRounds = 5;  // turns of each side, at least
constexpr double kBudget = 2;  // seconds of work after which no more are begun

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Runs in turns of kTurn, the first of which brings a side's data back into the cache.
void measure(Row& row, const std::function<void()>& ours, const std::function<void()>& reference) {
  row.ours = row.reference = std::numeric_limits<double>::infinity();
  double spent = 0;
  const auto turn = [&spent](const std::function<void()>& work, double& least) {
    for (int run = 0; run < kTurn; ++run) {
      const double once = seconds(work);
      least = std::min(least, once);
      spent += once;
    }
  };
  for (int round = 0; round < kMinRounds || spent < kBudget; ++round) {
    turn(ours, row.ours);
    turn(reference, row.reference);
  }
}

}  // namespace

double seconds(const std::function<void()>& work) {
  const double start = processor_time();
  work();
  return processor_time() - start;
}

double wall_seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double least_of(int calls, double (*clock)(const std::function<void()>&),
                const std::function<void()>& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int call = 0; call < calls; ++call) least = std::min(least, clock(work));
  return least;
}

Row speedup(std::string name, double target, const std::function<void()>& ours,
            const std::function<void()>& reference) {
  Row row{.name = std::move(name), .goal = Goal::kSpeedup, .target = target};
  measure(row, ours, reference);
  return row;
}

Row cost(std::string name, double target, const std::function<void()>& ours,
         const std::function<void()>& reference) {
  Row row{.name = std::move(name), .goal = Goal::kCost, .target = target};
  measure(row, ours, reference);
  return row;
}

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

bool add(std::string group, std::function<Row()> run) {
  cases().push_back({std::move(group), std::move(run)});
  return true;
}

}  // namespace equiframe::bench
