#include "datasets/shapes/marching_tetrahedra.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <utility>

namespace equiframe::implicit {
namespace {

/// The six ways from one corner of a cell to the opposite one along its edges: each is a
/// tetrahedron, and neighbouring cells cut their common face alike. Corners are numbered by bits:
/// x = 1, y = 2, z = 4.
constexpr std::array<std::array<int, 4>, 6> kTetrahedra{
    {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

struct Corner {
  int64_t x = 0, y = 0, z = 0;
  Vector3 place{};
  double value = 0;
};

/// Nodes and cells are looked at in blocks of this many along each axis.
constexpr int64_t kBlock = 8;
/// Edges go from a node to one with larger coordinates: seven ways.
constexpr size_t kEdgesPerNode = 7;

class March {
 public:
  March(const ImplicitField& field, double reach, int64_t cells)
      : nodes_(cells + 1),
        blocks_((nodes_ + kBlock - 1) / kBlock),
        low_(-reach),
        step_(2 * reach / static_cast<double>(cells)) {
    values_.resize(static_cast<size_t>(nodes_ * nodes_ * nodes_));
    signs_.resize(static_cast<size_t>(blocks_ * blocks_ * blocks_));
    on_edge_.resize(signs_.size());
    for_blocks([&](int64_t x, int64_t y, int64_t z) { evaluate(field, x, y, z); });
  }

  FieldMesh run() {
    for_blocks([&](int64_t bx, int64_t by, int64_t bz) {
      if (is_plain(bx, by, bz)) return;
      for_nodes(bx, by, bz, [&](int64_t x, int64_t y, int64_t z) {
        if (std::max({x, y, z}) + 1 < nodes_) cell(x, y, z);
      });
    });
    return std::move(mesh_);
  }

 private:
  template <class Action>
  void for_blocks(const Action& action) const {
    for (int64_t z = 0; z < blocks_; ++z)
      for (int64_t y = 0; y < blocks_; ++y)
        for (int64_t x = 0; x < blocks_; ++x) action(x, y, z);
  }
  template <class Action>
  void for_nodes(int64_t bx, int64_t by, int64_t bz, const Action& action) const {
    const auto end = [&](int64_t block) { return std::min((block + 1) * kBlock, nodes_); };
    for (int64_t z = bz * kBlock; z < end(bz); ++z)
      for (int64_t y = by * kBlock; y < end(by); ++y)
        for (int64_t x = bx * kBlock; x < end(bx); ++x) action(x, y, z);
  }

  size_t node(int64_t x, int64_t y, int64_t z) const {
    return static_cast<size_t>((z * nodes_ + y) * nodes_ + x);
  }
  size_t block(int64_t x, int64_t y, int64_t z) const {
    return static_cast<size_t>((z * blocks_ + y) * blocks_ + x);
  }

  /// The values of a block of nodes; any of the right sign where it cannot meet the surface.
  void evaluate(const ImplicitField& field, int64_t bx, int64_t by, int64_t bz) {
    const double half = step_ * (kBlock - 1) / 2;
    const Vector3 centre = place(bx * kBlock, by * kBlock, bz * kBlock) + Vector3{half, half, half};
    const auto [low, high] = field.range(centre, std::numbers::sqrt3 * half);
    const int sign = low > 0 ? 1 : (high < 0 ? -1 : 0);
    signs_[block(bx, by, bz)] = sign;
    for_nodes(bx, by, bz, [&](int64_t x, int64_t y, int64_t z) {
      values_[node(x, y, z)] = sign != 0 ? sign : field.at(place(x, y, z)).value;
    });
  }

  /// Whether all nodes of the cells that begin in a block have one sign.
  bool is_plain(int64_t bx, int64_t by, int64_t bz) const {
    const int sign = signs_[block(bx, by, bz)];
    const auto next = [&](int64_t b, int step) { return std::min(b + step, blocks_ - 1); };
    for (int k = 1; k < 8; ++k)
      if (signs_[block(next(bx, k & 1), next(by, k >> 1 & 1), next(bz, k >> 2 & 1))] != sign)
        return false;
    return sign != 0;
  }

  Vector3 place(int64_t x, int64_t y, int64_t z) const {
    return {low_ + step_ * static_cast<double>(x), low_ + step_ * static_cast<double>(y),
            low_ + step_ * static_cast<double>(z)};
  }

  void cell(int64_t x, int64_t y, int64_t z) {
    std::array<Corner, 8> corners;
    int inside = 0;
    for (int k = 0; k < 8; ++k) {
      const int64_t i = x + (k & 1), j = y + (k >> 1 & 1), l = z + (k >> 2 & 1);
      Corner& corner = corners[static_cast<size_t>(k)];
      corner = {i, j, l, {}, values_[node(i, j, l)]};
      inside += corner.value < 0 ? 1 : 0;
    }
    if (inside == 0 || inside == 8) return;
    for (Corner& corner : corners) corner.place = place(corner.x, corner.y, corner.z);
    for (const auto& tetrahedron : kTetrahedra) cut(tetrahedron, corners);
  }

  /// The vertex on an edge, -1 if it has none yet. Few blocks have edges with vertices.
  int64_t& edge(const Corner& from, size_t way) {
    auto& edges = on_edge_[block(from.x / kBlock, from.y / kBlock, from.z / kBlock)];
    if (edges.empty()) edges.assign(kBlock * kBlock * kBlock * kEdgesPerNode, -1);
    const int64_t local = (from.z % kBlock * kBlock + from.y % kBlock) * kBlock + from.x % kBlock;
    return edges[static_cast<size_t>(local) * kEdgesPerNode + way];
  }

  /// The vertex where the field changes its sign between two corners of a cell.
  int64_t vertex(int a, int b, const std::array<Corner, 8>& corners) {
    if (a > b) std::swap(a, b);
    const Corner& from = corners[static_cast<size_t>(a)];
    const Corner& to = corners[static_cast<size_t>(b)];
    int64_t& known = edge(from, static_cast<size_t>((a ^ b) - 1));
    if (known < 0) {
      known = static_cast<int64_t>(mesh_.vertices.size());
      const double t = from.value / (from.value - to.value);
      mesh_.vertices.push_back(from.place + t * (to.place - from.place));
    }
    return known;
  }

  void cut(const std::array<int, 4>& tetrahedron, const std::array<Corner, 8>& corners) {
    std::array<int, 4> in{}, out{};
    size_t ins = 0, outs = 0;
    for (const int k : tetrahedron) {
      if (corners[static_cast<size_t>(k)].value < 0)
        in[ins++] = k;
      else
        out[outs++] = k;
    }
    if (ins == 0 || outs == 0) return;
    const Vector3 outward =
        corners[static_cast<size_t>(out[0])].place - corners[static_cast<size_t>(in[0])].place;
    const auto v = [&](int a, int b) { return vertex(a, b, corners); };
    if (ins == 1) {
      add({v(in[0], out[0]), v(in[0], out[1]), v(in[0], out[2])}, outward);
    } else if (outs == 1) {
      add({v(in[0], out[0]), v(in[1], out[0]), v(in[2], out[0])}, outward);
    } else {
      const int64_t a = v(in[0], out[0]), b = v(in[0], out[1]), c = v(in[1], out[1]),
                    d = v(in[1], out[0]);
      add({a, b, c}, outward);
      add({a, c, d}, outward);
    }
  }

  void add(std::array<int64_t, 3> triangle, const Vector3& outward) {
    const auto corner = [&](size_t k) { return mesh_.vertices[static_cast<size_t>(triangle[k])]; };
    const Vector3 normal = cross(corner(1) - corner(0), corner(2) - corner(0));
    if (dot(normal, outward) < 0) std::swap(triangle[1], triangle[2]);
    mesh_.triangles.push_back(triangle);
  }

  int64_t nodes_, blocks_;  // along each axis
  double low_, step_;
  std::vector<double> values_;
  std::vector<int> signs_;  // of the blocks whose nodes are known to have one sign, else 0
  std::vector<std::vector<int64_t>> on_edge_;  // of each block
  FieldMesh mesh_;
};

/// The number of the set an element is in, while sets are being joined.
int64_t root(std::vector<int64_t>& parent, int64_t element) {
  while (true) {
    int64_t& above = parent[static_cast<size_t>(element)];
    if (above == element) return element;
    above = parent[static_cast<size_t>(above)];  // halves the way for the next who asks
    element = above;
  }
}

}  // namespace

FieldMesh march(const ImplicitField& field, double reach, int64_t cells) {
  return March(field, reach, cells).run();
}

FieldMesh largest_piece(const FieldMesh& mesh) {
  std::vector<int64_t> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), int64_t{0});
  for (const auto& [a, b, c] : mesh.triangles) {
    parent[static_cast<size_t>(root(parent, b))] = root(parent, a);
    parent[static_cast<size_t>(root(parent, c))] = root(parent, a);
  }
  std::vector<int64_t> size(mesh.vertices.size(), 0);
  for (const auto& triangle : mesh.triangles)
    ++size[static_cast<size_t>(root(parent, triangle[0]))];
  const auto largest = std::max_element(size.begin(), size.end()) - size.begin();
  FieldMesh piece;
  std::vector<int64_t> renamed(mesh.vertices.size(), -1);
  for (const auto& triangle : mesh.triangles) {
    if (root(parent, triangle[0]) != largest) continue;
    std::array<int64_t, 3> corners{};
    for (size_t k = 0; k < 3; ++k) {
      int64_t& name = renamed[static_cast<size_t>(triangle[k])];
      if (name < 0) {
        name = static_cast<int64_t>(piece.vertices.size());
        piece.vertices.push_back(mesh.vertices[static_cast<size_t>(triangle[k])]);
      }
      corners[k] = name;
    }
    piece.triangles.push_back(corners);
  }
  return piece;
}

}  // namespace equiframe::implicit
