/// Figure 2 in words, in Markdown and in JSON.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "equiframe/averaging/theorems.h"
#include "experiments/separation/graph_figures_rows.h"
#include "report/format.h"

namespace equiframe::inline experiments {
namespace {

using nlohmann::ordered_json;
using report::number;

ordered_json summaries(const Tensor& errors, const Tensor& plain) {
  ordered_json mean, deviation, percentile;
  for (int64_t k = 0; k < errors.size(0); ++k) {
    const ErrorSummary summary = summarise(errors[k], plain);
    mean.push_back(summary.mean);
    deviation.push_back(summary.deviation);
    percentile.push_back(summary.percentile_90);
  }
  return {{"mean", mean}, {"deviation", deviation}, {"percentile_90", percentile}};
}

ordered_json errors_json(const InvarianceErrors& errors) {
  const Tensor unit = errors.plain.mean();
  ordered_json by_frame = ordered_json::array(), by_group = ordered_json::array();
  for (const ClassRow& row : class_rows(errors.frame_cosets))
    by_frame.push_back({{"classes", {row.least, row.most}},
                        {"graphs", row.count()},
                        {"error", row.means(errors.frame / unit)},
                        {"sup_error", row.means(errors.drawn.sup_error)},
                        {"log_probability", row.means(errors.drawn.log_probability)},
                        {"log_bound", row.means(errors.drawn.log_bound)}});
  for (const ClassRow& row : class_rows(errors.group_cosets))
    by_group.push_back({{"classes", {row.least, row.most}},
                        {"graphs", row.count()},
                        {"error", row.means(errors.group / unit)}});
  return {{"graphs", errors.plain.size(0)},
          {"relabellings", errors.relabellings},
          {"networks", errors.networks},
          {"draws", errors.draws},
          {"plain_mean", unit.item<double>()},
          {"exact_max", errors.exact.max().item<double>()},
          {"frame", summaries(errors.frame, errors.plain)},
          {"group", summaries(errors.group, errors.plain)},
          {"by_frame_classes", by_frame},
          {"by_group_classes", by_group},
          {"distributions", errors.drawn.count},
          {"below_bound", errors.drawn.below_bound}};
}

}  // namespace

std::string error_remark(const InvarianceErrors& errors) {
  const double frame = summarise(errors.frame[0], errors.plain).mean;
  std::string text =
      c10::str("Invariance error over ", whole_number(errors.plain.size(0)), " graphs, each in ",
               errors.relabellings, " random labellings, for ", errors.networks,
               errors.networks == 1 ? " random network" : " random networks",
               "; the unit is the mean error of the plain MLP. One draw from the frame leaves ",
               number(frame));
  for (size_t k = errors.draws.size(); k-- > 0;) {
    const double group = summarise(errors.group[static_cast<int64_t>(k)], errors.plain).mean;
    if (group <= frame) continue;
    text += c10::str(", less than ", errors.draws[k], errors.draws[k] == 1 ? " draw" : " draws",
                     " from the group (", number(group), ")");
    break;
  }
  const double exact = (errors.exact.max() / errors.plain.mean()).item<double>();
  return c10::str(text, ". The average over the whole canonical frame, one evaluation, leaves ",
                  exact == 0 ? "none" : "at most " + number(exact), ".");
}

std::string coset_remark(const std::vector<CosetCount>& cosets) {
  int64_t all = 0, single = 0, most = 0;
  for (const CosetCount& pair : cosets) {
    all += pair.graphs;
    most = std::max(most, pair.frame);
    if (pair.frame == 1) single += pair.graphs;
  }
  return c10::str(
      "Averages over a frame have m_F = |F| / |Aut| different terms, averages over the "
      "group m_G = n! / |Aut|. Of ",
      whole_number(all), " graphs ", whole_number(single),
      " have m_F = 1, where one draw is the exact average; the largest m_F is ", whole_number(most),
      ". ", cosets.size(), " pairs (m_G, m_F) occur.");
}

std::string theorem_remark(const InvarianceErrors& errors) {
  const int64_t k = errors.draws[shown_draws(errors).middle];
  const auto classes = errors.group_cosets.max().item<int64_t>();
  const double exponent = log_sampling_bound(classes, k, /*epsilon=*/0) / std::log(10);
  return c10::str(
      "Theorem 5: let k draws from m classes leave an error of at most ε for all networks bounded "
      "by 1. Then their outcome, how many fall into each class, has a probability P of at least (1 "
      "+ k)^-m exp(-k m ε² / 2); this is the bound of the proof, which implies the one stated. "
      "Shown are means over the outcomes drawn for k = ",
      k, ". ", whole_number(errors.drawn.below_bound), " of ", whole_number(errors.drawn.count),
      " outcomes are less probable than the bound. It is no estimate of the error, and far below "
      "P; but P, the bound and the error say the same of m: the fewer classes, the better. With "
      "one class FA is exact for any k, with many it is hardly better than GA. GA has many for "
      "nearly every graph, so its error is about that of unrelated draws, 1 / √k; for m_G = ",
      whole_number(classes), " the bound is below ",
      report::power_of_ten(static_cast<int>(std::ceil(exponent))), ".");
}

std::string to_json(const GraphFigures& figures) {
  ordered_json cosets = ordered_json::array();
  for (const CosetCount& pair : figures.cosets)
    cosets.push_back({{"group", pair.group}, {"frame", pair.frame}, {"graphs", pair.graphs}});
  return ordered_json{
      {"invariance", figures.errors ? errors_json(*figures.errors) : ordered_json(nullptr)},
      {"cosets", cosets}}
      .dump(1);
}

std::string to_markdown(const GraphFigures& figures) {
  std::string text;
  if (figures.errors)
    text +=
        c10::str("## Figure 2, left: invariance error over k\n\n", error_remark(*figures.errors),
                 "\n\n", error_table(*figures.errors).markdown(), "\n");
  if (!figures.cosets.empty())
    text += c10::str("## Figure 2, right: what there is to draw from\n\n",
                     coset_remark(figures.cosets), "\n\n");
  if (figures.errors)
    text += c10::str("## Theorem 5: fewer classes, better averages\n\n",
                     theorem_remark(*figures.errors), "\n\nFA, by the classes of the frame:\n\n",
                     frame_class_table(*figures.errors).markdown(),
                     "\nGA, by the classes of the group:\n\n",
                     group_class_table(*figures.errors).markdown(), "\n");
  return text;
}

}  // namespace equiframe::inline experiments
