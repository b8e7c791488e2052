#include "torchscript/operators/named.h"

#include <mutex>
#include <unordered_map>
#include <utility>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/groups/any_group.h"

namespace equiframe::operators {
namespace {

/// What was made of each text; begins anew when a program invents texts without end.
template <class Value>
class Memo {
 public:
  template <class Make>
  std::shared_ptr<const Value> get(const std::string& key, Make&& make) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = known_.find(key);
      if (found != known_.end()) return found->second;
    }
    auto made = std::make_shared<const Value>(make());
    const std::lock_guard<std::mutex> lock(mutex_);
    if (known_.size() >= kMax) known_.clear();
    known_.emplace(key, made);
    return made;
  }

 private:
  static constexpr size_t kMax = 1024;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Value>> known_;
};

}  // namespace

CarriedGroup named_group(const std::string& group) {
  return std::visit(
      []<Group G>(const G& found) -> CarriedGroup {
        if constexpr (std::is_constructible_v<CarriedGroup, G>)
          return found;
        else
          throw UserError("operators serve T, O, SO, E, SE and S, not " + found.name() +
                          "; from C++ every group can be averaged over");
      },
      parse_group(group));
}

std::shared_ptr<const AnyAction> named_action(const std::string& group, const std::string& type) {
  static Memo<AnyAction> memo;
  return memo.get(group + '\n' + type, [&] {
    return std::visit(
        [&]<Group G>(const G& found) -> AnyAction {
          return NamedAction<G>{found, found.type(type)};
        },
        named_group(group));
  });
}

std::shared_ptr<const AnyFrame> named_frame(const std::string& group, const std::string& type,
                                            const std::string& frame) {
  static Memo<AnyFrame> memo;
  return memo.get(group + '\n' + type + '\n' + frame, [&] {
    return std::visit(
        [&]<Group G>(const G& found) -> AnyFrame {
          const auto in = found.type(type);
          return NamedFrame<G>{found, in, make_frame(frame, found, in)};
        },
        named_group(group));
  });
}

}  // namespace equiframe::operators
