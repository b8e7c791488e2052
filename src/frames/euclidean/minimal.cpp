#include <cmath>
#include <limits>
#include <stdexcept>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "frames/euclidean/cloud.h"
#include "frames/euclidean/minimal_search.h"
#include "frames/euclidean/signature_waves.h"
#include "frames/euclidean/tolerances.h"

namespace equiframe::inline frames {
namespace {

using Kind = FieldType::Kind;

/// One item in float64: its framing centre, its visible nodes, and their weights.
struct Item {
  Tensor x;        // [n, C], masked nodes removed
  Tensor weights;  // [n], summing to one
  Tensor centre;   // [d]
};

/// The smallest equivariant frame that does not depend on the order of the points: F(X) is one
/// coset Sym(X) Q, where Sym(X) is the symmetry group of the attributed point set. Bases Q come
/// from tuples of the points themselves (Gram-Schmidt); among them those are kept whose framed
/// input has the same, largest signature. So |F(X)| = |Sym(X)|: one for generic clouds, 48 for the
/// cube.
class MinimalFrame final : public Frame<EuclideanGroup> {
 public:
  MinimalFrame(const EuclideanGroup& group, FieldType in, const Options& options)
      : Frame(inexact_gradient_option(options, "minimal")),
        group_(group),
        in_(std::move(in)),
        tolerance_(options.get_double("tolerance", 0)),
        max_elements_(options.get_int("max_elements", kMaxTiedBases)) {}

 private:
  FrameSet<EuclideanGroup> compute(const Batch& x, const Rng&) const override {
    const Cloud cloud = cloud_of(group_, in_, x, "minimal");
    refuse_non_finite(cloud.points.detach(), "minimal");
    const int64_t b = x.size(), d = group_.dim();
    const Tensor centre =
        group_.has_shifts() ? centroid(cloud) : torch::zeros({b, d}, torch::kFloat64);
    std::vector<Tensor> bases;
    std::vector<double> margins;
    std::vector<int64_t> strata;
    int64_t largest = 1;
    for (int64_t item = 0; item < b; ++item) {
      const Found found = solve(item_of(x, item, centre.detach()), limits(x), item);
      bases.push_back(found.bases);
      margins.push_back(found.margin);
      strata.push_back(static_cast<int64_t>(found.stratum));
      largest = std::max(largest, found.bases.size(0));
    }
    FrameSet<EuclideanGroup> frame = gather(bases, largest, x.x.scalar_type());
    frame.elements.shift = centre.unsqueeze(1).expand({b, largest, d});
    frame.margin = torch::tensor(margins, torch::kFloat64);
    frame.stratum = torch::tensor(strata, torch::kInt64);
    return frame;
  }

  struct Found {
    Tensor bases;  // [K, d, d] float64
    double margin;
    Stratum stratum;
  };

  static FrameSet<EuclideanGroup> gather(const std::vector<Tensor>& bases, int64_t largest,
                                         torch::ScalarType type) {
    FrameSet<EuclideanGroup> frame;
    std::vector<Tensor> linear, weights;
    for (const Tensor& item : bases) {
      const int64_t k = item.size(0);
      linear.push_back(torch::cat(
          {item, item.narrow(0, 0, 1).expand({largest - k, item.size(1), item.size(2)})}));
      weights.push_back(torch::constant_pad_nd(
          torch::full({k}, 1.0 / static_cast<double>(k), torch::kFloat64), {0, largest - k}));
    }
    frame.elements.linear = torch::stack(linear).to(type);
    frame.weights = torch::stack(weights);
    return frame;
  }

  SearchLimits limits(const Batch& x) const {
    const double tolerance =
        tolerance_ > 0 ? tolerance_ : cloud_tolerance(x.x.scalar_type()).invariant;
    return {tolerance, kShortResidual * tolerance, max_elements_};
  }

  static Item item_of(const Batch& x, int64_t item, const Tensor& centre) {
    Item result{x.x[item].detach().to(torch::kFloat64), {}, centre[item]};
    const Tensor weights = point_weights(x);
    result.weights = weights.defined() ? weights[item] : torch::ones({x.nodes()}, torch::kFloat64);
    const Tensor visible = (result.weights > 0).nonzero().squeeze(1);
    result.x = result.x.index_select(0, visible);
    result.weights = result.weights.index_select(0, visible);
    result.weights = result.weights / result.weights.sum();
    return result;
  }

  Directions directions_of(const Item& item) const {
    Directions result;
    result.dim = group_.dim();
    for (const Kind kind : {Kind::kPoint, Kind::kVector}) {
      if (!in_.has(kind)) continue;
      Tensor values = in_.select(kind, group_.dim(), item.x).flatten(0, 1);  // [A, d]
      if (kind == Kind::kPoint) values = values - item.centre;
      const double scale = values.norm(2, 1).max().item<double>();
      const double rounding =
          kind == Kind::kPoint ? kMinimalRounding * item.centre.abs().max().item<double>() : 0;
      if (scale <= rounding) continue;
      values = (values / scale).contiguous();
      const auto* begin = values.data_ptr<double>();
      result.coordinates.insert(result.coordinates.end(), begin, begin + values.numel());
      result.is_point.insert(result.is_point.end(), static_cast<size_t>(values.size(0)),
                             kind == Kind::kPoint);
    }
    return result;
  }

