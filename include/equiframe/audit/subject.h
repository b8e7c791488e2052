#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equiframe/export.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/torchscript/script_model.h"

namespace equiframe::audit {

// How the arguments and results of a model transform, in the one layout the audit works in: the
// batch first, then the nodes, the channels last.

enum class Layout {
  kSet,        ///< [B, C]
  kNode,       ///< [B, N, C]
  kPair,       ///< [B, N, N, C]
  kMask,       ///< [B, N] bool, true = a real node
  kUntouched,  ///< passed as it is to every call, `Slot::given`
};

struct Slot {
  std::string name;  ///< of an argument; empty = by position
  Layout layout = Layout::kNode;
  FieldType field;        ///< of the channels; for S_n without fields
  int64_t channels = 1;   ///< 0 = whatever comes (results of S_n)
  std::string text = {};  ///< the type as it was written
  Tensor given = {};      ///< what an untouched argument gets in each call; undefined = its default
};

struct EQUIFRAME_API Typing {
  std::optional<EuclideanGroup> group;  ///< nothing = S_n alone
  std::vector<Slot> in;                 ///< in the order of the arguments, the mask among them
  std::vector<Slot> out;
  int64_t nodes = 0;  ///< n of S(n); 0 = any number

  bool is_euclidean() const { return group.has_value(); }
  int64_t dim() const { return group ? group->dim() : 0; }
  std::string name() const;
};

/// What is audited: a map of tensors that says how it transforms. The public functions speak the
/// layout of `Typing`; the axes of the model are the business of this class.
class EQUIFRAME_API Subject {
 public:
  Subject(std::string name, std::string kind, TypedCall call);
  virtual ~Subject() = default;

  const std::string& name() const { return name_; }  ///< of the file
  const std::string& kind() const { return kind_; }  ///< "TorchScript", "model file", ...
  const Typing& typing() const { return typing_; }
  const TypedCall& call() const { return call_; }

  /// The results for inputs in float32 or float64, each [B, ...] in that type, no gradients. An
  /// undefined tensor stands for an argument left out. Throws UserError if the model fails, with
  /// its own words, or if the results do not fit their types.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs) const;

  /// Whether `run_with_gradient` is there.
  virtual bool has_gradient() const { return false; }
  /// The same in float64 with the autograd graph of the inputs.
  std::vector<Tensor> run_with_gradient(const std::vector<Tensor>& inputs) const;

  /// Inputs that came with the model or were given by the user, float64 in the layout of the audit,
  /// one for each argument; undefined = none for this one, empty = none at all. Those of untouched
  /// arguments go to the typing.
  const std::vector<Tensor>& example() const { return example_; }
  void set_example(std::vector<Tensor> inputs);
  /// An argument as the model takes it, with axes such as [B, C, N], as `set_example` takes it:
  /// real numbers in float64, and what is not untouched in the layout of the audit.
  Tensor to_example(const Slot& slot, const Tensor& own) const;

 protected:
  enum class Gradient { kNone, kThroughInputs };

 private:
  /// In the model's own axes.
  virtual std::vector<Tensor> evaluate(const std::vector<Tensor>& inputs,
                                       Gradient gradient) const = 0;
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, Gradient gradient) const;
  std::vector<Tensor> run_batch(const std::vector<Tensor>& inputs, Gradient gradient) const;
  std::vector<Tensor> run_item_by_item(const std::vector<Tensor>& inputs, Gradient gradient) const;

  std::string name_;
  std::string kind_;
  TypedCall call_;
  Typing typing_;
  std::vector<Tensor> example_;
};

/// Any TorchScript module, with the types the user names.
EQUIFRAME_API std::unique_ptr<Subject> script_subject(const ScriptModel& model,
                                                      const TypedCall& call,
                                                      const std::string& name = "model");

/// A .safetensors model of ours; its card has the types. A non-empty group replaces the card's.
EQUIFRAME_API std::unique_ptr<Subject> model_subject(const std::filesystem::path& file,
                                                     const std::string& group = "");

/// A shared library with the C interface of equiframe.h, and the file it shall load ("" = none).
/// What `call` leaves open is asked of the library.
EQUIFRAME_API std::unique_ptr<Subject> library_subject(const std::filesystem::path& library,
                                                       const std::string& model_file,
                                                       const TypedCall& call);

/// Whichever of the three `model` is: MODEL.pt, MODEL.safetensors, LIB.so or LIB.so:MODELFILE.
EQUIFRAME_API std::unique_ptr<Subject> open_subject(const std::string& model,
                                                    const TypedCall& call);

}  // namespace equiframe::audit
