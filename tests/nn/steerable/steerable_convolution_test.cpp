#include "nn/steerable/steerable_convolution.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "tests/models/particles/particle_checks.h"

namespace equiframe {
namespace {

using namespace particle_checks;

/// m_e = sum_J R_J K_J h_src with the whole kernel written out, edge by edge.
Tensor dense_messages(SteerableConvolution& convolution, const AngularBasis& basis, const Tensor& h,
                      const ParticleGraph& graph) {
  const auto parameters = convolution.named_parameters();
  const Tensor weight = parameters["weight"];  // [terms, H + 1, in, out]
  const Tensor z = convolution.named_children()["radial"]->as<RadialTrunks>()->forward(
      graph.distance);  // [networks, P, H]
  const int64_t pairs = graph.distance.size(0), degrees = 3;
  Tensor result = torch::zeros({2 * pairs, 9, weight.size(3)}, torch::kFloat64);
  const Tensor source = torch::stack({graph.pairs.second, graph.pairs.first}, 1).flatten();
  for (size_t t = 0; t < basis.terms().size(); ++t) {
    const auto& term = basis.terms()[t];
    const Tensor w = weight[static_cast<int64_t>(t)];
    const Tensor with_one =
        torch::cat({z[term.in * degrees + term.out], torch::ones({pairs, 1}, torch::kFloat64)}, 1);
    const Tensor r = torch::einsum("pc,cio->pio", {with_one, w}).repeat_interleave(2, 0);
    const int64_t in = 2 * term.in + 1, out = 2 * term.out + 1;
    const int64_t first = std::abs(term.in - term.out), count = term.in + term.out - first + 1;
    const Tensor k = graph.basis.narrow(0, 2 * pairs * term.start, 2 * pairs * count * in * out)
                         .view({2 * pairs, count, in, out})
                         .select(1, term.j - first);
    const Tensor sent = h.index_select(0, source).narrow(1, term.in * term.in, in);
    result.narrow(1, term.out * term.out, out) += torch::einsum("eio,eba,ebi->eao", {r, k, sent});
  }
  return result;
}

TEST(SteerableConvolution, IsTheSumOverTermsOfRadialTimesAngularKernels) {
  torch::manual_seed(1);
  const torch::NoGradGuard guard;
  const AngularBasis basis(3);
  SteerableConvolution convolution(basis, {0, 3, 5}, {0, 3, 6});
  convolution.to(torch::kFloat64);
  const Tensor x = random_particles(20, 5);  // 200 pairs, several blocks of the kernel
  const auto graph = particle_graph(Batch(x), x.narrow(2, 0, 3), basis);
  const Tensor h = torch::randn({100, 9, 5}, torch::kFloat64);
  const Tensor expected = dense_messages(convolution, basis, h, graph);
  EXPECT_LT(laws::relative_difference(convolution.forward(h, graph), expected), 1e-12);
}

TEST(SteerableConvolution, GivesTheSameGradientsOnAnyNumberOfThreads) {
  torch::manual_seed(1);
  const AngularBasis basis(2);
  SteerableConvolution convolution(basis, {0, 2, 5}, {0, 2, 6});
  const Tensor x = random_particles(80, 5).to(torch::kFloat32);  // 800 pairs
  const auto graph = particle_graph(Batch(x), x.narrow(2, 0, 3), basis);
  const Tensor h = torch::randn({400, 4, 5}).requires_grad_();
  const auto gradients = [&] {
    std::vector<Tensor> variables = convolution.parameters();
    variables.push_back(h);
    return torch::autograd::grad({convolution.forward(h, graph).square().mean()}, variables);
  };
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = gradients();
  at::set_num_threads(3);
  const auto three = gradients();
  at::set_num_threads(threads);
  for (size_t k = 0; k < one.size(); ++k)
    EXPECT_LT(laws::relative_difference(three[k], one[k]), 1e-5) << k;
}

TEST(SteerableConvolution, RefusesSecondDerivativesInsteadOfDroppingThem) {
  const AngularBasis basis(2);
  SteerableConvolution convolution(basis, {0, 2, 2}, {0, 2, 2});
  const Tensor x = random_particles(1, 3).to(torch::kFloat32);
  const auto graph = particle_graph(Batch(x), x.narrow(2, 0, 3), basis);
  const Tensor h = torch::randn({3, 4, 2}).requires_grad_();
  const Tensor y = convolution.forward(h, graph).square().sum();
  EXPECT_THROW(torch::autograd::grad({y}, {h}, {}, /*retain_graph=*/true, /*create_graph=*/true),
               c10::Error);
}

}  // namespace
}  // namespace equiframe