  Found solve(const Item& item, const SearchLimits& limits, int64_t index) const {
    const int64_t d = group_.dim();
    SearchResult search;
    try {
      search = search_bases(directions_of(item), group_.has_reflections() ? d : d - 1, limits);
    } catch (const std::length_error& tied) {
      throw UserError(c10::str("frame 'minimal': item ", index, " has ", tied.what(),
                               ", more than max_elements=", limits.max_candidates,
                               "; raise max_elements, or use pca(degenerate=sample)"));
    }
    if (search.rank < d - 1) refuse_infinite(index, search.rank);
    const Tensor completed = complete(search);
    double margin = search.margin;
    const Tensor chosen = largest_signature(item, completed, limits.tolerance, margin);
    const Stratum stratum = group_.has_reflections() && search.rank < d ? Stratum::kPlanar
                            : chosen.size(0) > 1                        ? Stratum::kRepeated
                                                                        : Stratum::kSimple;
    return {chosen, margin, stratum};
  }

  [[noreturn]] void refuse_infinite(int64_t index, int64_t rank) const {
    throw UserError(c10::str(
        "no finite frame of ", group_.name(), " exists for item ", index, ": it spans ", rank,
        " of ", group_.dim(),
        " dimensions, so infinitely many rotations leave it as it is; drop such items or use "
        "pca(degenerate=sample)"));
  }

  /// Rows of length d - 1 get their last axis: by orientation for rotations, both signs otherwise.
  /// Returns matrices with the axes as columns, [K, d, d].
  Tensor complete(const SearchResult& search) const {
    const int64_t d = group_.dim();
    std::vector<Tensor> rows;
    for (const auto& basis : search.bases)
      rows.push_back(torch::tensor(basis, torch::kFloat64).view({search.rank, d}));
    const Tensor columns = torch::stack(rows).transpose(1, 2);  // [K, d, rank]
    if (search.rank == d) return columns;
    // Generalised cross product: the signed minors of the d - 1 columns.
    std::vector<Tensor> minors;
    for (int64_t i = 0; i < d; ++i) {
      const Tensor others =
          torch::cat({columns.narrow(1, 0, i), columns.narrow(1, i + 1, d - 1 - i)}, 1);
      const Tensor minor =
          d == 1 ? torch::ones({columns.size(0)}, torch::kFloat64) : torch::linalg_det(others);
      minors.push_back((i + d) % 2 == 1 ? minor : -minor);
    }
    const Tensor last = torch::stack(minors, 1).unsqueeze(2);  // det [columns, last] = +1
    const Tensor right = torch::cat({columns, last}, 2);
    if (!group_.has_reflections()) return right;
    return torch::cat({right, torch::cat({columns, -last}, 2)});
  }

  /// The bases whose framed input, all channels of it, has the largest signature: equal for equal
  /// sets.
  Tensor largest_signature(const Item& item, Tensor bases, double tolerance, double& margin) const {
    const int64_t k = bases.size(0);
    if (k == 1) return bases;
    const auto [frequencies, phases] = signature_waves(item.x.size(1));
    const Tensor framed = group_.act_inverse(in_, {bases, item.centre.expand({k, -1})},
                                             item.x.unsqueeze(0).expand({k, -1, -1}));  // [K, n, C]
    const Tensor scaled = framed / channel_scales(framed[0]);
    const Tensor waves = torch::cos(scaled.matmul(frequencies) + phases);     // [K, n, W]
    const Tensor signature = (waves * item.weights.view({1, -1, 1})).sum(1);  // [K, W]
    Tensor kept = torch::arange(k);
    for (int64_t w = 0; w < waves.size(2) && kept.size(0) > 1; ++w) {
      const Tensor column = signature.select(1, w).index_select(0, kept).contiguous();
      const std::vector<double> values(column.data_ptr<double>(),
                                       column.data_ptr<double>() + column.numel());
      kept = kept.index_select(
          0, torch::tensor(top_cluster(values, tolerance, margin), torch::kInt64));
    }
    return bases.index_select(0, kept);
  }

  /// The largest length of each field over the nodes, repeated over its channels, [C].
  Tensor channel_scales(const Tensor& framed) const {
    std::vector<Tensor> scales;
    int64_t offset = 0;
    for (const FieldType::Field& field : in_.fields()) {
      const int64_t width = FieldType({field}).channels(group_.dim());
      const double scale = framed.narrow(1, offset, width).abs().norm().item<double>() /
                           std::sqrt(static_cast<double>(framed.size(0)));
      scales.push_back(torch::full({width}, scale > 0 ? scale : 1.0, torch::kFloat64));
      offset += width;
    }
    return torch::cat(scales);
  }

  EuclideanGroup group_;
  FieldType in_;
  double tolerance_;  // 0: by the input's type
  int64_t max_elements_;
};

const bool kMinimalRegistered = Frames<EuclideanGroup>::instance().add(
    "minimal",
    "bases made of the points themselves: as many as the set has symmetries, usually one",
    [](const EuclideanGroup& group, const FieldType& in, const Options& options) {
      if (group.linear() == EuclideanGroup::Linear::kIdentity)
        throw UserError("frame 'minimal' finds axes, but " + group.name() +
                        " has only translations; use 'mean'");
      return std::make_unique<MinimalFrame>(group, in, options);
    });

}  // namespace
}  // namespace equiframe::inline frames
