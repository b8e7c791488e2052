#pragma once

#include <memory>
#include <string>

#include "equiframe/core/backbone.h"
#include "equiframe/core/options.h"
#include "equiframe/core/registry.h"
#include "equiframe/core/rng.h"
#include "equiframe/export.h"

namespace equiframe::inline models {

/// What goes into a model, what comes out, and the symmetry it promises in `eval()`, of every
/// input.
struct Signature {
  std::string group = "none";  ///< the largest group of "E(3)", "SE(3)", ... it is equivariant to
  std::string frame = "none";  ///< the frame it averages over, "none" for other constructions
  std::string in = "point + vector + scalar";  ///< type of the input's channels
  std::string out = "point";                   ///< type of the output's channels
  std::string average = "none";  ///< what a network on graphs takes the mean over the frame of
};

/// A complete network with a name: the rows of the result tables, and what a model file holds.
/// Its parameters are drawn from LibTorch's default generator when it is made. In `eval()`, several
/// threads may use one at the same time; docs/guides/threads.md.
class EQUIFRAME_API Model : public Backbone {
 public:
  static constexpr const char* kKind = "model";

  virtual Signature signature() const = 0;
  /// The batch with what the network computes of each item once and `forward` can use again, such
  /// as spectra or orders of nodes. `forward` takes batches with and without; data that are seen
  /// often are better prepared once.
  virtual Batch prepare(const Batch& batch) const { return batch; }
  /// Where randomness of the next training step comes from (frames that draw). Evaluation never
  /// depends on it.
  virtual void set_rng(const Rng& /*rng*/) {}
  /// What the training loss has added to it after a `forward` in training; undefined = nothing.
  virtual Tensor regularizer() const { return {}; }
};

/// The named models; plug-ins live in src/models/.
using Models = Registry<Model, Options>;

/// The model written `call`, e.g. "fa-gnn(width=60, frame=pca)".
EQUIFRAME_API std::unique_ptr<Model> make_model(const std::string& call);

EQUIFRAME_API int64_t parameter_count(const torch::nn::Module& module);

}  // namespace equiframe::inline models
