#pragma once

#include <memory>
#include <string>

#include "equiframe/core/options.h"
#include "equiframe/datasets/dataset.h"

namespace equiframe::inline datasets {

/// Surfaces that points with normals can be drawn from.
class Surfaces {
 public:
  virtual ~Surfaces() = default;
  virtual int64_t size() const = 0;
  /// `count` points of surface `item` and their unit normals, [count, 6] float64; draws come from
  /// `rng` at this item and nowhere else.
  virtual Tensor draw(int64_t item, int64_t count, const Rng& rng) const = 0;
};

/// What happens to a cloud between the surface and the network: Sec. 4.1 and appendix of the paper.
struct CloudTask {
  int64_t points = 512;
  bool turn_train = false, turn_test = false;   ///< I/I, I/SO(3), SO(3)/SO(3)
  double least_scale = 0.8, most_scale = 1.25;  ///< of a training cloud, after the rotation
  uint64_t seed = 0;                            ///< of the draws of validation and test

  /// The settings `points`, `setting` (I/I, I/SO3 or SO3/SO3) and `draw_seed` of a data set.
  static CloudTask from(const Options& options);
  std::string str() const;
};

/// Clouds [B, points, 3] and their normals. `get` is the same at every call and turned if the task
/// says so of tests; `draw` takes new points, a new rotation (if the task says so of training) and
/// a new scale. Every cloud is centred and divided by the standard deviation of the points'
/// distances from its centre; by their root mean square where that is next to nothing, as on a
/// sphere.
class SurfaceClouds final : public Dataset {
 public:
  /// `count` surfaces from number `first` on.
  SurfaceClouds(std::shared_ptr<const Surfaces> surfaces, int64_t first, int64_t count,
                CloudTask task);

  int64_t size() const override { return count_; }
  Example get(const Tensor& indices) const override;
  Example draw(const Tensor& indices, const Rng& rng) const override;
  bool augments() const override { return true; }

 private:
  Example samples(const Tensor& indices, const Rng& rng, bool training) const;

  std::shared_ptr<const Surfaces> surfaces_;
  int64_t first_, count_;
  CloudTask task_;
};

}  // namespace equiframe::inline datasets
