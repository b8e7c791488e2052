/// PCA normals against CGAL's. Empty where CGAL is not installed.
#ifdef EQUIFRAME_BENCH_CGAL

#include <utility>
#include <vector>

#include <CGAL/Simple_cartesian.h>
#include <CGAL/pca_estimate_normals.h>
#include <CGAL/property_map.h>

#include "normals_cloud.h"

namespace {

using namespace equiframe;

using Kernel = CGAL::Simple_cartesian<double>;
using Oriented = std::pair<Kernel::Point_3, Kernel::Vector_3>;

/// CGAL is built without threads here; with two it has one.
bench::Row row(int64_t k) {
  const at::Tensor points = bench::scanned_torus(100'000);
  const auto x = points.accessor<double, 2>();
  std::vector<Oriented> cloud;
  cloud.reserve(static_cast<size_t>(points.size(0)));
  for (int64_t i = 0; i < points.size(0); ++i)
    cloud.emplace_back(Kernel::Point_3(x[i][0], x[i][1], x[i][2]), Kernel::Vector_3());
  return bench::normals_row("CGAL", points, k, [&](int) {
    CGAL::pca_estimate_normals<CGAL::Sequential_tag>(
        cloud, static_cast<unsigned>(k),
        CGAL::parameters::point_map(CGAL::First_of_pair_property_map<Oriented>())
            .normal_map(CGAL::Second_of_pair_property_map<Oriented>()));
  });
}

const bool kNormalsCgalRegistered[] = {bench::add("normals", [] { return row(16); }),
                                       bench::add("normals", [] { return row(32); })};

}  // namespace

#endif
