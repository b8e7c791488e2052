#pragma once

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

namespace equiframe::test_support {

inline constexpr int kThreads = 8;

/// f(0), f(1), ... f(kThreads - 1), each on a thread of its own, at the same time.
inline void at_once(const std::function<void(int)>& f) {
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      f(t);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace equiframe::test_support
