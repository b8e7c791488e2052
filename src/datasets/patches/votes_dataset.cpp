#include <algorithm>
#include <utility>

#include <ATen/ATen.h>

#include "datasets/patches/several_rows.h"
#include "datasets/patches/vote_set.h"
#include "equiframe/core/error.h"
#include "equiframe/datasets/dataset.h"
#include "io/bytes/checksum.h"

namespace equiframe::inline datasets {
namespace {

/// One sample is a part of one cloud and gives several points to vote on, rows as the model
/// `normal-votes` takes them, and their normals.
class Votes final : public Dataset {
 public:
  Votes(VoteSet set, int64_t first, int64_t count, int64_t queries)
      : set_(std::move(set)), first_(first), count_(count), queries_(queries) {}

  int64_t size() const override { return count_; }
  bool augments() const override { return true; }

  Example get(const Tensor& indices) const override { return draw(indices, {}); }

  Example draw(const Tensor& indices, const Rng& rng) const override {
    constexpr uint64_t kQueries = 0x71756572;
    return collect_rows(indices, rng, kQueries, [&](int64_t item, at::Generator& generator) {
      return part(first_ + item, generator);
    });
  }

 private:
  Example part(int64_t cloud, at::Generator& generator) const {
    const Tensor points = set_.points[cloud], order = at::randperm(points.size(0), generator);
    const NeighborSearch search(points);
    const Tensor chosen = inner_points(points, search, order);  // [Q]
    const Tensor near =
        search.nearest(points.index_select(0, chosen), kVoters).indices.to(at::kInt);
    const int64_t count = chosen.numel();
    const Tensor offsets =
        (points.index_select(0, near.flatten()).view({count, kVoters, 3}).to(at::kDouble) -
         points.index_select(0, chosen).unsqueeze(1).to(at::kDouble))
            .contiguous();
    const Tensor squared = offsets.square().sum(2), numbers = chosen.to(at::kInt);
    const NeighborBlock block{0,
                              count,
                              kVoters,
                              numbers.data_ptr<int32_t>(),
                              near.data_ptr<int32_t>(),
                              squared.data_ptr<double>(),
                              offsets.data_ptr<double>()};
    const FirstNormals first{set_.found[cloud], set_.point_stats[cloud], set_.clouds[cloud]};
    return {Batch(VoteArrays(block, first).rows()), set_.normals[cloud].index_select(0, chosen)};
  }

  /// The first of `order` whose neighbours in the whole cloud are all in its part, which is a ball;
  /// the middle if there is none.
  Tensor inner_points(const Tensor& points, const NeighborSearch& search,
                      const Tensor& order) const {
    constexpr int64_t kTries = 4;  // half of a part is within its rim
    const Tensor tried = order.narrow(0, 0, std::min(kTries * queries_, order.numel()));
    const Tensor places = points.index_select(0, tried);
    const Tensor reach = search.nearest(places, kVoters).squared.select(1, kVoters - 1).sqrt();
    const Tensor distance = places.to(at::kDouble).square().sum(1).sqrt();
    const Tensor radius = points[points.size(0) - 1].to(at::kDouble).square().sum().sqrt();
    const Tensor inner = tried.masked_select(distance + reach <= radius);
    if (inner.numel() == 0) return at::zeros({1}, at::kLong);
    return inner.narrow(0, 0, std::min(queries_, inner.numel()));
  }

  VoteSet set_;
  int64_t first_, count_, queries_;
};

class VoteSource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const Options& options = request.options;
    if (request.folder.empty())
      throw UserError(
          "dataset votes: give the folder of a set made by 'equiframe data votes' with --data");
    const int64_t valid = options.get_int("valid", 100), test = options.get_int("test", 100);
    const int64_t queries = options.get_int("queries", 64);
    options.refuse_unread("dataset votes");
    const VoteSet set = read_votes(request.folder);
    const int64_t train = set.points.size(0) - valid - test;
    if (train < 1 || valid < 1 || test < 1 || queries < 1)
      throw UserError(c10::str("dataset votes: valid = ", valid, " and test = ", test, " of ",
                               set.points.size(0), " clouds; leave one or more for each part"));
    const auto part = [&](int64_t first, int64_t count) {
      return std::make_shared<Votes>(set, first, count, queries);
    };
    return {part(0, train), part(train, valid), part(train + valid, test),
            sha256(sha256(set.points) + sha256(set.found)),
            c10::str(queries, " points of each of ", train, "/", valid, "/", test, " clouds; ",
                     set.description)};
  }
};

const bool kVotesRegistered = Datasets::instance().add(
    "votes", "points of noisy clouds whose neighbours have normals, from 'equiframe data votes'",
    [] { return std::make_unique<VoteSource>(); });

}  // namespace
}  // namespace equiframe::inline datasets
