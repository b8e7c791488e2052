#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "frames/permutation/graph_input.h"

namespace equiframe::inline frames {

/// The values of a graph as bytes, short where it is sparse. Equal graphs, and only those, have
/// equal bytes; where padding sits does not matter.
std::string bytes_of(const Graph& graph);

/// What was computed of graphs, for when the same ones come again: training visits each graph
/// hundreds of times. Forgets everything when it outgrows `limit` bytes of graphs; 0 = keeps
/// nothing. Safe to use from several threads.
template <class Value>
class GraphMemo {
 public:
  explicit GraphMemo(size_t limit) : limit_(limit) {}

  bool keeps() const { return limit_ > 0; }

  std::optional<Value> find(const std::string& bytes) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = known_.find(bytes);
    return found == known_.end() ? std::nullopt : std::optional<Value>(found->second);
  }

  void keep(std::string bytes, const Value& value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (held_ + bytes.size() > limit_) {
      known_.clear();
      held_ = 0;
    }
    if (bytes.size() > limit_) return;
    held_ += bytes.size();
    known_.emplace(std::move(bytes), value);
  }

 private:
  size_t limit_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Value> known_;
  size_t held_ = 0;
};

}  // namespace equiframe::inline frames
