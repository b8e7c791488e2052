#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <torch/types.h>

#include "experiments/separation/graph_figures_rows.h"
#include "experiments/separation/graph_info.h"
#include "report/format.h"

namespace equiframe::inline experiments {
namespace {

using report::Align;
using report::Column;
using report::number;

/// One decimal, for logarithms; none where there are many digits before it.
std::string short_number(double value) {
  return std::abs(value) < 100 ? number(std::round(value * 10) / 10)
                               : std::to_string(std::llround(value));
}

std::string range_text(const ClassRow& row) {
  if (row.least == row.most) return whole_number(row.least);
  return c10::str(whole_number(row.least), "–", whole_number(row.most));
}

Column draws_column(const InvarianceErrors& errors, size_t k) {
  return {c10::str("k = ", errors.draws[k]), Align::kRight};
}

}  // namespace

ErrorSummary summarise(const Tensor& errors, const Tensor& plain) {
  const Tensor relative = errors / plain.mean();
  return {relative.mean().item<double>(), relative.std(/*unbiased=*/false).item<double>(),
          relative.quantile(0.9).item<double>()};
}

std::vector<CosetCount> coset_counts(const std::vector<SimpleGraph>& graphs) {
  std::map<std::array<int64_t, 2>, int64_t> counts;
  for (const GraphInfo& info : graph_info(graphs)) {
    const auto frame = std::find_if(info.frames.begin(), info.frames.end(),
                                    [](const FrameSize& f) { return f.frame == "laplacian"; });
    TORCH_CHECK(frame != info.frames.end(), "a graph of ", info.nodes, " nodes is too large");
    ++counts[{std::llround(std::exp(info.log_group_cosets())),
              std::llround(std::exp(info.log_frame_cosets(*frame)))}];
  }
  std::vector<CosetCount> result;
  result.reserve(counts.size());
  for (const auto& [cosets, count] : counts) result.push_back({cosets[0], cosets[1], count});
  return result;
}

int64_t ClassRow::count() const {
  return graphs.sum().item<int64_t>();
}

std::vector<double> ClassRow::means(const Tensor& values) const {
  const Tensor mean = values.masked_select(graphs).view({values.size(0), -1}).mean(1);
  const auto* first = mean.data_ptr<double>();
  return {first, first + mean.size(0)};
}

std::vector<ClassRow> class_rows(const Tensor& cosets) {
  const auto last = cosets.max().item<double>();
  std::vector<ClassRow> rows;
  for (int64_t most = 1; static_cast<double>(most) < 2 * last; most *= 2) {
    const int64_t least = most == 1 ? 1 : most / 2 + 1;
    const Tensor within = (cosets >= least).logical_and(cosets <= most);
    if (within.any().item<bool>()) rows.push_back({least, most, within});
  }
  return rows;
}

ShownDraws shown_draws(const InvarianceErrors& errors) {
  return {0, errors.draws.size() / 2, errors.draws.size() - 1};
}

TextTable error_table(const InvarianceErrors& errors) {
  TextTable table;
  table.columns = {{"k", Align::kRight},    {"FA, mean", Align::kRight}, {"std", Align::kRight},
                   {"90 %", Align::kRight}, {"GA, mean", Align::kRight}, {"std", Align::kRight},
                   {"90 %", Align::kRight}};
  for (size_t k = 0; k < errors.draws.size(); ++k) {
    const auto row = static_cast<int64_t>(k);
    const ErrorSummary frame = summarise(errors.frame[row], errors.plain);
    const ErrorSummary group = summarise(errors.group[row], errors.plain);
    table.rows.push_back({std::to_string(errors.draws[k]), number(frame.mean),
                          number(frame.deviation), number(frame.percentile_90), number(group.mean),
                          number(group.deviation), number(group.percentile_90)});
  }
  return table;
}

TextTable frame_class_table(const InvarianceErrors& errors) {
  const auto [first, middle, last] = shown_draws(errors);
  const Tensor relative = errors.frame / errors.plain.mean();
  TextTable table;
  table.columns = {{"m_F", Align::kRight},      {"graphs", Align::kRight},
                   draws_column(errors, first), draws_column(errors, middle),
                   draws_column(errors, last),  {"ε", Align::kRight},
                   {"log₁₀ P", Align::kRight},  {"log₁₀ bound", Align::kRight}};
  for (const ClassRow& row : class_rows(errors.frame_cosets)) {
    const std::vector<double> error = row.means(relative);
    table.rows.push_back(
        {range_text(row), whole_number(row.count()), number(error[first]), number(error[middle]),
         number(error[last]), number(row.means(errors.drawn.sup_error)[middle]),
         short_number(row.means(errors.drawn.log_probability)[middle] / std::log(10)),
         short_number(row.means(errors.drawn.log_bound)[middle] / std::log(10))});
  }
  return table;
}

TextTable group_class_table(const InvarianceErrors& errors) {
  const auto [first, middle, last] = shown_draws(errors);
  const Tensor relative = errors.group / errors.plain.mean();
  TextTable table;
  table.columns = {{"m_G", Align::kRight},
                   {"graphs", Align::kRight},
                   draws_column(errors, first),
                   draws_column(errors, middle),
                   draws_column(errors, last)};
  for (const ClassRow& row : class_rows(errors.group_cosets)) {
    const std::vector<double> error = row.means(relative);
    table.rows.push_back({range_text(row), whole_number(row.count()), number(error[first]),
                          number(error[middle]), number(error[last])});
  }
  return table;
}

}  // namespace equiframe::inline experiments
