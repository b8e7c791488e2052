#include "normals/learned/normal_estimator.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "normals/classical/classical_normals.h"
#include "normals/kernels/patch_features.h"
#include "normals/learned/choice_network.h"
#include "normals/learned/choice_rows.h"
#include "normals/learned/patch_weights.h"
#include "normals/learned/vote_weights.h"

namespace equiframe::inline normals {
namespace {

constexpr int64_t kMinNetworkPoints = 16;
constexpr double kLineRatio = 1e-9;  // variance across over variance along

/// Away from the mean of the neighbours.
template <class T>
void put(const double* offsets, const T* found, int64_t k, float* normal) {
  double away = 0;
  for (int64_t i = 0; i < 3 * k; ++i) away += offsets[i] * double{found[i % 3]};
  for (int c = 0; c < 3; ++c) normal[c] = static_cast<float>(away > 0 ? -found[c] : found[c]);
}

/// `found` [count, 3] of a block into their rows of `normals` [N, 3].
void put_all(const NeighborBlock& block, const std::vector<float>& found, const Tensor& normals) {
  for (int64_t b = 0; b < block.count; ++b)
    put(block.offsets + 3 * block.k * b, found.data() + 3 * b, block.k,
        normals.data_ptr<float>() + 3 * int64_t{block.points[b]});
}

/// Numbers of the whole cloud from some of its patches, spread evenly over its rows.
std::vector<float> cloud_numbers(const NeighborBlocks& search) {
  constexpr int64_t kPatches = 1000;
  const int64_t size = search.size(), every = std::max<int64_t>(1, size / kPatches);
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < size; row += every) rows.push_back(row);
  std::vector<float> numbers(rows.size() * static_cast<size_t>(kernels::kPatchFeatures));
  search.for_some(rows, NormalEstimator::kNeighbors, [&](const NeighborBlock& block) {
    for (int64_t b = 0; b < block.count; ++b)
      kernels::patch_numbers<float>(
          1, block.k, block.offsets + 3 * block.k * b,
          numbers.data() + block.points[b] / every * kernels::kPatchFeatures);
  });
  std::vector<float> cloud(static_cast<size_t>(kernels::kCloudFeatures));
  kernels::cloud_features<float>(static_cast<int64_t>(rows.size()), numbers.data(), cloud.data());
  return cloud;
}

std::vector<Tensor> copies(const Model& model) {
  std::vector<Tensor> result;
  for (const Tensor& parameter : model.parameters())
    result.push_back(parameter.detach().to(torch::kFloat32).contiguous().clone());
  return result;
}

}  // namespace

struct NormalEstimator::Weights {
  std::vector<Tensor> parameters;
  kernels::PatchNetwork<float> network;
  std::vector<Tensor> vote_parameters;
  kernels::VoteNetwork<float> votes;  // no rounds = no votes
  std::optional<ChoiceNetwork> choice;

  bool has_votes() const { return !votes.rounds.empty(); }
};

/// Work done, for who watches.
class NormalEstimator::Counter {
 public:
  /// What a point takes, about: fa-patch, votes and choice.
  static constexpr int64_t kPatch = 12, kVote = 2, kChoice = 1;

  Counter(const Progress& done, int64_t work) : done_(done), work_(work) {}
  void add(int64_t work) {
    const std::lock_guard lock(mutex_);
    finished_ += work;
    if (done_) done_(static_cast<double>(finished_) / static_cast<double>(work_));
  }

 private:
  const Progress& done_;
  int64_t work_, finished_ = 0;
  std::mutex mutex_;
};

/// What `fa-patch` says, point by point.
struct NormalEstimator::Pass {
  LearnedNormals learned;
  FirstNormals first;

  Pass(const NeighborBlocks& search, const Weights& weights)
      : learned{torch::empty({search.size(), 3}, torch::kFloat32),
                torch::zeros({search.size()}, torch::kFloat32),
                torch::empty({search.size()}, torch::kFloat32),
                torch::empty({search.size()}, torch::kBool)},
        first{learned.normals, {}, {}},
        network(weights.network),
        cloud(cloud_numbers(search)) {}

