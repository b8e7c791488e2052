// Planar bipartite graphs, grown face by face.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace equiframe::inline datasets {

/// A uniform draw from [0, bound).
using Draw = std::function<int64_t(int64_t bound)>;

/// A connected plane graph in which every node has two neighbours or more and a colour, 0 or 1,
/// unlike theirs. Half-edge h runs from origin(h); h ^ 1 is the same edge from its other end, and
/// next(h) follows it around the face on its side.
class PlanarMap {
 public:
  /// An even cycle, into whose faces ears are drawn until there are `nodes` nodes, 4 or more.
  static PlanarMap random(int64_t nodes, const Draw& draw);

  int64_t nodes() const { return static_cast<int64_t>(colour_.size()); }
  int64_t edges() const { return static_cast<int64_t>(origin_.size()) / 2; }
  int64_t faces() const;
  int colour(int64_t node) const { return colour_[static_cast<size_t>(node)]; }
  /// The neighbours of a node in the order in which they lie around it.
  std::vector<int64_t> around(int64_t node) const;

 private:
  explicit PlanarMap(int64_t cycle);
  /// Tries an ear in a random face: a path between two of its corners, through `room` new nodes at
  /// most.
  void add_ear(int64_t room, const Draw& draw);
  bool adjacent(int64_t u, int64_t v) const;
  int64_t previous(int64_t h) const;
  /// A path of `inner` new nodes from the corner before `a` to the corner before `b`.
  void join(int64_t a, int64_t b, int64_t inner);

  std::vector<int> colour_;             // of nodes
  std::vector<int64_t> origin_, next_;  // of half-edges
  std::vector<int64_t> leaving_;        // a half-edge of each node
};

}  // namespace equiframe::inline datasets
