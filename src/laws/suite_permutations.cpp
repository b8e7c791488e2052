#include <optional>

#include "equiframe/core/error.h"
#include "equiframe/groups/symmetric.h"
#include "equiframe/laws/zoo.h"
#include "laws/suite_parts.h"

namespace equiframe::inline laws {
namespace {

using Nodes = Symmetry<SymmetricGroup>;

Nodes relabelling(int64_t n, const char* out) {
  return {SymmetricGroup(n), PermutationType::parse("node"), PermutationType::parse(out)};
}

std::vector<int64_t> output_shape(const std::string& out, int64_t n) {
  if (out == "set") return {3};
  return out == "node" ? std::vector<int64_t>{n, 3} : std::vector<int64_t>{n, n, 2};
}

/// Permutations only move numbers: framed inputs are equal to the bit, and a frame of one coset
/// (`canonical`) leaves an error of exactly 0. Sums over several elements differ by their order.
double tolerance_of(const std::string& call, torch::ScalarType type) {
  return Options::parse_call(call).first == "canonical" ? 0.0 : kAverageTolerance.of(type);
}

void check_exact(const Recorder& recorder, const Frame<SymmetricGroup>& frame,
                 const std::string& call, const std::string& graph, const Batch& x) {
  const int64_t n = x.nodes();
  const SymmetricGroup group(n);
  for (const char* out : {"set", "node", "pair"}) {
    auto generator = make_generator(31);
    const Nodes symmetry = relabelling(n, out);
    const RandomMlp phi(n + n * n, output_shape(out, n), generator);
    const auto model = [&](const Batch& batch) {
      return equivariant_average(symmetry, frame(batch), phi, batch);
    };
    for (const auto type : kTypes) {
      if (!recorder.filter().wants_dtype(type)) continue;
      double worst = 0;
      for (int round = 0; round < 5; ++round)
        worst =
            std::max(worst, laws::equivariance_error(symmetry, in_type(type, model), x, generator));
      recorder.add("equivariance of the average",
                   "S(n) " + call + " | graph -> " + out + " | " + graph, type, worst,
                   tolerance_of(call, type));
    }
  }
  if (!recorder.filter().wants_dtype(torch::kFloat64)) return;
  auto generator = make_generator(32);
  const std::string subject = "S(n) " + call + " | " + graph;
  recorder.add("weights are a distribution", subject, torch::kFloat64, laws::weight_error(frame(x)),
               kAverageTolerance.float64);
  recorder.add("framed inputs do not move", subject, torch::kFloat64,
               laws::framed_set_error(group, frame, PermutationType::parse("node"), x, generator),
               0.0);
}

void check_drawn(const Recorder& recorder, const Frame<SymmetricGroup>& frame,
                 const std::string& call, const std::string& graph, const Batch& x) {
  if (!recorder.filter().wants_dtype(torch::kFloat64)) return;
  const int64_t n = x.nodes();
  auto generator = make_generator(33);
  const RandomMlp phi(n + n * n, {3}, generator);
  recorder.add("equivariance in distribution [standard errors]",
               "S(n) " + call + " | graph -> set | " + graph, torch::kFloat64,
               laws::distribution_error(relabelling(n, "set"), frame, phi, x, generator),
               kStandardErrors);
}

std::vector<std::string> permutation_frame_calls() {
  auto calls = Frames<SymmetricGroup>::instance().names();
  for (const char* call :
       {"laplacian(refine=degree)", "laplacian(refine=wl)", "canonical(cells=none)",
        "sampled(k=2, base=laplacian)", "whole(samples=4)"})
    calls.emplace_back(call);
  return calls;
}

void check_graph(const Recorder& recorder, const std::string& call, const NamedGraph& graph) {
  const Batch x = as_batch(graph);
  const SymmetricGroup group(x.nodes());
  const auto frame = make_frame(call, group, PermutationType::parse("node"));
  if (frame->guarantee() == Guarantee::kNone) return;
  const FrameSet<SymmetricGroup> set = (*frame)(x);
  if (set.is_exact() && frame->guarantee() != Guarantee::kInDistribution && set.size() <= 1024)
    check_exact(recorder, *frame, call, graph.name, x);
  else if (!set.is_exact() && set.size() <= 8)
    check_drawn(recorder, *frame, call, graph.name, x);
}

}  // namespace

void check_permutation_frames(const Recorder& recorder) {
  if (!recorder.filter().group.empty() && recorder.filter().group.substr(0, 2) != "S(") return;
  for (const std::string& call : permutation_frame_calls()) {
    if (!recorder.filter().wants_frame(call)) continue;
    auto generator = make_generator(34);
    for (const NamedGraph& graph : graphs(generator)) {
      const std::string name = SymmetricGroup(graph.adjacency.size(0)).name();
      if (recorder.filter().wants_group(name)) check_graph(recorder, call, graph);
    }
  }
}

}  // namespace equiframe::inline laws
