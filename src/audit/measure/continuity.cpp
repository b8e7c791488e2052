#include "audit/measure/continuity.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <torch/types.h>

#include "audit/measure/places.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"

namespace equiframe::audit {
namespace {

constexpr int64_t kCoarse = 48;        // places on a path
constexpr int64_t kHalvings = 26;      // of its steepest step
constexpr double kVisibleJump = 1e-3;  // smaller jumps are not called jumps
constexpr double kSteepest = 1e4;      // nor is anything that changes no faster than this

/// The extents of a cloud along its axes as functions of t; degenerate at t = 0.
struct Path {
  std::string name;
  std::function<std::vector<double>(double, int64_t)> extents;
};

std::vector<Path> paths(int64_t dim) {
  const auto others = [](std::vector<double> first, int64_t d) {
    while (static_cast<int64_t>(first.size()) < d) first.push_back(0.5 * first.back());
    first.resize(static_cast<size_t>(d));
    return first;
  };
  std::vector<Path> result{{"through one point", [=](double t, int64_t d) {
                              return others({t, 0.7 * t, 0.5 * t}, d);
                            }}};
  if (dim < 2) return result;
  result.push_back({"two extents cross", [=](double t, int64_t d) {
                      return others({1 + 0.3 * t, 1 - 0.3 * t, 0.4}, d);
                    }});
  result.push_back(
      {dim == 2 ? "through a line" : "through a plane", [=](double t, int64_t d) {
         return d == 2 ? std::vector<double>{1, 0.6 * t} : others({1, 0.7, 0.5 * t}, d);
       }});
  if (dim < 3) return result;
  result.push_back({"all extents cross", [=](double t, int64_t d) {
                      return others({1 + 0.3 * t, 1, 1 - 0.3 * t}, d);
                    }});
  result.push_back({"through a line", [=](double t, int64_t d) {
                      return others({1, 0.6 * t, 0.35 * t}, d);
                    }});
  return result;
}

/// Answers along one path.
class Walk {
 public:
  Walk(const Subject& subject, const Inputs& item, const Path& path, int64_t batch)
      : subject_(subject),
        item_(item),
        path_(path),
        batch_(batch),
        shape_(whiten(places_of(subject.typing(), item)[0])) {}

  std::vector<Tensor> answers(const std::vector<double>& ts) const {
    std::vector<Tensor> clouds;
    clouds.reserve(ts.size());
    for (const double t : ts) clouds.push_back(cloud(t));
    const Inputs many = repeat(item_, static_cast<int64_t>(ts.size()));
    return evaluate(subject_, with_places(subject_.typing(), many, torch::stack(clouds)),
                    torch::kFloat64, batch_);
  }

  Tensor cloud(double t) const {
    const Tensor extents = torch::tensor(path_.extents(t, shape_.axes.size(0)), torch::kFloat64);
    return (shape_.unit * extents).matmul(shape_.axes.t()) + shape_.centre;
  }

 private:
  const Subject& subject_;
  Inputs item_;
  const Path& path_;
  int64_t batch_;
  Whitened shape_;
};

double distance(const std::vector<Tensor>& answers, int64_t a, int64_t b,
                const std::vector<double>& scales) {
  const Tensor first = torch::tensor({a}), second = torch::tensor({b});
  return differences(select(answers, first), select(answers, second), scales).item<double>();
}

void fill_change(PathJump& result, const Walk& walk, double from, double to) {
  const Tensor a = walk.cloud(from), b = walk.cloud(to);
  result.input_change = (a - b).abs().max().item<double>() / a.abs().max().item<double>();
  result.position = (from + to) / 2;
}

PathJump follow(const Walk& walk, const std::string& name) {
  constexpr double kOff = 0.0123;  // keeps the degenerate input itself off the grid
  PathJump result;
  result.name = name;
  std::vector<double> ts;
  for (int64_t i = 0; i < kCoarse; ++i)
    ts.push_back(-1 + (2.0 * static_cast<double>(i) + kOff) / static_cast<double>(kCoarse));
  try {
    std::vector<Tensor> answers = walk.answers(ts);
    const std::vector<double> scales = scales_of(answers);
    int64_t steepest = 0;
    for (int64_t i = 0; i + 1 < kCoarse; ++i) {
      const double step = distance(answers, i, i + 1, scales);
      if (step > result.jump) steepest = i;
      result.jump = std::max(result.jump, step);
    }
    double from = ts[static_cast<size_t>(steepest)], to = ts[static_cast<size_t>(steepest) + 1];
    fill_change(result, walk, from, to);
    for (int64_t i = 0; i < kHalvings; ++i) {
      const double middle = (from + to) / 2;
      answers = walk.answers({from, middle, to});
      const double left = distance(answers, 0, 1, scales), right = distance(answers, 1, 2, scales);
      (left >= right ? to : from) = middle;
      result.jump = std::max(left, right);
      fill_change(result, walk, from, to);
    }
  } catch (const UserError& error) {
    result.refused = error.what();
  }
  return result;
}

}  // namespace

bool PathJump::is_jump() const {
  return jump > kVisibleJump && jump > kSteepest * input_change;
}

std::vector<PathJump> measure_continuity(const Subject& subject, const Inputs& inputs,
                                         const MeasureOptions& options) {
  std::vector<PathJump> result;
  const Typing& typing = subject.typing();
  if (!typing.is_euclidean() || !find_places(typing)) return result;
  const Inputs item = select(inputs, torch::tensor({0}));
  if (places_of(typing, item).size(1) <= typing.dim()) return result;  // no extents to change
  for (const Path& path : paths(typing.dim()))
    result.push_back(follow(Walk(subject, item, path, options.batch), path.name));
  return result;
}

}  // namespace equiframe::audit
