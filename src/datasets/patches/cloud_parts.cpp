#include "datasets/patches/cloud_parts.h"

#include <mutex>

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "equiframe/core/rng.h"

namespace equiframe::inline datasets {

void for_each_cloud_part(const CadSet& shapes, const CloudPartDraws& draws,
                         const std::function<void(int64_t m, const CloudPart& part)>& f,
                         const std::function<void(int64_t done)>& done) {
  std::mutex mutex;
  int64_t finished = 0;
  for_each_part(draws.clouds, [&](int64_t m) {
    const int64_t shape = m * shapes.points.size(0) / draws.clouds;
    auto generator = make_generator(Rng{draws.seed}.bits(static_cast<uint64_t>(m), draws.stream));
    const SurfaceCloud cloud =
        draw_cloud({shapes.points[shape].to(at::kDouble), shapes.normals[shape].to(at::kDouble)},
                   draws.cloud, generator);
    const NeighborSearch search(cloud.points);
    const int64_t middle = at::randint(cloud.points.size(0), {1}, generator).item<int64_t>();
    const Tensor rows =
        search.nearest(cloud.points.narrow(0, middle, 1), draws.points).indices.squeeze(0);
    f(m, {cloud, search, rows});
    const std::lock_guard lock(mutex);
    if (done) done(++finished);
  });
}

}  // namespace equiframe::inline datasets
