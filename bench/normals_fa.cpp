/// The networks of `equiframe normals --method fa`, of random weights, against the time they may
/// take.
#include <torch/types.h>

#include "normals/learned/normal_estimator.h"
#include "normals_cloud.h"

namespace {

using namespace equiframe;

/// A limit in seconds stands where other rows have a reference.
bench::Row limit_row() {
  constexpr int64_t kPoints = 100'000;
  constexpr double kSeconds = 10;  // on two cores
  const at::Tensor points = bench::scanned_torus(kPoints);
  const auto patches = make_model("fa-patch"), votes = make_model("normal-votes"),
             choice = make_model("normal-choice");
  const NormalEstimator first(*patches), both(*patches, votes.get()),
      all(*patches, votes.get(), choice.get());
  const auto run = [&](const NormalEstimator& network) {
    return bench::least_of(2, &bench::wall_seconds,
                           [&] { network.estimate(NeighborSearch(points)); });
  };
  bench::Row row{.name = c10::str("fa normals, ", kPoints, " points, two threads, of 10 s"),
                 .reference = kSeconds,
                 .goal = bench::Goal::kCost,
                 .target = 1};
  at::set_num_threads(2);
  row.ours = run(all);
  row.facts["without_choice_wall_seconds"] = run(both);
  row.facts["without_votes_wall_seconds"] = run(first);
  at::set_num_threads(1);
  return row;
}

const bool kNormalsFaRegistered = bench::add("normals", limit_row);

}  // namespace
