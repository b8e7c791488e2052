#include "experiments/separation/graph_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "datasets/graphs/graph_sets.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "io/graphs/graph_batch.h"

namespace equiframe::experiments {
namespace {

/// Of all 112 connected graphs of six nodes.
const InvarianceErrors& six_nodes() {
  static const InvarianceErrors errors =
      invariance_errors(connected_graphs(6), {.relabellings = 30});
  return errors;
}

double average(const Tensor& values) {
  return values.mean().item<double>();
}

TEST(InvarianceErrors, FrameAveragesAreMoreInvariantThanGroupAverages) {
  const InvarianceErrors& errors = six_nodes();
  ASSERT_EQ(errors.plain.size(0), 112);
  EXPECT_GT(average(errors.plain), 1e-3);
  for (int64_t k = 0; k < 6; ++k) {
    EXPECT_LT(average(errors.frame[k]), average(errors.group[k])) << k;
    if (k == 0) continue;
    EXPECT_LT(average(errors.frame[k]), average(errors.frame[k - 1])) << k;
    EXPECT_LT(average(errors.group[k]), average(errors.group[k - 1])) << k;
  }
  EXPECT_LT(average(errors.frame[5]), average(errors.frame[0]) / 2);
  EXPECT_NEAR(average(errors.group[5]) / average(errors.group[0]), 1 / std::sqrt(32.0), 0.02);
  EXPECT_NEAR(average(errors.group[0]) / average(errors.plain), 1, 0.05);
  EXPECT_LT(errors.exact.max().item<double>(), 1e-6);
}

/// The edge of Theorem 5: where there is one class only, one draw is the exact average.
TEST(InvarianceErrors, OneDrawIsExactWhereTheFrameIsOneCoset) {
  const InvarianceErrors& errors = six_nodes();
  const auto largest = errors.frame.amax(0);  // over k
  for (int64_t g = 0; g < 112; ++g) {
    const bool single = errors.frame_cosets[g].item<double>() == 1;
    EXPECT_EQ(largest[g].item<double>() < 1e-6, single) << g;
    EXPECT_LE(errors.frame_cosets[g].item<double>(), errors.group_cosets[g].item<double>());
  }
  const Tensor complete = errors.group_cosets == 1;  // K6
  ASSERT_EQ(complete.sum().item<int64_t>(), 1);
  EXPECT_LT(errors.plain.masked_select(complete).item<double>(), 1e-6);
  EXPECT_LT(errors.group[0].masked_select(complete).item<double>(), 1e-6);
}

/// E sum_j |1/m - k_j / k| of k uniform draws from m classes: m / k times the mean deviation of a
/// binomial.
double expected_sup_error(double m, double k) {
  double sum = 0;
  for (double j = 0; j <= k; ++j)
    sum += std::abs(j - k / m) *
           std::exp(std::lgamma(k + 1) - std::lgamma(j + 1) - std::lgamma(k - j + 1) +
                    j * std::log(1 / m) + (k - j) * std::log1p(-1 / m));
  return sum * m / k;
}

TEST(InvarianceErrors, DrawsFallUniformlyOnTheClasses) {
  const InvarianceErrors& errors = six_nodes();
  EXPECT_EQ(errors.drawn.count, 112 * 30 * 6);
  EXPECT_EQ(errors.drawn.below_bound, 0);
  for (const double m : {2.0, 3.0, 6.0}) {
    const Tensor chosen = errors.frame_cosets == m;
    const double outcomes = 30 * chosen.sum().item<double>();
    ASSERT_GT(outcomes, 0) << m;
    for (int64_t k = 0; k < 6; ++k)
      EXPECT_NEAR(average(errors.drawn.sup_error[k].masked_select(chosen)),
                  expected_sup_error(m, std::exp2(static_cast<double>(k))),
                  5 * 0.5 / std::sqrt(outcomes))
          << "m = " << m << ", draw list place " << k;
  }
  EXPECT_TRUE((errors.drawn.log_bound <= errors.drawn.log_probability).all().item<bool>());
}

/// A frame that is not equivariant gains nothing by draws.
TEST(InvarianceErrors, OfAFrameThatIsNoneDoNotFall) {
  const InvarianceErrors errors =
      invariance_errors(connected_graphs(5), {.relabellings = 20, .frame = "identity"});
  EXPECT_GT(average(errors.plain), 1e-3);
  for (int64_t k = 0; k < 6; ++k)
    EXPECT_TRUE(torch::allclose(errors.frame[k], errors.plain, 1e-6, 1e-9));
}

TEST(InvarianceErrors, OfEveryThirdGraphAreTheSame) {
  std::vector<double> told;
  const InvarianceErrors some = invariance_errors(
      connected_graphs(6),
      {.relabellings = 30, .stride = 3, .progress = [&](double share) { told.push_back(share); }});
  for (int64_t g = 0; g < some.plain.size(0); ++g) {
    EXPECT_NEAR(some.plain[g].item<double>(), six_nodes().plain[3 * g].item<double>(), 1e-6);
    EXPECT_NEAR(some.frame[2][g].item<double>(), six_nodes().frame[2][3 * g].item<double>(), 1e-6);
  }
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 1);
}

TEST(InvarianceErrors, RefuseWhatTheyCannotMeasure) {
  auto graphs = connected_graphs(4);
  EXPECT_THROW(invariance_errors({}, {}), c10::Error);
  EXPECT_THROW(invariance_errors(graphs, {.draws = {2, 1}}), c10::Error);
  EXPECT_THROW(invariance_errors(graphs, {.draws = {}}), c10::Error);
  graphs.push_back(connected_graphs(5)[0]);
  EXPECT_THROW(invariance_errors(graphs, {}), c10::Error);
}

/// Different matrices among those of all `elements` [K, n]: a class has one.
int64_t framed_matrices(const SymmetricGroup& group, const Tensor& elements, const Tensor& pair) {
  const Tensor framed = group.act_inverse(PermutationType::Kind::kPair, elements, pair);
  std::set<std::vector<float>> different;
  for (int64_t k = 0; k < elements.size(0); ++k) {
    const Tensor row = framed[k].contiguous();
    different.insert({row.data_ptr<float>(), row.data_ptr<float>() + row.numel()});
  }
  return static_cast<int64_t>(different.size());
}

TEST(CosetCounts, AreThoseOfAllPermutations) {
  const auto graphs = connected_graphs(5);
  const SymmetricGroup group(5);
  const auto frame = make_frame("laplacian", group, PermutationType::Kind::kNode);
  std::map<std::array<int64_t, 2>, int64_t> counted;
  for (const SimpleGraph& graph : graphs) {
    const Batch batch = graph_batch({graph});
    ++counted[{framed_matrices(group, group.elements(), batch.pair),
               framed_matrices(group, (*frame)(batch).elements[0], batch.pair)}];
  }
  const auto cosets = coset_counts(graphs);
  ASSERT_EQ(cosets.size(), counted.size());
  for (const CosetCount& pair : cosets)
    EXPECT_EQ(pair.graphs, (counted[{pair.group, pair.frame}])) << pair.group << ", " << pair.frame;
}

TEST(GraphFigures, HaveThreeForms) {
  const GraphFigures figures{
      invariance_errors(connected_graphs(5), {.draws = {1, 4}, .relabellings = 5}),
      coset_counts(connected_graphs(5))};
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(to_json(figures), "\"graphs\": 21"));
  EXPECT_TRUE(has(to_json(figures), "\"below_bound\": 0"));
  EXPECT_TRUE(has(to_markdown(figures), "|   4 |"));
  EXPECT_TRUE(has(to_markdown(figures), "0 of 210 outcomes"));
  EXPECT_FALSE(has(to_markdown(GraphFigures{}), "Figure"));
  report::Page page("title", "summary");
  add_graph_figures(page, figures);
  for (const char* part : {"FA, 90th percentile", "m_G, classes of the group", "log₁₀ bound"})
    EXPECT_TRUE(has(page.html(), part)) << part;
  EXPECT_FALSE(has(page.html(), "nan"));
}

}  // namespace
}  // namespace equiframe::experiments
