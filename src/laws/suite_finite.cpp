#include "equiframe/frames/generic.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/groups/product.h"
#include "laws/suite_parts.h"

namespace equiframe::inline laws {
namespace {

/// Group averaging over a finite group is exact: the trivial frame F = G (Eq. 1).
template <Group G>
void check_listed(const Recorder& recorder, const Frame<G>& frame, const std::string& name,
                  const Symmetry<G>& symmetry, const Tensor& x, std::vector<int64_t> out_shape) {
  auto generator = make_generator(21);
  const RandomMlp phi(x[0].numel(), std::move(out_shape), generator);
  const auto model = [&](const Batch& batch) {
    return equivariant_average(symmetry, frame(batch), phi, batch);
  };
  const std::string subject =
      symmetry.group.name() + " " + name + " | " + symmetry.in.str() + " -> " + symmetry.out.str();
  for (const auto type : kTypes) {
    if (!recorder.filter().wants_dtype(type)) continue;
    recorder.add("equivariance of the average", subject, type,
                 laws::equivariance_error(symmetry, in_type(type, model), x, generator),
                 kAverageTolerance.of(type));
  }
  if (!recorder.filter().wants_dtype(torch::kFloat64)) return;
  recorder.add("F(gX) = gF(X)", subject, torch::kFloat64,
               laws::frame_equivariance_error(symmetry.group, frame, symmetry.in, x, generator),
               kAverageTolerance.float64);
  recorder.add("averaging twice is averaging once", subject, torch::kFloat64,
               laws::projection_error(symmetry, frame, phi, x), kAverageTolerance.float64);
}

template <Group G>
void check_drawn(const Recorder& recorder, const Frame<G>& frame, const std::string& name,
                 const Symmetry<G>& symmetry, const Tensor& x, std::vector<int64_t> out_shape) {
  if (!recorder.filter().wants_dtype(torch::kFloat64)) return;
  auto generator = make_generator(22);
  const RandomMlp phi(x[0].numel(), std::move(out_shape), generator);
  recorder.add("equivariance in distribution [standard errors]", symmetry.group.name() + " " + name,
               torch::kFloat64,
               laws::distribution_error(symmetry, frame, phi, x.narrow(0, 0, 1), generator),
               kStandardErrors);
}

template <Group G>
void check_planar_like(const Recorder& recorder, const G& group, int64_t dim) {
  if (!recorder.filter().wants_group(group.name())) return;
  auto generator = make_generator(23);
  const Symmetry<G> symmetry{group, group.type("vector + scalar"),
                             group.type("vector + pseudoscalar + tensor")};
  const Tensor x = torch::randn({4, 5, symmetry.in.channels(dim)}, generator, torch::kFloat64);
  const std::vector<int64_t> out_shape{5, symmetry.out.channels(dim)};
  auto calls = Frames<G>::instance().names();
  for (const char* call : {"whole(samples=3)", "sampled(k=2, base=whole)"})
    calls.emplace_back(call);
  for (const std::string& call : calls) {
    if (!recorder.filter().wants_frame(call)) continue;
    const auto frame = make_frame(call, group, symmetry.in);
    if (frame->guarantee() == Guarantee::kNone) continue;
    if (frame->guarantee() == Guarantee::kExact)
      check_listed(recorder, *frame, call, symmetry, x, out_shape);
    else
      check_drawn(recorder, *frame, call, symmetry, x, out_shape);
  }
}

void check_product(const Recorder& recorder) {
  using Turns = ProductGroup<PlanarGroup, SymmetricGroup>;
  const Turns group(PlanarGroup::C(4), SymmetricGroup(4));
  if (!recorder.filter().wants_group(group.name()) || !recorder.filter().wants_frame("whole"))
    return;
  auto generator = make_generator(24);
  const Symmetry<Turns> symmetry{group, group.type("vector + scalar & node"),
                                 group.type("vector & node")};
  const Tensor x = torch::randn({3, 4, 3}, generator, torch::kFloat64);
  check_listed(recorder, WholeFrame<Turns>(group, 0), "whole", symmetry, x, {4, 2});
}

}  // namespace

void check_finite_frames(const Recorder& recorder) {
  for (const PlanarGroup& group : {PlanarGroup::C(4), PlanarGroup::C(5), PlanarGroup::D(6)})
    check_planar_like(recorder, group, 2);
  for (const int64_t d : {1, 3}) check_planar_like(recorder, SignFlips(d), d);
  check_product(recorder);
}

}  // namespace equiframe::inline laws
