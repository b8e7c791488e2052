#include "nn/layers/tape_memory.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <torch/types.h>

namespace equiframe::fused {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

/// Blocks that are not in use, the latest first. Beyond `kMaxBytes` the oldest are freed.
class Pool {
 public:
  Memory take(size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                      [=](const Block& block) { return block.bytes == bytes; });
      if (found != blocks_.end()) {
        Memory memory = std::move(found->memory);
        kept_ -= bytes;
        blocks_.erase(found);
        return memory;
      }
    }
    Memory memory(std::aligned_alloc(kLine, bytes));
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }

  /// Called by destructors: where there is no room to note the block, it is freed.
  void give_back(Memory memory, size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    try {
      blocks_.insert(blocks_.begin(), Block{std::move(memory), bytes});
    } catch (const std::bad_alloc&) {
      return;
    }
    kept_ += bytes;
    for (; kept_ > kMaxBytes; blocks_.pop_back()) kept_ -= blocks_.back().bytes;
  }

  static constexpr size_t kLine = 64;

 private:
  static constexpr size_t kMaxBytes = size_t{256} << 20;
  struct Block {
    Memory memory;
    size_t bytes;
  };
  std::mutex mutex_;
  std::vector<Block> blocks_;
  size_t kept_ = 0;
};

}  // namespace

Tensor take_tape(int64_t rows, int64_t cols, const Tensor& like) {
  static const auto pool = std::make_shared<Pool>();
  const auto needed = static_cast<size_t>(rows * cols) * like.element_size();
  const size_t bytes = (std::max<size_t>(needed, 1) + Pool::kLine - 1) / Pool::kLine * Pool::kLine;
  // The tensor keeps the pool alive: it may outlive this function's static.
  const std::shared_ptr<void> memory(
      pool->take(bytes).release(),
      [owner = pool, bytes](void* used) { owner->give_back(Memory(used), bytes); });
  return torch::from_blob(
      memory.get(), {rows, cols}, [memory](void*) {}, like.options().requires_grad(false));
}

}  // namespace equiframe::fused
