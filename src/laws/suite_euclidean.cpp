#include <algorithm>
#include <optional>

#include "equiframe/core/error.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/groups/symmetric.h"
#include "equiframe/laws/zoo.h"
#include "laws/suite_parts.h"

namespace equiframe::inline laws {
namespace {

using EuclideanFrame = Frame<EuclideanGroup>;

/// A frame under test.
struct Subject {
  EuclideanGroup group;
  std::string call;
  FieldType in;
  std::shared_ptr<const EuclideanFrame> frame;

  std::string name() const { return group.name() + " " + call; }
  /// Principal axes refuse ties unless told otherwise; everything else must answer.
  bool refuses_ties() const {
    return call.rfind("pca", 0) == 0 && call.find("degenerate") == std::string::npos;
  }
};

/// Registered frames by their defaults, and the named choices worth a row of their own.
std::vector<std::string> euclidean_frame_calls() {
  auto calls = Frames<EuclideanGroup>::instance().names();
  for (const char* call :
       {"pca(degenerate=minimal)", "pca(degenerate=sample)", "sampled(k=2, base=pca)"})
    calls.emplace_back(call);
  return calls;
}

/// nullopt where the frame says it does not serve this group.
std::optional<Subject> subject_of(const EuclideanGroup& group, const std::string& call,
                                  const std::string& in) {
  try {
    return Subject{group, call, group.type(in), make_frame(call, group, group.type(in))};
  } catch (const UserError&) {
    return std::nullopt;
  }
}

void check_equivariance(const Recorder& recorder, const Subject& subject, const NamedCloud& cloud,
                        torch::ScalarType type) {
  const Tensor x = attributed(cloud.points, 1, 1).expand({3, -1, -1}).contiguous();
  for (const char* out : {"scalar", "point + vector + pseudovector + tensor"}) {
    auto generator = make_generator(11);
    const Symmetry<EuclideanGroup> symmetry{subject.group, subject.in, subject.group.type(out)};
    const RandomMlp phi(x[0].numel(), {x.size(1), symmetry.out.channels(subject.group.dim())},
                        generator);
    const auto model = [&](const Batch& batch) {
      return equivariant_average(symmetry, (*subject.frame)(batch), phi, batch);
    };
    recorder.add("equivariance of the average",
                 subject.name() + " | " + subject.in.str() + " -> " + out + " | " + cloud.name,
                 type, laws::equivariance_error(symmetry, in_type(type, model), x, generator),
                 kAverageTolerance.of(type));
  }
}

/// Reordering the points changes nothing (Theorem 2 with H = S_n).
void check_reordering(const Recorder& recorder, const Subject& subject, const NamedCloud& cloud,
                      torch::ScalarType type) {
  auto generator = make_generator(12);
  const Tensor x = attributed(cloud.points, 1, 1).expand({3, -1, -1}).contiguous();
  const Symmetry<EuclideanGroup> symmetry{subject.group, subject.in, subject.group.type("vector")};
  const RandomSetNetwork phi(x.size(2), subject.group.dim(), generator);
  const auto model = [&](const Batch& batch) {
    return equivariant_average(symmetry, (*subject.frame)(batch), phi, batch);
  };
  const Symmetry<SymmetricGroup> reorder{SymmetricGroup(x.size(1)), PermutationType::parse("node"),
                                         PermutationType::parse("node")};
  recorder.add("reordering the points", subject.name() + " | " + cloud.name, type,
               laws::equivariance_error(reorder, in_type(type, model), x, generator),
               kAverageTolerance.of(type));
}

void check_frame_itself(const Recorder& recorder, const Subject& subject, const NamedCloud& cloud) {
  auto generator = make_generator(13);
  const Batch x(attributed(cloud.points, 1, 1).expand({3, -1, -1}).contiguous());
  const std::string name = subject.name() + " | " + cloud.name;
  const double tolerance = kAverageTolerance.float64;
  const auto add = [&](const char* law, double error) {
    recorder.add(law, name, torch::kFloat64, error, tolerance);
  };
  add("weights are a distribution", laws::weight_error((*subject.frame)(x)));
  add("F(gX) = gF(X)",
      laws::frame_equivariance_error(subject.group, *subject.frame, subject.in, x, generator) /
          std::max(1.0, x.x.abs().max().item<double>()));
  add("framed inputs do not move",
      laws::framed_set_error(subject.group, *subject.frame, subject.in, x, generator));
  const Symmetry<EuclideanGroup> symmetry{subject.group, subject.in, subject.group.type("vector")};
  const RandomMlp phi(x.x[0].numel(), {x.nodes(), subject.group.dim()}, generator);
  add("averaging twice is averaging once",
      laws::projection_error(symmetry, *subject.frame, phi, x));
}

/// Never silently wrong: error 0 if the frame throws UserError, 1 if it answers.
void check_refusal(const Recorder& recorder, const Subject& subject, const NamedCloud& cloud) {
  double error = 1;
  try {
    (*subject.frame)(Batch(cloud.points.unsqueeze(0)));
  } catch (const UserError&) {
    error = 0;
  }
  recorder.add("refuses where it is not defined", subject.name() + " | " + cloud.name,
               torch::kFloat64, error, 0);
}

void check_in_distribution(const Recorder& recorder, const Subject& subject,
                           const NamedCloud& cloud) {
  auto generator = make_generator(14);
  const Tensor x = attributed(cloud.points, 1, 1);
  const Symmetry<EuclideanGroup> symmetry{subject.group, subject.in, subject.group.type("vector")};
  const RandomMlp phi(x[0].numel(), {2, subject.group.dim()}, generator);
  recorder.add("equivariance in distribution [standard errors]",
               subject.name() + " | " + cloud.name, torch::kFloat64,
               laws::distribution_error(symmetry, *subject.frame, phi, x, generator),
               kStandardErrors);
}

void check_baseline(const Recorder& recorder, const Subject& subject, const NamedCloud& cloud) {
  auto generator = make_generator(15);
  const Batch x(attributed(cloud.points, 1, 1));
  const Symmetry<EuclideanGroup> symmetry{subject.group, subject.in, subject.group.type("vector")};
  const RandomMlp phi(x.x[0].numel(), {x.nodes(), subject.group.dim()}, generator);
  const Tensor averaged = equivariant_average(symmetry, (*subject.frame)(x), phi, x);
  recorder.add("the baseline is the backbone itself", subject.name() + " | " + cloud.name,
               torch::kFloat64, laws::relative_difference(averaged, phi(x)), 1e-15);
}

/// The clouds on which an exact frame of `subject` must keep its promise.
std::vector<NamedCloud> clouds_for(const Subject& subject) {
  auto generator = make_generator(16);
  auto clouds = generic_clouds(subject.group.dim(), generator);
  // Seen from the origin a far cloud is almost one direction: its axes are ill-conditioned.
  if (!subject.group.has_shifts()) clouds.pop_back();
  if (!subject.refuses_ties()) {
    for (NamedCloud& cloud : symmetric_clouds(subject.group.dim())) {
      // A group that fixes the origin sees the symmetry only of clouds centred there.
      if (!subject.group.has_shifts()) cloud.points = cloud.points - cloud.points.mean(0, true);
      clouds.push_back(std::move(cloud));
    }
  }
  return clouds;
}

void check_exact(const Recorder& recorder, const Subject& subject) {
  for (const NamedCloud& cloud : clouds_for(subject)) {
    if (recorder.filter().wants_dtype(torch::kFloat64))
      check_frame_itself(recorder, subject, cloud);
    for (const auto type : kTypes) {
      if (!recorder.filter().wants_dtype(type)) continue;
      // At distance 1e3 float32 keeps four digits of the extent: the input itself is inexact.
      if (type == torch::kFloat32 && cloud.name == "far") continue;
      check_equivariance(recorder, subject, cloud, type);
      check_reordering(recorder, subject, cloud, type);
    }
  }
}

void check_subject(const Recorder& recorder, const Subject& subject) {
  if (subject.frame->guarantee() == Guarantee::kExact) check_exact(recorder, subject);
  if (!recorder.filter().wants_dtype(torch::kFloat64)) return;
  auto generator = make_generator(17);
  const auto random = generic_clouds(subject.group.dim(), generator).front();
  if (subject.frame->guarantee() == Guarantee::kNone)
    return check_baseline(recorder, subject, random);
  if (subject.frame->guarantee() == Guarantee::kInDistribution) {
    check_in_distribution(recorder, subject, random);
    if (subject.call != "pca(degenerate=sample)" || subject.group.dim() != 3) return;
    for (const NamedCloud& cloud : symmetric_clouds(subject.group.dim()))
      check_in_distribution(recorder, subject, cloud);
    for (const NamedCloud& cloud : infinite_clouds(subject.group.dim()))
      check_in_distribution(recorder, subject, cloud);
    return;
  }
  if (subject.group.linear() == EuclideanGroup::Linear::kIdentity) return;
  const auto plain = subject_of(subject.group, subject.call, "point");
  if (subject.refuses_ties() && subject.group.has_shifts()) {
    for (const NamedCloud& cloud : symmetric_clouds(subject.group.dim())) {
      check_refusal(recorder, *plain, cloud);
    }
  }
  if (!subject.group.has_shifts()) return;
  for (const NamedCloud& cloud : infinite_clouds(subject.group.dim()))
    check_refusal(recorder, *plain, cloud);
}

std::vector<EuclideanGroup> groups_under_test() {
  std::vector<EuclideanGroup> groups{EuclideanGroup::T(1), EuclideanGroup::T(3)};
  for (const int64_t d : {2, 3}) {
    for (const EuclideanGroup& group :
         {EuclideanGroup::O(d), EuclideanGroup::SO(d), EuclideanGroup::E(d), EuclideanGroup::SE(d)})
      groups.push_back(group);
  }
  groups.push_back(EuclideanGroup::E(1));
  groups.push_back(EuclideanGroup::SE(4));
  return groups;
}

}  // namespace

void check_euclidean_frames(const Recorder& recorder) {
  for (const EuclideanGroup& group : groups_under_test()) {
    if (!recorder.filter().wants_group(group.name())) continue;
    for (const std::string& call : euclidean_frame_calls()) {
      if (!recorder.filter().wants_frame(call)) continue;
      const auto subject = subject_of(group, call, "point + vector + scalar");
      if (subject) check_subject(recorder, *subject);
    }
  }
}

}  // namespace equiframe::inline laws
