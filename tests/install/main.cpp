#include <iostream>
#include <tuple>

#include <equiframe/equiframe.h>
#include <torch/torch.h>

// A program outside the project: an ordinary network, made E(3)-equivariant, and the proof.
int main() {
  torch::manual_seed(1);
  torch::nn::Sequential network(torch::nn::Linear(3, 64), torch::nn::Tanh(),
                                torch::nn::Linear(64, 3));
  network->to(torch::kFloat64);
  const auto equivariant = equiframe::make_equivariant(
      network, {.group = "E(3)", .in = "point", .out = "point", .frame = "pca"});
  equivariant->eval();

  const auto x = torch::randn({8, 20, 3}, torch::kFloat64);
  const auto rotation = std::get<0>(torch::linalg_qr(torch::randn({3, 3}, torch::kFloat64)));
  const auto shift = torch::randn({3}, torch::kFloat64);
  const auto moved = [&](const torch::Tensor& points) {
    return points.matmul(rotation.t()) + shift;
  };
  const auto error = [&](const auto& f) {
    return (f(moved(x)) - moved(f(x))).abs().max().template item<double>();
  };

  const double before = error([&](const auto& points) { return network->forward(points); });
  const double after = error([&](const auto& points) { return equivariant->forward(points); });
  std::cout << "equiframe " << equiframe::version() << ": error " << before << " before, " << after
            << " after averaging\n";
  return equiframe::version() == equiframe::kVersion && before > 0.1 && after < 1e-12 ? 0 : 1;
}
