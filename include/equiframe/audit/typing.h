#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equiframe/groups/euclidean.h"
#include "equiframe/groups/symmetric.h"
#include "equiframe/torchscript/typed_call.h"

/// How the arguments and results of a model transform, in the one layout the audit works in:
/// the batch first, then the nodes, the channels last.
namespace equiframe::audit {

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

/// Group elements for the items of a batch, float64; an undefined part is the identity.
struct Motion {
  Tensor linear;       ///< [B, d, d]
  Tensor shift;        ///< [B, d]
  Tensor permutation;  ///< [B, N] int64, an element of SymmetricGroup
};

struct Typing {
  std::optional<EuclideanGroup> group;  ///< nothing = S_n alone
  std::vector<Slot> in;                 ///< in the order of the arguments, the mask among them
  std::vector<Slot> out;
  int64_t nodes = 0;  ///< n of S(n); 0 = any number

  bool is_euclidean() const { return group.has_value(); }
  int64_t dim() const { return group ? group->dim() : 0; }
  std::string name() const;
};

/// Throws UserError for a group the audit does not know or a type that is not one of the group.
/// For S_n a count before the type is its number of channels: "3 node".
Typing typing_of(const TypedCall& call);

/// rho(g) x and rho(g)^-1 x. Tensors of Euclidean types say by their axes whether they have nodes
/// to relabel, whatever the slot expects.
Tensor move(const Typing& typing, const Slot& slot, const Motion& g, const Tensor& x);
Tensor move_back(const Typing& typing, const Slot& slot, const Motion& g, const Tensor& x);
std::vector<Tensor> move(const Typing& typing, const Motion& g, const std::vector<Tensor>& inputs);

/// Element b of the batch, or those of `items` [M].
Motion select(const Motion& g, const Tensor& items);

}  // namespace equiframe::audit
