// Whole networks against their published form: features side by side, ordinary layers.
#include <functional>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/clouds/packed_points.h"
#include "tests/models/clouds.h"

namespace equiframe {
namespace {

using Parameters = torch::OrderedDict<std::string, Tensor>;

/// Parameters and running means of a model, and layers that read them by name.
class Reference {
 public:
  Reference(const Model& model, std::string prefix, double negative)
      : parameters_(model.named_parameters()),
        buffers_(model.named_buffers()),
        prefix_(std::move(prefix)),
        negative_(negative) {}

  Reference inside(const std::string& name) const {
    Reference result = *this;
    result.prefix_ += name + ".";
    return result;
  }
  const Tensor& parameter(const std::string& name) const { return parameters_[prefix_ + name]; }
  Tensor linear(const std::string& name, const Tensor& x) const {
    const Tensor* bias = parameters_.find(prefix_ + name + ".bias");
    return torch::linear(x, parameter(name + ".weight"), bias == nullptr ? Tensor() : *bias);
  }
  /// The norm of the model in `eval()`, over the last axis.
  Tensor norm(const std::string& name, const Tensor& x, double negative) const {
    const std::string at = prefix_ + name;
    const Tensor z = (x - buffers_[at + ".running_mean"]) *
                         (buffers_[at + ".running_variance"] + 1e-5).rsqrt() *
                         parameters_[at + ".weight"] +
                     parameters_[at + ".bias"];
    return torch::leaky_relu(z, negative);
  }
  Tensor layer(const std::string& name, const Tensor& x) const { return layer(name, x, negative_); }
  Tensor layer(const std::string& name, const Tensor& x, double negative) const {
    return norm(name + ".norm", linear(name + ".linear", x), negative);
  }

