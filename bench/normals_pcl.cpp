/// PCA normals against PCL's, which are float32. Empty where PCL is not installed.
#ifdef EQUIFRAME_BENCH_PCL

#include <memory>

#include <pcl/features/normal_3d_omp.h>
#include <pcl/point_types.h>
#include <pcl/search/kdtree.h>

#include "normals_cloud.h"

namespace {

using namespace equiframe;

bench::Row row(int64_t k) {
  const at::Tensor points = bench::scanned_torus(100'000);
  const auto x = points.accessor<double, 2>();
  const auto cloud = std::make_shared<pcl::PointCloud<pcl::PointXYZ>>();
  for (int64_t i = 0; i < points.size(0); ++i)
    cloud->emplace_back(static_cast<float>(x[i][0]), static_cast<float>(x[i][1]),
                        static_cast<float>(x[i][2]));
  return bench::normals_row("PCL", points, k, [&](int threads) {
    pcl::NormalEstimationOMP<pcl::PointXYZ, pcl::Normal> estimation(static_cast<unsigned>(threads));
    estimation.setInputCloud(cloud);
    estimation.setSearchMethod(std::make_shared<pcl::search::KdTree<pcl::PointXYZ>>());
    estimation.setKSearch(static_cast<int>(k));
    pcl::PointCloud<pcl::Normal> normals;
    estimation.compute(normals);
  });
}

const bool kNormalsPclRegistered[] = {bench::add("normals", [] { return row(16); }),
                                      bench::add("normals", [] { return row(32); })};

}  // namespace

#endif
