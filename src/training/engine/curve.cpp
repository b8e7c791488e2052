#include "training/engine/curve.h"

#include <algorithm>

#include "report/chart.h"

namespace equiframe::inline training {
namespace {

constexpr size_t kMaxPoints = 300;  // about one for every three pixels

/// What is left of a history: every n-th evaluation, the last, and the best.
History thinned(const History& history, size_t best) {
  const size_t every = std::max<size_t>(1, history.size() / kMaxPoints);
  History result;
  for (size_t k = 0; k < history.size(); ++k) {
    if (k % every == 0 || k == best || k + 1 == history.size()) result.push_back(history[k]);
  }
  return result;
}

}  // namespace

report::Svg training_curve(const History& history, size_t best) {
  using report::Colour;
  using report::Mark;
  report::LineChart chart;
  chart.description = "Errors over the epochs of a training run";
  chart.x = {"epochs", report::Scale::kLinear};
  const Measure measure = history.empty() ? Measure::kSquaredError : history.front().valid.measure;
  chart.y = {error_title(measure), report::Scale::kLog};
  const History shown = thinned(history, best);
  const auto add = [&](const report::Look& look, auto value) {
    report::LineChart::Series series{look, {}};
    for (const Evaluation& e : shown) {
      // No logarithm, and no place in the picture, for what is not positive.
      if (value(e) > 0) series.points.push_back({static_cast<double>(e.epoch), value(e)});
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  };
  add({"training loss", Colour::kMuted, Mark::kNone}, [](const auto& e) { return e.train_loss; });
  add({"validation", Colour::kCool, Mark::kNone}, [](const auto& e) { return e.valid.error; });
  add({"test", Colour::kWarm, Mark::kNone}, [](const auto& e) { return e.test.error; });
  if (best < history.size() && history[best].test.error > 0)
    chart.series.push_back(
        {{"kept", Colour::kWarm, Mark::kDot},
         {{static_cast<double>(history[best].epoch), history[best].test.error}}});
  return draw(chart);
}

}  // namespace equiframe::inline training
