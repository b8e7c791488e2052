#include <utility>

#include <ATen/ATen.h>

#include "datasets/solids/stored_shapes.h"
#include "datasets/solids/surface_clouds.h"
#include "equiframe/core/error.h"

namespace equiframe::inline datasets {
namespace {

/// Stored points of random shapes; a draw takes some of them, none twice.
class StoredSurfaces final : public Surfaces {
 public:
  explicit StoredSurfaces(CadSet set) : set_(std::move(set)) {}

  int64_t size() const override { return set_.points.size(0); }

  Tensor draw(int64_t item, int64_t count, const Rng& rng) const override {
    const int64_t stored = set_.points.size(1);
    if (count > stored)
      throw UserError(c10::str("dataset cad: points=", count, " of each shape, but ", stored,
                               " are stored; lower points or raise stored"));
    constexpr uint64_t kPick = 0x7069636b;
    auto generator = make_generator(rng.bits(static_cast<uint64_t>(item), kPick));
    const Tensor pick = at::randperm(stored, generator, at::kLong).narrow(0, 0, count);
    return at::cat(
               {set_.points[item].index_select(0, pick), set_.normals[item].index_select(0, pick)},
               1)
        .to(at::kDouble);
  }

 private:
  CadSet set_;
};

class CadSource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const CloudTask task = CloudTask::from(request.options);
    constexpr ShapeCounts kUsual{800, 100, 100, 2048, "auto"};
    StoredShapes shapes = stored_shapes(request, kUsual, "dataset cad");
    const std::string description =
        c10::str(task.str(), ", ", shapes.train, "/", shapes.valid, "/", shapes.test, " shapes; ",
                 shapes.set.description.empty() ? request.folder.string() : shapes.set.description);
    const auto surfaces = std::make_shared<const StoredSurfaces>(std::move(shapes.set));
    const auto part = [&](int64_t first, int64_t count) {
      return std::make_shared<SurfaceClouds>(surfaces, first, count, task);
    };
    return {part(0, shapes.train), part(shapes.train, shapes.valid),
            part(shapes.train + shapes.valid, shapes.test), shapes.checksum, description};
  }
};

const bool kCadRegistered = Datasets::instance().add(
    "cad", "clouds of 512 points with normals on random solids and smooth shapes",
    [] { return std::make_unique<CadSource>(); });

}  // namespace
}  // namespace equiframe::inline datasets
