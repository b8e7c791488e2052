// What is done with each argument of a forward.
#pragma once

#include <string>
#include <vector>

#include "equiframe/torchscript/wrap.h"

namespace equiframe::inline torchscript {

struct PlannedArgument {
  enum class Role { kTyped, kMask, kUntouched };
  std::string name;         // of the wrapped forward and of its methods
  std::string declaration;  // "mask: Optional[Tensor] = None"
  Role role = Role::kUntouched;
  std::string type;  // of typed ones
  bool has_default = false;
};

struct CallPlan {
  std::vector<PlannedArgument> arguments;
  std::vector<std::string> out;  // types
  bool returns_tuple = false;

  const PlannedArgument* mask() const;
};

/// Throws UserError where the call does not fit forward.
CallPlan plan_call(const ScriptModel& model, const TypedCall& call);

/// Of a Euclidean group; 0 for others.
int64_t dimension_of(const std::string& group);

/// The axes of typed tensors of three axes, brought to [batch, point, channel] and back. Batchless
/// calls have tensors [point, channel].
class Axes {
 public:
  explicit Axes(const TypedCall& call);
  bool has_batch() const { return has_batch_; }
  /// Of a native tensor with points.
  int64_t channel_axis() const { return order_[2] - (has_batch_ ? 0 : 1); }
  /// Text of an expression for the rows [B, N, C] of tensor `x`.
  std::string rows(const std::string& x) const;
  /// Back again; without a batch axis for one row [N, C].
  std::string native(const std::string& x) const;

 private:
  bool has_batch_;
  int64_t order_[3];  // axis of the native tensor that is batch, point, channel
};

/// The forward of the wrapped module: `into_NAME`, `back_outK` and `frame` are methods of it.
struct ForwardText {
  std::string framed_by;  // the arguments of self.frame(...)
  std::vector<std::string>
      elements;  // "linear", "shift": what frame returns between items and weights
  int64_t draws = 0, train_draws = 0;
  int64_t max_bytes = 0;
  double bytes_per_number = 0;  // that one number of the first typed argument costs the backbone
};
std::string forward_source(const CallPlan& plan, const Axes& axes, const ForwardText& text);

}  // namespace equiframe::inline torchscript
