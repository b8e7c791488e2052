#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "equiframe/export.h"
#include "equiframe/torchscript/script_model.h"

namespace equiframe::inline torchscript {

struct WrapOptions {
  TypedCall call;
  /// pca, pca(degenerate=minimal), minimal, sampled(k=1, base=...); for S_n: sorted, sampled(k=1).
  std::string frame;        ///< empty = pca(degenerate=minimal), or sorted
  std::string train_frame;  ///< another one in train(); empty = the same
  int64_t max_bytes = 0;    ///< about what the framed copies may take at a time; 0 = no bound
  /// The frame by the library's operator equiframe::frame_rows: faster, and the file then needs
  /// libequiframe.so to be loaded (`import equiframe` in Python).
  bool operators = false;
  int64_t nodes = 16;  ///< of the probe
  int64_t items = 3;   ///< of the probe
  std::map<std::string, std::vector<int64_t>>
      shapes;                            ///< of probe arguments that are not [B, N, C]
  std::map<std::string, Tensor> inputs;  ///< probe arguments that cannot be random
};

/// A module averaged over frames, as plain TorchScript: nothing of Equiframe is needed to run it,
/// unless operators were asked for.
struct WrappedModel {
  ScriptModel model;
  std::string frame;          ///< as it was understood
  std::string source;         ///< the TorchScript around the backbone
  std::vector<Tensor> probe;  ///< arguments it was tried on, in the type of the model
  TypedCall call;             ///< with the names of all arguments, in the order of forward
  double bytes_per_number;    ///< that one number of the first typed argument cost the model
};

/// Throws UserError with one sentence: types that contradict the shapes of forward's tensors,
/// arguments nobody typed, a model that fails on the probe.
EQUIFRAME_API WrappedModel wrap(const ScriptModel& model, const WrapOptions& options);

/// Random arguments as the call types them: [items, nodes, C] unless `shapes` or `inputs` say
/// otherwise.
EQUIFRAME_API std::vector<Tensor> probe_arguments(const ScriptModel& model,
                                                  const WrapOptions& options, c10::ScalarType type,
                                                  uint64_t seed);

/// The name of the file in the archive that holds the card, JSON, and of the attribute of the
/// module that has the same text and survives saving again.
inline constexpr const char* kWrapCard = "equiframe.json";
inline constexpr const char* kCardAttribute = "card";

/// The bytes of a TorchScript file with `files` in it, whatever the locale of the program.
EQUIFRAME_API std::string script_archive(
    const torch::jit::Module& module,
    const std::unordered_map<std::string, std::string>& files = {});
EQUIFRAME_API void save_script(const std::filesystem::path& file, const ScriptModel& model,
                               const std::string& card);
/// Empty if the file has none.
EQUIFRAME_API std::string load_script_card(const std::filesystem::path& file);
/// How a file was wrapped, from its card; nothing if it has none.
EQUIFRAME_API std::optional<WrapOptions> load_wrap_options(const std::filesystem::path& file);

/// A file that `equiframe wrap` wrote, with its frames by the operators of this library: the same
/// answers within rounding, sooner. For S_n, which has no such operator, as it is.
EQUIFRAME_API ScriptModel load_with_operators(const std::filesystem::path& file);

}  // namespace equiframe::inline torchscript
