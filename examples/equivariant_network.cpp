// Any torch::nn::Sequential becomes an E(3)-equivariant network, and trains as it did before.
#include <cstdio>

#include <torch/torch.h>

#include "equiframe/equiframe.h"
#include "equiframe/laws/laws.h"

using namespace equiframe;
namespace nn = torch::nn;

/// What is to be learned: each of 6 bodies is drawn towards the others. x: [B, 6, 3].
Tensor pull(const Tensor& x) {
  const Tensor apart = x.unsqueeze(1) - x.unsqueeze(2);  // [B, i, j, 3]: x_j - x_i
  return (apart / (1 + apart.pow(2).sum(-1, /*keepdim=*/true))).mean(2);
}

int main() {
  torch::manual_seed(1);
  nn::Sequential network(nn::Flatten(), nn::Linear(18, 64), nn::Tanh(), nn::Linear(64, 18),
                         nn::Unflatten(nn::UnflattenOptions(1, {6, 3})));
  network->to(torch::kFloat64);
  const auto model = make_equivariant(network, {.group = "E(3)", .in = "point", .out = "vector"});

  const EuclideanGroup group = EuclideanGroup::E(3);
  const Symmetry<EuclideanGroup> symmetry{group, group.type("point"), group.type("vector")};
  const auto error_of = [&](const auto& f) {
    const torch::NoGradGuard no_gradients;
    auto generator = make_generator(2);
    const Tensor x = torch::randn({8, 6, 3}, generator, torch::kFloat64);
    return laws::equivariance_error(symmetry, f, x, generator);
  };
  const auto plain = [&](const Tensor& x) { return network->forward(x); };
  const auto averaged = [&](const Batch& x) { return model->forward(x); };

  double first = 0, last = 0;
  torch::optim::Adam adam(model->parameters(), torch::optim::AdamOptions(3e-3));
  for (int step = 0; step < 150; ++step) {
    const Tensor x = torch::randn({64, 6, 3}, torch::kFloat64);
    const Tensor loss = torch::mse_loss(model->forward(x), pull(x));
    adam.zero_grad();
    loss.backward();
    adam.step();
    last = loss.item<double>();
    if (step == 0) first = last;
  }
  std::printf("loss %.4f -> %.4f\n", first, last);
  std::printf("equivariance error: network alone %.1e, averaged %.1e\n", error_of(plain),
              error_of(averaged));
  return last < 0.5 * first && error_of(plain) > 1e-2 && error_of(averaged) < 1e-12 ? 0 : 1;
}
