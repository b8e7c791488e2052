#include <algorithm>

#include "equiframe/core/error.h"
#include "equiframe/normals/estimate.h"
#include "torchscript/operators/operators.h"

namespace equiframe::operators {

std::tuple<Tensor, Tensor> normals(const Tensor& points, const std::string& method, int64_t k,
                                   const std::string& orient, const std::vector<double>& viewpoint,
                                   const std::vector<std::string>& networks, int64_t max_memory) {
  EstimateOptions options;
  options.method = method;
  options.k = k;
  options.orient = orient;
  options.max_memory = max_memory;
  if (!viewpoint.empty()) {
    TORCH_CHECK(viewpoint.size() == 3, "a viewpoint has three coordinates, got ", viewpoint.size());
    std::copy_n(viewpoint.begin(), 3, options.viewpoint.emplace().begin());
  }
  TORCH_CHECK(networks.size() == 3, "the networks are three files, got ", networks.size());
  options.networks = {networks[0], networks[1], networks[2]};
  const EstimatedNormals found = normals::estimate(points, options);
  return {found.normals, found.confidence};
}

}  // namespace equiframe::operators