 private:
  Parameters parameters_, buffers_;
  std::string prefix_;
  double negative_;
};

Tensor max_of(const Tensor& h, int64_t axis) {
  return std::get<0>(h.max(axis));
}

Tensor tnet(const Reference& net, const Tensor& x) {
  Tensor h = max_of(net.layer("points3", net.layer("points2", net.layer("points1", x))), 1);
  h = net.linear("last", net.layer("clouds2", net.layer("clouds1", h)));
  return h.view({x.size(0), x.size(2), x.size(2)}) + torch::eye(x.size(2), x.options());
}

Tensor pointnet(const Reference& net, const Tensor& x, bool transformed) {
  const Tensor l1 = net.layer("trunk1", x), l2 = net.layer("trunk2", l1);
  const Tensor l3 = net.layer("trunk3", l2);
  const Tensor turned = transformed ? l3.bmm(tnet(net.inside("feature_transform"), l3)) : l3;
  const Tensor l4 = net.layer("trunk4", turned), l5 = net.layer("trunk5", l4, 1);
  const Tensor all = max_of(l5, 1).unsqueeze(1).expand_as(l5);
  const Tensor h = net.layer("head1", torch::cat({all, l1, l2, l3, l4, l5}, 2));
  return net.linear("last", net.layer("head3", net.layer("head2", h)));
}

Tensor edges_of(const Tensor& x, int64_t k) {
  const Tensor near = PackedPoints(Batch(x)).nearest(x.flatten(0, 1), k);
  const Tensor other = x.flatten(0, 1).index_select(0, near.flatten());
  const Tensor all = other.view({x.size(0), x.size(1), k, x.size(2)});
  const Tensor own = x.unsqueeze(2).expand_as(all);
  return torch::cat({all - own, own}, 3);
}

Tensor edge_layers(const Reference& net, const Tensor& x, int64_t k, bool second) {
  const Tensor h = net.norm("first_norm", net.linear("first", edges_of(x, k)), 0.2);
  return second ? net.norm("second_norm", net.linear("second", h), 0.2) : h;
}

Tensor dgcnn(const Reference& net, const Tensor& x, int64_t k, bool official) {
  const auto pool = [&](const Tensor& h, int64_t axis) {
    return official ? h.mean(axis) : max_of(h, axis);
  };
  Tensor h = max_of(edge_layers(net.inside("tnet_edges"), x, k, true), 2);
  h = net.layer("tnet3", net.layer("tnet2", max_of(net.layer("tnet1", h), 1)));
  const Tensor turned = x.bmm(net.linear("tnet_last", h).view({-1, 3, 3}));
  const Tensor x1 = pool(edge_layers(net.inside("edges1"), turned, k, true), 2);
  const Tensor x2 = pool(edge_layers(net.inside("edges2"), x1, k, true), 2);
  const Tensor x3 = pool(edge_layers(net.inside("edges3"), x2, k, false), 2);
  const Tensor local = torch::cat({x1, x2, x3}, 2);
  const Tensor seen = official ? torch::cat({x, local}, 2) : local;
  const Tensor all = pool(net.layer("global", seen), 1).unsqueeze(1);
  h = net.layer("head1", torch::cat({all.expand({-1, x.size(1), -1}), local}, 2));
  return 2 * torch::sigmoid(net.linear("last", net.layer("head3", net.layer("head2", h)))) - 1;
}

Tensor unit(const Tensor& v) {
  return v / v.norm(2, -1, true).clamp_min(1e-4);
}

/// The mean of the eight framed copies of a set of points [B, M, 3], one by one; `net` gives
/// vectors [B, L, 3].
template <class Net>
Tensor averaged(const Net& net, const Tensor& set) {
  const Tensor centred = set - set.mean(1, true);
  const Tensor axes = std::get<1>(torch::linalg_eigh(centred.transpose(1, 2).bmm(centred)));
  Tensor sum;
  for (int k = 0; k < 8; ++k) {
    const auto sign = [k](int bit) { return (k & bit) != 0 ? -1.0 : 1.0; };
    const Tensor frame = axes * torch::tensor({sign(1), sign(2), sign(4)}, torch::kFloat64);
    const Tensor copy = net(centred.bmm(frame)).bmm(frame.transpose(1, 2)) / 8;
    sum = sum.defined() ? sum + copy : copy;
  }
  return sum;
}

double difference(const std::string& call, const Tensor& x,
                  const std::function<Tensor(const Model&)>& reference) {
  const auto model = clouds::fresh(call);
  const torch::NoGradGuard guard;
  for (uint64_t k = 0; k < 3; ++k) model->forward(clouds::random_clouds(2, 14, k));
  model->eval();
  {
    // Away from where it starts: a T-Net that is not the identity, norms of either sign.
    torch::manual_seed(9);
    for (auto& p : model->named_parameters())
      if (p.value().dim() == 1 || p.key().find("tnet_last") != std::string::npos)
        p.value().add_(torch::randn_like(p.value()), 0.2);
  }
  return (model->forward(x) - reference(*model)).abs().max().item<double>();
}

TEST(CloudReferences, PointNet) {
  const Tensor x = clouds::random_clouds(2, 14, 21);
  EXPECT_LT(difference("pointnet", x,
                       [&](const Model& model) {
                         const Reference net(model, "", 0);
                         const Tensor turned = x.bmm(tnet(net.inside("transform"), x));
                         return unit(pointnet(net.inside("body"), turned, true));
                       }),
            1e-10);
}

TEST(CloudReferences, FaPointNet) {
  const Tensor x = clouds::random_clouds(2, 14, 22);
  EXPECT_LT(difference("fa-pointnet", x,
                       [&](const Model& model) {
                         const Reference net(model, "normals.average.backbone.body.", 0);
                         return unit(
                             averaged([&](const Tensor& y) { return pointnet(net, y, false); }, x));
                       }),
            1e-9);
}

TEST(CloudReferences, Dgcnn) {
  const Tensor x = clouds::random_clouds(2, 14, 23);
  EXPECT_LT(difference("dgcnn(k=9)", x,
                       [&](const Model& model) {
                         return unit(dgcnn(Reference(model, "body.", 0.2), x, 9, false));
                       }),
            1e-10);
}

TEST(CloudReferences, FaDgcnn) {
  const Tensor x = clouds::random_clouds(2, 14, 24);
  for (const bool official : {true, false}) {
    const std::string variant = official ? "official" : "paper";
    EXPECT_LT(difference("fa-dgcnn(k=9, variant=" + variant + ")", x,
                         [&](const Model& model) {
                           const Reference net(model, "normals.average.backbone.body.", 0.2);
                           return unit(averaged(
                               [&](const Tensor& y) { return dgcnn(net, y, 9, official); }, x));
                         }),
              1e-9)
        << variant;
  }
}

/// 42 vectors of each patch; then PointNet on those of all points as one set.
Tensor fa_local(const Model& model, const Tensor& x, int64_t k) {
  const int64_t points = x.size(0) * x.size(1);
  const Tensor near = PackedPoints(Batch(x)).nearest(x.flatten(0, 1), k);
  const Tensor patches = x.flatten(0, 1).index_select(0, near.flatten()).view({-1, k, 3});
  const Reference patch(model, "local.backbone.", 0);
  const auto vectors = [&](const Tensor& y) {
    const Tensor h = patch.layer("layer2", patch.layer("layer1", y.flatten(1)));
    return patch.layer("layer3", h, 1).view({points, 42, 3});
  };
  const Reference net(model, "normals.average.backbone.body.", 0);
  const auto normals = [&](const Tensor& y) {
    return pointnet(net, y.view({x.size(0), x.size(1), 126}), false);
  };
  return unit(averaged(normals, averaged(vectors, patches).view({x.size(0), -1, 3})));
}

TEST(CloudReferences, FaLocalPointNet) {
  const Tensor x = clouds::random_clouds(2, 14, 25);
  EXPECT_LT(difference("fa-local-pointnet(k=6)", x,
                       [&](const Model& model) { return fa_local(model, x, 6); }),
            1e-8);
}

}  // namespace
}  // namespace equiframe