  /// Also keeps the numbers of each point.
  void tell() {
    first.point_stats = torch::zeros({learned.normals.size(0), kPointStats}, torch::kFloat32);
    first.cloud = torch::tensor(cloud);
  }

  void visit(const NeighborBlock& block) {
    std::vector<kernels::PatchNormal> found(static_cast<size_t>(block.count));
    kernels::patch_normals(network, block.count, block.k, block.offsets, cloud.data(),
                           found.data());
    for (int64_t b = 0; b < block.count; ++b) {
      const kernels::PatchNormal& one = found[static_cast<size_t>(b)];
      const int64_t point = block.points[b];
      const double* const offsets = block.offsets + 3 * block.k * b;
      put(offsets, one.normal, block.k, learned.normals.data_ptr<float>() + 3 * point);
      const double flat = one.variance[0], across = one.variance[1];
      float& spread = learned.spread.data_ptr<float>()[point];
      float& margin = learned.margin.data_ptr<float>()[point];
      spread = static_cast<float>(std::clamp(1.5 * (1 - one.agreement), 0.0, 1.0));
      margin = static_cast<float>(across > 0 ? (across - flat) / (across + flat) : 0);
      learned.degenerate.data_ptr<bool>()[point] = !(across > kLineRatio * one.variance[2]);
      if (!first.point_stats.defined()) continue;
      float* const stats = first.point_stats.data_ptr<float>() + kPointStats * point;
      stats[0] = spread;
      stats[1] = margin;
      put_heights(offsets, one.normal, block.k, stats + 2);
    }
  }

  /// Scatter and mean of the nearest heights over the plane through the point.
  static void put_heights(const double* offsets, const double* normal, int64_t k, float* to) {
    constexpr int64_t kNearest = 24;
    const int64_t count = std::min(k, kNearest);
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double* x = offsets + 3 * i;
      const double height = x[0] * normal[0] + x[1] * normal[1] + x[2] * normal[2];
      sum += height;
      squares += height * height;
    }
    const double mean = sum / static_cast<double>(count);
    to[0] = static_cast<float>(
        std::sqrt(std::max(0.0, squares / static_cast<double>(count) - mean * mean)));
    to[1] = static_cast<float>(std::abs(mean));
  }

  const kernels::PatchNetwork<float>& network;
  std::vector<float> cloud;
};

Tensor LearnedNormals::confidence() const {
  return (1 - spread) * margin;
}

NormalEstimator::NormalEstimator(const Model& patches, const Model* votes, const Model* choice) {
  if (patches.named_parameters().find("normal.backbone.slopes.layer1.weight") == nullptr)
    throw UserError("the model is not of the kind 'fa-patch', which learns normals of clouds");
  if (votes != nullptr && votes->named_parameters().find("round1.score.weight") == nullptr)
    throw UserError("the second model is not of the kind 'normal-votes', which betters normals");
  auto weights = std::make_unique<Weights>();
  weights->parameters = copies(patches);
  weights->network = patch_network<float>(weights->parameters);
  if (votes != nullptr) {
    weights->vote_parameters = copies(*votes);
    weights->votes = vote_network<float>(weights->vote_parameters);
  }
  if (choice != nullptr) weights->choice.emplace(*choice);
  weights_ = std::move(weights);
}

NormalEstimator::~NormalEstimator() = default;
NormalEstimator::NormalEstimator(NormalEstimator&&) noexcept = default;
NormalEstimator& NormalEstimator::operator=(NormalEstimator&&) noexcept = default;

FirstNormals NormalEstimator::first(const NeighborBlocks& search,
                                    const std::vector<int64_t>& points) const {
  Pass pass(search, *weights_);
  pass.tell();
  search.for_some(points, kNeighbors, [&](const NeighborBlock& block) { pass.visit(block); });
  return pass.first;
}

