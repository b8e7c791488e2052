#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <torch/csrc/jit/api/module.h>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

namespace equiframe::inline torchscript {

/// A TorchScript file: any scripted or traced module with a forward. Several threads may run one.
class EQUIFRAME_API ScriptModel {
 public:
  /// Throws UserError: a file that is missing, or that is no TorchScript.
  static ScriptModel load(const std::filesystem::path& file);
  explicit ScriptModel(torch::jit::Module module);

  struct Argument {
    std::string name;
    bool is_tensor = true;     ///< false: a number, string, list, ...
    bool has_default = false;  ///< may be left out, as optional tensors may
  };
  /// Of forward, without self.
  const std::vector<Argument>& arguments() const { return arguments_; }

  /// Runs forward without gradients, in `eval()`, in the type of the first floating tensor (the
  /// module is converted once for each type). An undefined tensor stands for None. The results, one
  /// or the parts of a tuple. What forward throws is a UserError with its own words, one line.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs) const;
  /// The same under autograd.
  std::vector<Tensor> run_with_gradients(const std::vector<Tensor>& inputs) const;

  /// Of the parameters; float32 if there are none.
  c10::ScalarType floating_type() const;

  const torch::jit::Module& module() const { return *module_; }

 private:
  struct Wide;

  std::shared_ptr<torch::jit::Module> module_;
  std::vector<Argument> arguments_;
  std::shared_ptr<Wide> wide_;  // the module in float64, made when first asked for
};

/// How one argument, or the result, of a forward transforms, as the user writes it:
///   x=point + 2 scalar   the argument named x; without a name, the next one in order
///   mask                 (of --mask) bool [B, N], true = a real node
///   untouched            passed through as it is
/// For S_n the types are set, node and pair.
struct TypedArgument {
  std::string name;  ///< empty = by position
  std::string type;  ///< "untouched" = passed through
  bool is_untouched() const { return type == "untouched"; }
};

/// "x=point + vector" or "point + vector". Throws UserError if nothing stands behind '='.
EQUIFRAME_API TypedArgument parse_typed_argument(const std::string& text);

/// What a forward takes and returns, the axes of its tensors, and the group they are typed for.
struct TypedCall {
  std::string group;               ///< "E(3)", "SE3", "S(7)" or "S_n"
  std::vector<TypedArgument> in;   ///< one for each argument that is not a mask
  std::vector<TypedArgument> out;  ///< one, or one for each part of a tuple
  std::string mask;                ///< the argument that is the mask; empty = none
  int64_t batch_axis = 0;          ///< of all typed tensors; -1 = inputs have none
  int64_t point_axis = 1;          ///< counted with the batch axis; -1 = one node, no such axis
};

}  // namespace equiframe::inline torchscript
