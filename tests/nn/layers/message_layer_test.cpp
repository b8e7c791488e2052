#include "nn/layers/message_layer.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include "nn/graphs/graph.h"
#include "tests/models/relative_error.h"

namespace equiframe {
namespace {

using test_support::relative;

struct Case {
  Tensor h, neighbors, edge;
};

/// Random graphs in which some neighbours are missing.
Case random_case(int64_t batch, int64_t nodes, const MessageLayer::Shape& shape,
                 c10::ScalarType type) {
  Case c{torch::randn({batch, nodes, shape.width}, type), complete_graph(batch, nodes), {}};
  c.neighbors = torch::where(torch::rand(c.neighbors.sizes()) < 0.2,
                             torch::full_like(c.neighbors, -1), c.neighbors);
  c.edge = torch::randn({batch, nodes, nodes - 1, shape.feature}, type);
  return c;
}

/// Values and gradients of the fused layer against its plain form, for all inputs and parameters.
double fused_error(const MessageLayer::Shape& shape, const Case& c, double tolerance) {
  MessageLayer layer(shape);
  layer.to(c.h.scalar_type());
  std::vector<Tensor> inputs{c.h.clone().requires_grad_(), c.edge.clone().requires_grad_()};
  const auto a =
      layer.forward(inputs[0], c.neighbors, inputs[1], MessageLayer::Messages::kReturned);
  const auto b = layer.plain(inputs[0], c.neighbors, inputs[1]);
  const Tensor w = torch::randn_like(a.h), v = torch::randn_like(a.messages);
  for (const Tensor& p : layer.parameters()) inputs.push_back(p);
  const auto loss = [&](const MessageLayer::Output& o) {
    return (o.h * w).sum() + (o.messages * v).sum();
  };
  const auto ga = torch::autograd::grad({loss(a)}, inputs);
  const auto gb = torch::autograd::grad({loss(b)}, inputs);
  double worst = std::max(relative(a.h, b.h), relative(a.messages, b.messages));
  for (size_t k = 0; k < inputs.size(); ++k) worst = std::max(worst, relative(ga[k], gb[k]));
  EXPECT_LT(worst, tolerance) << "width " << shape.width << " hidden " << shape.hidden;
  return worst;
}

TEST(MessageLayer, EqualsItsEquationsInValueAndGradient) {
  torch::manual_seed(1);
  const MessageLayer::Shape shapes[] = {
      {60, 60, 2}, {64, 64, 3}, {7, 20, 1}, {3, 5, 4}, {16, 33, 0}};
  for (const auto& shape : shapes) {
    for (const int64_t nodes : {2, 5, 17}) {
      fused_error(shape, random_case(23, nodes, shape, torch::kFloat64), 1e-12);
      fused_error(shape, random_case(23, nodes, shape, torch::kFloat32), 1e-5);
    }
  }
}

TEST(MessageLayer, PassesFiniteDifferences) {
  torch::manual_seed(2);
  const MessageLayer::Shape shape{4, 6, 2};
  const Case c = random_case(2, 3, shape, torch::kFloat64);
  MessageLayer layer(shape);
  layer.to(torch::kFloat64);
  const Tensor direction = torch::randn_like(c.h), weight = torch::randn_like(c.h);
  const auto value = [&](double t) {
    return (layer.forward(c.h + t * direction, c.neighbors, c.edge).h * weight).sum();
  };
  const Tensor t = torch::zeros({}, torch::kFloat64).requires_grad_();
  const Tensor y = (layer.forward(c.h + t * direction, c.neighbors, c.edge).h * weight).sum();
  const double slope = torch::autograd::grad({y}, {t})[0].item<double>();
  const double difference = ((value(1e-5) - value(-1e-5)) / 2e-5).item<double>();
  EXPECT_NEAR(slope, difference, 1e-8 * std::abs(slope) + 1e-8);
}

/// f(S_k h) written out: every copy flipped by hand.
Tensor copies_by_hand(MessageLayer& layer, const Case& c, const Tensor& signs) {
  const int64_t k = signs.size(0);
  const Tensor wide = signs.repeat({1, c.h.size(2) / signs.size(1)});
  const Tensor flipped = (c.h.unsqueeze(1) * wide.unsqueeze(1)).flatten(0, 1);
  return layer.forward(flipped, c.neighbors.repeat_interleave(k, 0), c.edge.repeat_interleave(k, 0))
      .h;
}

TEST(MessageLayer, FlipsShareWorkWithoutChangingValuesOrGradients) {
  torch::manual_seed(3);
  const MessageLayer::Shape shape{12, 10, 2};
  for (const int64_t count : {1, 4, 8}) {
    Case c = random_case(9, 5, shape, torch::kFloat64);
    MessageLayer layer(shape);
    layer.to(torch::kFloat64);
    const Tensor signs = torch::randint(0, 2, {count, 3}, torch::kFloat64) * 2 - 1;
    c.h.requires_grad_();
    c.edge.requires_grad_();
    const Tensor by_hand = copies_by_hand(layer, c, signs);
    const Tensor average = layer.flip_average(c.h, c.neighbors, c.edge, signs);
    const Tensor mean =
        (by_hand.unflatten(0, {9, count}) * signs.repeat({1, 4}).unsqueeze(1)).mean(1);
    EXPECT_LT(relative(average, mean), 1e-13);
    std::vector<Tensor> inputs{c.h, c.edge};
    for (const Tensor& p : layer.parameters()) inputs.push_back(p);
    const Tensor v = torch::randn_like(average);
    const auto ga = torch::autograd::grad({(average * v).sum()}, inputs);
    const auto gb = torch::autograd::grad({(mean * v).sum()}, inputs);
    for (size_t k = 0; k < inputs.size(); ++k) EXPECT_LT(relative(ga[k], gb[k]), 1e-11) << k;
  }
}

TEST(MessageLayer, ADecoderBehindTheFlipsIsFoldedIn) {
  torch::manual_seed(10);
  const MessageLayer::Shape shape{12, 10, 2};
  Case c = random_case(9, 4, shape, torch::kFloat64);
  MessageLayer layer(shape);
  torch::nn::Linear hidden(12, 10), last(10, 3);
  layer.to(torch::kFloat64);
  hidden->to(torch::kFloat64);
  last->to(torch::kFloat64);
  c.h.requires_grad_();
  for (const int64_t count : {3, 8}) {
    const Tensor signs = torch::randint(0, 2, {count, 3}, torch::kFloat64) * 2 - 1;
    const Tensor decoded =
        last->forward(torch::silu(hidden->forward(copies_by_hand(layer, c, signs))));
    const Tensor mean = (decoded.unflatten(0, {9, count}) * signs.unsqueeze(1)).mean(1);
    const Tensor average =
        layer.decoded_flip_average(hidden, last, c.h, c.neighbors, c.edge, signs);
    EXPECT_LT(relative(average, mean), 1e-13);
    std::vector<Tensor> inputs{c.h, hidden->weight, hidden->bias, last->weight, last->bias};
    for (const Tensor& p : layer.parameters()) inputs.push_back(p);
    const Tensor v = torch::randn_like(average);
    const auto ga = torch::autograd::grad({(average * v).sum()}, inputs);
    const auto gb = torch::autograd::grad({(mean * v).sum()}, inputs);
    for (size_t k = 0; k < inputs.size(); ++k) EXPECT_LT(relative(ga[k], gb[k]), 1e-11) << k;
  }
}

TEST(MessageLayer, AnEmbeddingBeforeTheFlipsIsFoldedIn) {
  torch::manual_seed(9);
  const MessageLayer::Shape shape{12, 10, 2};
  Case c = random_case(5, 4, shape, torch::kFloat64);
  MessageLayer layer(shape);
  torch::nn::Linear embedding(6, 12);
  layer.to(torch::kFloat64);
  embedding->to(torch::kFloat64);
  const Tensor x = torch::randn({5, 4, 6}, torch::kFloat64).requires_grad_();
  for (const int64_t count : {3, 8}) {
    const Tensor signs = torch::randint(0, 2, {count, 3}, torch::kFloat64) * 2 - 1;
    const Tensor copies =
        embedding->forward((x.unsqueeze(1) * signs.repeat({1, 2}).unsqueeze(1)).flatten(0, 1));
    const Tensor by_hand = layer
                               .forward(copies, c.neighbors.repeat_interleave(count, 0),
                                        c.edge.repeat_interleave(count, 0))
                               .h;
    const Tensor mean =
        (by_hand.unflatten(0, {5, count}) * signs.repeat({1, 4}).unsqueeze(1)).mean(1);
    const Tensor average = layer.embedded_flip_average(embedding, x, c.neighbors, c.edge, signs);
    EXPECT_LT(relative(average, mean), 1e-13);
    std::vector<Tensor> inputs{x, embedding->weight, embedding->bias};
    for (const Tensor& p : layer.parameters()) inputs.push_back(p);
    const Tensor w = torch::randn_like(mean);
    const auto ga = torch::autograd::grad({(average * w).sum()}, inputs);
    const auto gb = torch::autograd::grad({(mean * w).sum()}, inputs);
    for (size_t k = 0; k < inputs.size(); ++k)
      EXPECT_LT((ga[k] - gb[k]).norm().item<double>(), 1e-11 * (1 + gb[k].norm().item<double>()))
          << k;
  }
}

TEST(MessageLayer, DoesNotDependOnThreads) {
  torch::manual_seed(4);
  const MessageLayer::Shape shape{12, 12, 1};
  MessageLayer layer(shape);
  const Case c = random_case(1500, 5, shape, torch::kFloat32);
  const auto run = [&](int threads) {
    at::set_num_threads(threads);
    layer.zero_grad();
    const Tensor h = c.h.clone().requires_grad_();
    const Tensor y = layer.forward(h, c.neighbors, c.edge).h;
    y.square().sum().backward();
    return std::vector<Tensor>{y.detach(), h.grad(), layer.parameters()[0].grad().clone()};
  };
  const auto one = run(1), three = run(3);
  at::set_num_threads(1);
  for (size_t k = 0; k < one.size(); ++k) EXPECT_TRUE(torch::equal(one[k], three[k])) << k;
}

TEST(MessageLayer, ReturnsTheNodeMapAloneWithoutNeighbours) {
  torch::manual_seed(5);
  MessageLayer layer({6, 8, 1});
  const Tensor h = torch::randn({3, 1, 6});
  const Tensor none = complete_graph(3, 1);
  const Tensor edge = torch::zeros({3, 1, 0, 1});
  EXPECT_LT(relative(layer.forward(h, none, edge).h, layer.plain(h, none, edge).h), 1e-6);
}

TEST(MessageLayer, SaysThatItHasNoSecondDerivative) {
  MessageLayer layer({6, 8, 1});
  const Tensor h = torch::randn({1, 2, 6}).requires_grad_();
  const Tensor y = layer.forward(h, complete_graph(1, 2), torch::zeros({1, 2, 1, 1})).h.sum();
  EXPECT_THROW(torch::autograd::grad({y}, {h}, {}, true, /*create_graph=*/true), c10::Error);
}

}  // namespace
}  // namespace equiframe
