#pragma once

#include <functional>
#include <utility>

namespace equiframe::runtime {

/// Holds a thread count at one and puts it back.
class OneThread {
 public:
  OneThread(int before, std::function<void(int)> set) : before_(before), set_(std::move(set)) {
    if (before_ > 1) set_(1);
  }
  ~OneThread() {
    if (before_ > 1) set_(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
  std::function<void(int)> set_;
};

}  // namespace equiframe::runtime
