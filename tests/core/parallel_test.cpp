#include "core/parallel.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace equiframe {
namespace {

class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  ~Threads() { at::set_num_threads(before_); }

 private:
  int before_;
};

TEST(Parallel, DoesEveryPartOnce) {
  const Threads threads(3);
  for (const int64_t count : {0, 1, 2, 7, 100}) {
    std::vector<std::atomic<int>> done(static_cast<size_t>(count));
    for_each_part(count, [&](int64_t part) { ++done[static_cast<size_t>(part)]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(Parallel, RunsPartsAtTheSameTime) {
  const Threads threads(2);
  std::atomic<int> arrived = 0, met = 0;
  for_each_part(2, [&](int64_t) {
    ++arrived;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (arrived < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    if (arrived == 2) ++met;
  });
  EXPECT_EQ(met, 2) << "the second part waited for the first to end";
}

TEST(Parallel, ThrowsWhatTheFirstPartInOrderThrew) {
  const Threads threads(2);
  for (int round = 0; round < 20; ++round) {
    std::string said;
    try {
      for_each_part(8, [](int64_t part) {
        if (part >= 3) throw std::runtime_error(std::to_string(part));
      });
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    EXPECT_EQ(said, "3");
  }
}

}  // namespace
}  // namespace equiframe
