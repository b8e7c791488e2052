#include <cmath>

#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "equiframe/laws/zoo.h"

namespace equiframe::inline laws {
namespace {

Tensor polygon(int64_t sides) {
  const Tensor angle =
      torch::arange(sides, torch::kFloat64) * (2 * M_PI / static_cast<double>(sides));
  return torch::stack({angle.cos(), angle.sin()}, 1);
}

/// All points of {-1, 1}^d.
Tensor hypercube(int64_t dim) {
  const Tensor bits = torch::arange(int64_t{1} << dim)
                          .unsqueeze(1)
                          .bitwise_right_shift(torch::arange(dim))
                          .bitwise_and(1);
  return (1 - 2 * bits).to(torch::kFloat64);
}

Tensor octahedron(int64_t dim) {
  const Tensor axes = torch::eye(dim, torch::kFloat64);
  return torch::cat({axes, -axes});
}

Tensor tetrahedron() {
  return torch::tensor({1., 1., 1., 1., -1., -1., -1., 1., -1., -1., -1., 1.}, torch::kFloat64)
      .view({4, 3});
}

/// Cyclic permutations of (0, +-1, +-phi).
Tensor icosahedron() {
  const double phi = (1 + std::sqrt(5.0)) / 2;
  std::vector<double> rows;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double a : {-1.0, 1.0}) {
      for (const double b : {-phi, phi}) {
        double p[3];
        p[axis] = 0;
        p[(axis + 1) % 3] = a;
        p[(axis + 2) % 3] = b;
        rows.insert(rows.end(), p, p + 3);
      }
    }
  }
  return torch::tensor(rows, torch::kFloat64).view({12, 3});
}

Tensor prism(int64_t sides) {
  const Tensor base = polygon(sides);
  const Tensor height = torch::full({sides, 1}, 0.7, torch::kFloat64);
  return torch::cat({torch::cat({base, height}, 1), torch::cat({base, -height}, 1)});
}

/// Off the origin and turned, so that nothing is aligned by accident.
Tensor place(const Tensor& points, int64_t dim) {
  auto generator = make_generator(7);
  const Tensor gaussian = torch::randn({dim, dim}, generator, torch::kFloat64);
  const Tensor turn = std::get<0>(torch::linalg_qr(gaussian));
  return points.matmul(turn.t()) + 0.5 * torch::randn({dim}, generator, torch::kFloat64);
}

}  // namespace

std::vector<NamedCloud> symmetric_clouds(int64_t dim) {
  std::vector<NamedCloud> clouds;
  if (dim == 2) clouds = {{"square", polygon(4)}, {"pentagon", polygon(5)}};
  if (dim == 3) {
    const Tensor flat = torch::cat({polygon(4), torch::zeros({4, 1}, torch::kFloat64)}, 1);
    clouds = {{"square", flat},
              {"cube", hypercube(3)},
              {"tetrahedron", tetrahedron()},
              {"octahedron", octahedron(3)},
              {"icosahedron", icosahedron()},
              {"prism 3", prism(3)},
              {"prism 6", prism(6)}};
  }
  if (dim > 3) clouds = {{"cross-polytope", octahedron(dim)}};
  for (NamedCloud& cloud : clouds) cloud.points = place(cloud.points, dim);
  return clouds;
}

double symmetry_order(const std::string& name, int64_t dim) {
  if (name == "square") return dim == 2 ? 8 : 16;
  if (name == "pentagon") return 10;
  if (name == "cube" || name == "octahedron") return 48;
  if (name == "tetrahedron") return 24;
  if (name == "icosahedron") return 120;
  if (name == "prism 3") return 12;
  if (name == "prism 6") return 24;
  TORCH_CHECK(name == "cross-polytope", "no symmetric cloud named ", name);
  return std::tgamma(static_cast<double>(dim) + 1) * std::pow(2.0, static_cast<double>(dim));
}

std::vector<NamedCloud> generic_clouds(int64_t dim, at::Generator& generator) {
  const auto normal = [&](int64_t n, int64_t d) {
    return torch::randn({n, d}, generator, torch::kFloat64);
  };
  const auto skewed = [&](int64_t n) {  // distinct extents keep the spectrum well apart
    return normal(n, dim) * torch::linspace(1.0, 0.4, dim, torch::kFloat64);
  };
  std::vector<NamedCloud> clouds{{"random", place(skewed(9), dim)}};
  if (dim > 1) {
    Tensor flat = skewed(8);
    flat.select(1, dim - 1).zero_();
    clouds.push_back({"planar", place(flat, dim)});
    Tensor thin = skewed(8);
    thin.select(1, dim - 1).mul_(1e-3);
    clouds.push_back({"flat", place(thin, dim)});
    clouds.push_back({"few", place(skewed(dim), dim)});
  }
  clouds.push_back({"far", place(skewed(9), dim) + 1e3});
  return clouds;
}

std::vector<NamedCloud> infinite_clouds(int64_t dim) {
  std::vector<NamedCloud> clouds;
  if (dim > 1)
    clouds.push_back({"coincident", place(torch::zeros({5, dim}, torch::kFloat64), dim)});
  if (dim > 2) {
    Tensor line = torch::zeros({5, dim}, torch::kFloat64);
    line.select(1, 0).copy_(torch::tensor({0., 1., 1.5, 3., 7.}, torch::kFloat64));
    clouds.push_back({"linear", place(line, dim)});
  }
  return clouds;
}

Tensor attributed(const Tensor& points, int64_t vectors, int64_t scalars) {
  const Tensor centred = points - points.mean(0, /*keepdim=*/true);
  std::vector<Tensor> parts{points};
  for (int64_t i = 0; i < vectors; ++i) parts.push_back(centred * (0.7 + static_cast<double>(i)));
  for (int64_t i = 0; i < scalars; ++i)
    parts.push_back(centred.norm(2, {1}, /*keepdim=*/true) * (1.0 + static_cast<double>(i)));
  return torch::cat(parts, 1).unsqueeze(0);
}

}  // namespace equiframe::inline laws
