#include "frames/euclidean/minimal_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "frames/euclidean/tolerances.h"

namespace equiframe::inline frames {

std::vector<int64_t> top_cluster(const std::vector<double>& values, double tolerance,
                                 double& margin) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto value = [&](int64_t i) { return values[static_cast<size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return value(a) > value(b); });
  size_t end = 1;
  for (; end < order.size(); ++end) {
    const double gap = value(order[end - 1]) - value(order[end]);
    margin = std::min(margin, std::abs(gap - tolerance));
    if (gap > tolerance) break;
  }
  order.resize(std::min(end, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

namespace {

double dot(const double* a, const double* b, int64_t dim) {
  return std::inner_product(a, a + dim, b, 0.0);
}

/// A basis under construction and the direction that may extend it.
struct Extension {
  size_t basis;
  int64_t direction;
};

/// The part of direction y orthogonal to the rows of `basis`, by modified Gram-Schmidt done twice
/// ("twice is enough").
std::vector<double> residual(const std::vector<double>& basis, const double* y, int64_t dim) {
  std::vector<double> r(y, y + dim);
  const auto rows = static_cast<int64_t>(basis.size()) / dim;
  for (int pass = 0; pass < 2; ++pass) {
    for (int64_t k = 0; k < rows; ++k) {
      const double* q = basis.data() + k * dim;
      const double c = dot(q, r.data(), dim);
      for (int64_t i = 0; i < dim; ++i) r[static_cast<size_t>(i)] -= c * q[i];
    }
  }
  return r;
}

class Search {
 public:
  Search(const Directions& directions, const SearchLimits& limits)
      : directions_(directions), limits_(limits) {
    result_.margin = std::numeric_limits<double>::infinity();
    result_.bases.emplace_back();
  }

  SearchResult run(int64_t steps) {
    while (result_.rank < steps && extend()) {
    }
    return std::move(result_);
  }

 private:
  /// Adds one row to every basis; false if no direction leaves the span.
  bool extend() {
    collect();
    if (extensions_.empty()) return false;
    keep_points();
    keep_top_lengths();
    for (int64_t k = 0; k < result_.rank; ++k) {
      keep_top([&](const Extension& e) {
        return dot(result_.bases[e.basis].data() + k * directions_.dim, directions_.at(e.direction),
                   directions_.dim);
      });
    }
    if (result_.rank == 0) keep_top_moments();
    grow();
    return true;
  }

  /// Every (basis, direction) whose residual counts, with the residual's length.
  void collect() {
    extensions_.clear();
    lengths_.clear();
    for (size_t b = 0; b < result_.bases.size(); ++b) {
      for (int64_t a = 0; a < directions_.size(); ++a) {
        const auto r = residual(result_.bases[b], directions_.at(a), directions_.dim);
        const double length = std::sqrt(dot(r.data(), r.data(), directions_.dim));
        if (length <= limits_.rank_tolerance) continue;
        extensions_.push_back({b, a});
        lengths_.push_back(length);
      }
    }
  }

  /// Points where there are any: a choice by label, which rounding cannot flip.
  void keep_points() {
    std::vector<int64_t> points;
    for (size_t i = 0; i < extensions_.size(); ++i) {
      if (directions_.is_point[static_cast<size_t>(extensions_[i].direction)])
        points.push_back(static_cast<int64_t>(i));
    }
    if (!points.empty()) keep(points);
  }

  void keep(const std::vector<int64_t>& positions) {
    std::vector<Extension> kept;
    std::vector<double> kept_lengths;
    for (const int64_t p : positions) {
      kept.push_back(extensions_[static_cast<size_t>(p)]);
      kept_lengths.push_back(lengths_[static_cast<size_t>(p)]);
    }
    extensions_ = std::move(kept);
    lengths_ = std::move(kept_lengths);
  }

  template <class Invariant>
  void keep_top(Invariant&& invariant) {
    if (extensions_.size() == 1) return;
    std::vector<double> values;
    for (const Extension& e : extensions_) values.push_back(invariant(e));
    keep(top_cluster(values, limits_.tolerance, result_.margin));
  }

  void keep_top_lengths() {
    keep(top_cluster(lengths_, limits_.tolerance, result_.margin));
    result_.margin = std::min(result_.margin, lengths_.front() - limits_.rank_tolerance);
  }

  /// Clouds on a sphere: the second and third moments of the cloud along the direction.
  void keep_top_moments() {
    for (const int power : {2, 3}) {
      keep_top([&](const Extension& e) {
        double sum = 0;
        for (int64_t a = 0; a < directions_.size(); ++a)
          sum +=
              std::pow(dot(directions_.at(e.direction), directions_.at(a), directions_.dim), power);
        return sum / static_cast<double>(directions_.size());
      });
    }
  }

  void grow() {
    if (static_cast<int64_t>(extensions_.size()) > limits_.max_candidates)
      throw std::length_error(std::to_string(extensions_.size()) + " tied bases");
    std::vector<std::vector<double>> grown;
    for (const Extension& e : extensions_) {
      std::vector<double> basis = result_.bases[e.basis];
      const auto r = residual(basis, directions_.at(e.direction), directions_.dim);
      const double length = std::sqrt(dot(r.data(), r.data(), directions_.dim));
      for (const double v : r) basis.push_back(v / length);
      grown.push_back(std::move(basis));
    }
    result_.bases = std::move(grown);
    drop_copies();
    ++result_.rank;
  }

  /// Coincident points and points on one ray give the same basis: a frame is a set (T12).
  void drop_copies() {
    std::vector<std::vector<double>> distinct;
    for (const auto& basis : result_.bases) {
      const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const auto& other) {
        double largest = 0;
        for (size_t i = 0; i < basis.size(); ++i)
          largest = std::max(largest, std::abs(basis[i] - other[i]));
        return largest <= kSameBasis * limits_.tolerance;
      });
      if (!known) distinct.push_back(basis);
    }
    result_.bases = std::move(distinct);
  }

  const Directions& directions_;
  const SearchLimits& limits_;
  SearchResult result_;
  std::vector<Extension> extensions_;
  std::vector<double> lengths_;
};

}  // namespace

SearchResult search_bases(const Directions& directions, int64_t steps, const SearchLimits& limits) {
  return Search(directions, limits).run(steps);
}

}  // namespace equiframe::inline frames
