// From texts to groups, types and frames, once for each text: operators are called with the same
// few texts again and again.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "equiframe/frames/frame.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/groups/symmetric.h"

namespace equiframe::operators {

/// The groups whose elements the operators can carry.
using CarriedGroup = std::variant<EuclideanGroup, SymmetricGroup>;

template <Group G>
struct NamedAction {
  G group;
  typename G::Representation type;
};
using AnyAction = std::variant<NamedAction<EuclideanGroup>, NamedAction<SymmetricGroup>>;

template <Group G>
struct NamedFrame {
  G group;
  typename G::Representation type;
  std::shared_ptr<const Frame<G>> frame;
};
using AnyFrame = std::variant<NamedFrame<EuclideanGroup>, NamedFrame<SymmetricGroup>>;

/// All throw UserError for names that are not known, and are safe to call from several threads.
CarriedGroup named_group(const std::string& group);
std::shared_ptr<const AnyAction> named_action(const std::string& group, const std::string& type);
std::shared_ptr<const AnyFrame> named_frame(const std::string& group, const std::string& type,
                                            const std::string& frame);

}  // namespace equiframe::operators
