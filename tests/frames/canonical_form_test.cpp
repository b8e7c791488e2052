#include <set>

#include <gtest/gtest.h>

#include "graph_measures.h"
#include "graph_zoo.h"

namespace equiframe {
namespace {

using zoo::form_of;
using zoo::frame_of;
using zoo::nodes_of;

constexpr auto kNode = PermutationType::Kind::kNode;
constexpr auto kPair = PermutationType::Kind::kPair;

bool identical(const Batch& a, const Batch& b) {
  const auto equal = [](const Tensor& s, const Tensor& t) { return !s.defined() || s.equal(t); };
  return equal(a.x, b.x) && equal(a.pair, b.pair) && equal(a.mask, b.mask) &&
         equal(a.weights, b.weights);
}

int64_t changed_forms(const std::string& call, const Batch& x, const PermutationType& in,
                      int64_t relabellings) {
  const SymmetricGroup group(nodes_of(x));
  auto generator = make_generator(21);
  const Batch form = form_of(call, x, in);
  int64_t changed = 0;
  for (int64_t k = 0; k < relabellings; ++k) {
    const Batch moved = group.act(in, group.sample(1, generator), x);
    changed += identical(form_of(call, moved, in), form) ? 0 : 1;
  }
  return changed;
}

const std::vector<std::string>& calls() {
  static const std::vector<std::string> list{"canonical", "canonical(cells=degree)",
                                             "canonical(cells=features)", "canonical(cells=none)"};
  return list;
}

TEST(CanonicalForm, FormDoesNotDependOnLabels) {
  for (const std::string& call : calls()) {
    for (const auto& specimen : zoo::specimens())
      EXPECT_EQ(changed_forms(call, zoo::pair_batch(specimen.adjacency), kPair, 8), 0)
          << call << ", " << specimen.name;
    for (uint64_t seed = 0; seed < 10; ++seed)
      EXPECT_EQ(changed_forms(call, zoo::pair_batch(zoo::random_graph(20, 0.15, seed)), kPair, 4),
                0)
          << call << ", seed " << seed;
  }
}

TEST(CanonicalForm, FormIncludesEverythingThatMoves) {
  auto generator = make_generator(31);
  for (const auto& specimen : zoo::specimens()) {
    const int64_t n = specimen.adjacency.size(0);
    Batch x;
    x.x = torch::randint(2, {1, n, 2}, generator).to(torch::kFloat32);
    x.pair = specimen.adjacency.view({1, n, n, 1}).to(torch::kFloat32);
    x.weights = torch::randint(1, 3, {1, n}, generator).to(torch::kFloat32);
    for (const std::string& call : calls()) EXPECT_EQ(changed_forms(call, x, kNode, 6), 0);
  }
}

TEST(CanonicalForm, FormOfWeightedDirectedAndPaddedGraphs) {
  auto generator = make_generator(32);
  for (int repeat = 0; repeat < 8; ++repeat) {
    const int64_t n = 9;
    const Tensor values = torch::randint(4, {1, n, n, 2}, generator).to(torch::kFloat64) - 1.5;
    EXPECT_EQ(changed_forms("canonical", Batch(values), kPair, 5), 0);
    const Tensor noise = torch::randn({1, n, n, 1}, generator, torch::kFloat64);
    EXPECT_EQ(changed_forms("canonical", Batch(noise), kPair, 5), 0);
    Batch padded(torch::zeros({1, n, 1}));
    padded.pair = torch::zeros({1, n, n, 1});
    padded.mask = (torch::arange(n) < 6).unsqueeze(0);
    padded.pair[0].narrow(0, 0, 6).narrow(1, 0, 6).copy_(
        zoo::random_graph(6, 0.5, static_cast<uint64_t>(repeat)).unsqueeze(-1));
    EXPECT_EQ(changed_forms("canonical", padded, kNode, 5), 0);
    EXPECT_TRUE(form_of("canonical", padded, kNode).mask.equal(padded.mask));
  }
}

/// Every assignment of `values` values to the free entries of a pair tensor of n nodes, [M, n, n,
/// 1].
Tensor all_graphs(int64_t n, int64_t values, const zoo::Edges& entries, bool directed) {
  int64_t count = 1;
  for (size_t k = 0; k < entries.size(); ++k) count *= values;
  const Tensor result = torch::zeros({count, n, n, 1}, torch::kFloat64);
  Tensor rest = torch::arange(count);
  for (const auto& [i, j] : entries) {
    const Tensor digit = rest.remainder(values).to(torch::kFloat64);
    rest = rest.div(values, "floor");
    result.select(1, i).select(1, j).select(1, 0).copy_(digit);
    if (!directed) result.select(1, j).select(1, i).select(1, 0).copy_(digit);
  }
  return result;
}

zoo::Edges entries(int64_t n, bool directed, bool loops) {
  zoo::Edges result;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if ((i < j) || (directed && i != j) || (loops && i == j)) result.emplace_back(i, j);
  return result;
}

size_t distinct_forms(const std::string& call, const Tensor& graphs) {
  const Tensor forms = form_of(call, Batch(graphs)).x.contiguous();
  const int64_t length = forms.numel() / forms.size(0);
  std::set<std::vector<double>> distinct;
  for (int64_t b = 0; b < forms.size(0); ++b) {
    const auto* row = forms.data_ptr<double>() + b * length;
    distinct.emplace(row, row + length);
  }
  return distinct.size();
}

/// Exactly one form for each isomorphism class, against the known numbers of classes.
TEST(CanonicalForm, FormsCountTheIsomorphismClasses) {
  for (const std::string& call : calls()) {
    EXPECT_EQ(distinct_forms(call, all_graphs(5, 2, entries(5, false, false), false)), 34U);
    EXPECT_EQ(distinct_forms(call, all_graphs(4, 2, entries(4, false, true), false)), 90U);
    EXPECT_EQ(distinct_forms(call, all_graphs(4, 2, entries(4, true, false), true)), 218U);
    EXPECT_EQ(distinct_forms(call, all_graphs(4, 3, entries(4, false, false), false)), 66U);
  }
  EXPECT_EQ(distinct_forms("canonical", all_graphs(6, 2, entries(6, false, false), false)), 156U);
  EXPECT_EQ(distinct_forms("canonical", all_graphs(4, 5, entries(4, false, false), false)), 900U);
  EXPECT_EQ(distinct_forms("canonical", all_graphs(3, 3, entries(3, true, false), true)), 138U);
}

TEST(CanonicalForm, LargeGraphs) {
  const int64_t n = 300;
  const Batch x = zoo::pair_batch(zoo::random_graph(n, 2.0 / static_cast<double>(n), 3));
  EXPECT_EQ(changed_forms("canonical(cells=degree)", x, kPair, 2), 0);
  EXPECT_GT(frame_of("canonical(cells=degree)", x).log_size.item<double>(), 50);
}

}  // namespace
}  // namespace equiframe
