#include "frames/permutation/labelling/graph_cells.h"

#include <algorithm>
#include <numeric>

namespace equiframe::inline frames {

bool Cells::discrete() const {
  return std::all_of(starts.begin(), starts.end(), [](char start) { return start != 0; });
}

int64_t Cells::end(int64_t start) const {
  int64_t stop = start + 1;
  while (stop < nodes() && starts[stop] == 0) ++stop;
  return stop;
}

std::vector<int64_t> Cells::ranks() const {
  std::vector<int64_t> result(order.size());
  int64_t start = 0;
  for (int64_t p = 0; p < nodes(); ++p) {
    if (starts[p] != 0) start = p;
    result[order[p]] = start;
  }
  return result;
}

double Cells::log_arrangements() const {
  double result = 0;
  for (int64_t start = 0; start < nodes(); start = end(start))
    result += std::lgamma(static_cast<double>(end(start) - start) + 1);
  return result;
}

Cells one_cell(int64_t nodes) {
  Cells cells;
  cells.order.resize(static_cast<size_t>(nodes));
  std::iota(cells.order.begin(), cells.order.end(), int64_t{0});
  cells.starts.assign(static_cast<size_t>(nodes), 0);
  if (nodes > 0) cells.starts[0] = 1;
  return cells;
}

namespace {

/// Sorts the members of every cell by `less` and starts a new cell wherever `apart(a, b)` holds
/// for neighbours in that order.
template <class Less, class Apart>
void split(Cells& cells, Less&& less, Apart&& apart) {
  for (int64_t start = 0, end = 0; start < cells.nodes(); start = end) {
    end = cells.end(start);
    if (end == start + 1) continue;
    std::sort(cells.order.begin() + start, cells.order.begin() + end, less);
    for (int64_t p = start + 1; p < end; ++p)
      if (apart(cells.order[p - 1], cells.order[p])) cells.starts[p] = 1;
  }
}

}  // namespace

void split_by_key(Cells& cells, const std::vector<int64_t>& key) {
  split(
      cells, [&](int64_t i, int64_t j) { return key[i] < key[j]; },
      [&](int64_t i, int64_t j) { return key[i] != key[j]; });
}

void split_by_gaps(Cells& cells, const double* values, double tolerance) {
  split(
      cells, [&](int64_t i, int64_t j) { return values[i] < values[j]; },
      [&](int64_t i, int64_t j) {
        const double gap = values[j] - values[i];
        if (const double larger = std::max(gap, tolerance); larger > 0)
          cells.margin = std::min(cells.margin, std::abs(gap - tolerance) / larger);
        return gap > tolerance;
      });
}

void split_by_degree(Cells& cells, const Graph& graph, double tolerance) {
  const int64_t n = graph.nodes;
  std::vector<double> degree(static_cast<size_t>(n));
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto row = graph.adjacency.begin() + i * n;
    degree[i] = std::accumulate(row, row + n, 0.0);
    largest = std::max(largest, std::abs(degree[i]));
  }
  split_by_gaps(cells, degree.data(), tolerance * largest);
}

namespace {

/// Distinct rows of `width` numbers in lexicographic order.
class DistinctRows {
 public:
  explicit DistinctRows(int64_t width) : width_(width) {}

  void add(const double* row) {
    bool known = false;  // without early exit: which of the values comes next is hard to predict
    for (size_t k = 0; k < std::min(rows_.size(), kShortList); ++k)
      known |= std::equal(row, row + width_, rows_[k]);
    if (known) return;
    rows_.push_back(row);
    if (rows_.size() > limit_) compact();
  }

  /// To be called after the last `add`.
  void compact() {
    std::sort(rows_.begin(), rows_.end(), Less{width_});
    const auto same = [this](const double* a, const double* b) {
      return std::equal(a, a + width_, b);
    };
    rows_.erase(std::unique(rows_.begin(), rows_.end(), same), rows_.end());
    limit_ = std::max<size_t>(limit_, 2 * rows_.size());
  }

  int64_t size() const { return static_cast<int64_t>(rows_.size()); }
  int64_t find(const double* row) const {
    if (width_ == 1 && rows_.size() <= kShortList) {
      int64_t smaller = 0;
      for (const double* other : rows_) smaller += *other < *row ? 1 : 0;
      return smaller;
    }
    return std::lower_bound(rows_.begin(), rows_.end(), row, Less{width_}) - rows_.begin();
  }

 private:
  struct Less {
    int64_t width;
    bool operator()(const double* a, const double* b) const {
      return std::lexicographical_compare(a, a + width, b, b + width);
    }
  };
  static constexpr size_t kShortList = 4;  // most graphs have no more values than that

  int64_t width_;
  size_t limit_ = 64;
  std::vector<const double*> rows_;
};

}  // namespace

PairClasses pair_classes(const Graph& graph) {
  const int64_t n = graph.nodes, e = graph.channels;
  DistinctRows rows(e);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (i != j) rows.add(graph.pair.data() + (i * n + j) * e);
  rows.compact();
  PairClasses result{n, rows.size(), false, std::vector<int32_t>(static_cast<size_t>(n * n))};
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (i != j)
        result.index[i * n + j] =
            static_cast<int32_t>(rows.find(graph.pair.data() + (i * n + j) * e));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < i; ++j)
      if (result.index[i * n + j] != result.index[j * n + i]) result.directed = true;
  return result;
}

std::vector<int64_t> node_classes(const Graph& graph) {
  const int64_t c = graph.node_values;
  DistinctRows rows(c);
  for (int64_t i = 0; i < graph.nodes; ++i) rows.add(graph.node.data() + i * c);
  rows.compact();
  std::vector<int64_t> result;
  for (int64_t i = 0; i < graph.nodes; ++i) result.push_back(rows.find(graph.node.data() + i * c));
  return result;
}

namespace {

using Signature = std::vector<uint64_t>;

/// What node i sees: its (class, cell) pairs in sorted order, outgoing first.
Signature signature(int64_t i, const std::vector<int64_t>& ranks, const PairClasses& pairs) {
  const int64_t n = pairs.nodes;
  const auto collect = [&](int64_t base, int64_t step, Signature& result) {
    const auto begin = static_cast<int64_t>(result.size());
    for (int64_t j = 0; j < n; ++j)
      if (j != i)
        result.push_back(static_cast<uint64_t>(pairs.index[base + j * step]) << 32U |
                         static_cast<uint64_t>(ranks[j]));
    std::sort(result.begin() + begin, result.end());
  };
  Signature result;
  result.reserve(static_cast<size_t>(pairs.directed ? 2 * n : n));
  collect(i * n, 1, result);
  if (pairs.directed) collect(i, n, result);
  return result;
}

}  // namespace

void refine_by_neighbours(Cells& cells, const PairClasses& pairs) {
  std::vector<Signature> seen(cells.order.size());
  for (std::vector<char> before; before != cells.starts && !cells.discrete();) {
    before = cells.starts;
    const std::vector<int64_t> ranks = cells.ranks();
    for (int64_t start = 0, end = 0; start < cells.nodes(); start = end) {
      end = cells.end(start);
      for (int64_t p = start; end > start + 1 && p < end; ++p)
        seen[cells.order[p]] = signature(cells.order[p], ranks, pairs);
    }
    split(
        cells, [&](int64_t i, int64_t j) { return seen[i] < seen[j]; },
        [&](int64_t i, int64_t j) { return seen[i] != seen[j]; });
  }
}

}  // namespace equiframe::inline frames