void NormalEstimator::vote(const NeighborBlock& block, const FirstNormals& first,
                           const Tensor& normals) const {
  std::vector<float> elected(static_cast<size_t>(3 * block.count));
  kernels::vote_normals(weights_->votes, VoteArrays(block, first).patches(), elected.data());
  put_all(block, elected, normals);
}

Tensor NormalEstimator::second(const NeighborBlocks& search, const FirstNormals& first,
                               Counter& counter) const {
  const Tensor normals = torch::empty_like(first.normals);
  search.for_each_block(kVoters, NeighborOrder::kByDistance, [&](const NeighborBlock& block) {
    vote(block, first, normals);
    counter.add(block.count * Counter::kVote);
  });
  return normals;
}

Tensor NormalEstimator::third(const NeighborBlocks& search, const FirstNormals& first,
                              const Tensor& voted, Counter& counter) const {
  const Tensor normals = torch::empty_like(voted);
  const std::vector<float> smoothness = smoothness_of(search);
  search.for_each_block(kernels::kSurfaceNeighbors, NeighborOrder::kAny,
                        [&](const NeighborBlock& block) {
                          const std::vector<float> chosen = weights_->choice->choose(
                              block.count, choice_rows(block, first, voted, smoothness).data());
                          put_all(block, chosen, normals);
                          counter.add(block.count * Counter::kChoice);
                        });
  return normals;
}

Tensor NormalEstimator::choices(const NeighborBlocks& search,
                                const std::vector<int64_t>& points) const {
  std::vector<int64_t> around;
  std::mutex mutex;
  search.for_some(points, kVoters, [&](const NeighborBlock& block) {
    const std::lock_guard lock(mutex);
    around.insert(around.end(), block.neighbors, block.neighbors + block.count * block.k);
  });
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  const FirstNormals opinions = first(search, around);
  Tensor voted = opinions.normals;
  if (weights_->has_votes()) {
    voted = opinions.normals.clone();
    search.for_some(points, kVoters,
                    [&](const NeighborBlock& block) { vote(block, opinions, voted); });
  }
  const Tensor result =
      torch::empty({static_cast<int64_t>(points.size()), kernels::kChoiceChannels});
  const std::vector<float> smoothness = smoothness_of(search);
  search.for_some(points, kernels::kSurfaceNeighbors, [&](const NeighborBlock& block) {
    const std::vector<float> rows = choice_rows(block, opinions, voted, smoothness);
    for (int64_t b = 0; b < block.count; ++b) {
      const auto at = std::lower_bound(points.begin(), points.end(), block.points[b]);
      std::copy_n(rows.data() + kernels::kChoiceChannels * b, kernels::kChoiceChannels,
                  result.data_ptr<float>() + kernels::kChoiceChannels * (at - points.begin()));
    }
  });
  return result;
}

LearnedNormals NormalEstimator::estimate(const NeighborBlocks& search, const Progress& done) const {
  const int64_t size = search.size();
  if (size < kMinNetworkPoints) {
    const PointNormals plane =
        estimate_normals(search, {NormalFit::kPca, std::max<int64_t>(size, 3), torch::kFloat32});
    return {plane.normals, torch::zeros({size}, torch::kFloat32),
            (1 - 3 * plane.variation).clamp(0, 1), plane.degenerate};
  }
  Pass pass(search, *weights_);
  const bool votes = weights_->has_votes(), choice = weights_->choice.has_value();
  if (votes || choice) pass.tell();
  Counter counter(done, size * (Counter::kPatch + (votes ? Counter::kVote : 0) +
                                (choice ? Counter::kChoice : 0)));
  search.for_each_block(kNeighbors, NeighborOrder::kByDistance, [&](const NeighborBlock& block) {
    pass.visit(block);
    counter.add(block.count * Counter::kPatch);
  });
  if (votes) pass.learned.normals = second(search, pass.first, counter);
  if (choice) pass.learned.normals = third(search, pass.first, pass.learned.normals, counter);
  return pass.learned;
}

}  // namespace equiframe::inline normals
