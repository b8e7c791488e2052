// Networks for normals: their options, and the hazards of averaging directions.
#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "models/clouds/normal_model.h"
#include "nn/clouds/transform_net.h"
#include "tests/models/clouds.h"

namespace equiframe {
namespace {

using clouds::fresh;
using clouds::largest;
using clouds::predict;
using clouds::random_clouds;
using Linear = EuclideanGroup::Linear;

struct NormalSetting {
  const char* call;
  Linear linear;
  double shift;
};

class FramedNormalsSymmetry : public testing::TestWithParam<NormalSetting> {};

TEST_P(FramedNormalsSymmetry, HoldsForEveryGroupFrameAndOutput) {
  const auto& [call, linear, shift] = GetParam();
  const auto model = fresh(call);
  model->eval();
  const Tensor x = random_clouds(2, 16, 3);
  const Tensor t = shift * torch::ones({3}, torch::kFloat64);
  for (uint64_t seed = 1; seed < 3; ++seed)
    EXPECT_LT(largest(clouds::equivariance_errors(*model, x, clouds::random_turn(linear, seed), t)),
              1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    All, FramedNormalsSymmetry,
    testing::Values(NormalSetting{"fa-pointnet(group=E(3))", Linear::kOrthogonal, 5},
                    NormalSetting{"fa-pointnet(group=SE(3))", Linear::kRotations, 5},
                    NormalSetting{"fa-pointnet(group=O(3))", Linear::kOrthogonal, 0},
                    NormalSetting{"fa-pointnet(group=SO(3))", Linear::kRotations, 0},
                    NormalSetting{"fa-pointnet(frame=minimal)", Linear::kOrthogonal, 5},
                    NormalSetting{"fa-pointnet(output=tensor)", Linear::kOrthogonal, 5},
                    NormalSetting{"fa-pointnet(output=tensor, group=SE(3))", Linear::kRotations, 5},
                    NormalSetting{"fa-local-pointnet(group=O(3))", Linear::kOrthogonal, 5},
                    NormalSetting{"fa-local-pointnet(group=SO(3), k=8)", Linear::kRotations, 5},
                    NormalSetting{"fa-local-pointnet(output=tensor)", Linear::kOrthogonal, 5},
                    NormalSetting{"fa-dgcnn(group=SE(3), k=10)", Linear::kRotations, 5},
                    NormalSetting{"fa-dgcnn(variant=paper, k=10)", Linear::kOrthogonal, 5},
                    NormalSetting{"fa-dgcnn(tnet=false, output=tensor, k=10)", Linear::kOrthogonal,
                                  5},
                    NormalSetting{"vn-dgcnn(pool=max, k=10)", Linear::kOrthogonal, 5},
                    NormalSetting{"vn-pointnet(pool=max, k=10)", Linear::kRotations, 5},
                    NormalSetting{"deep-sets(frame=pca)", Linear::kOrthogonal, 5}));

TEST(FramedNormals, SayWhatTheyPromise) {
  const auto group = [](const char* call) { return make_model(call)->signature().group; };
  EXPECT_EQ(group("fa-pointnet"), "E(3)");
  EXPECT_EQ(group("fa-pointnet(group=SO(3))"), "SO(3)");
  EXPECT_EQ(group("fa-pointnet(frame=identity)"), "none");
  EXPECT_EQ(group("fa-pointnet(frame=sampled(k=1, base=pca))"), "none");
  EXPECT_EQ(group("fa-local-pointnet(group=SO(3))"), "SE(3)");
  EXPECT_EQ(group("fa-local-pointnet(local_frame=pca(degenerate=sample))"), "none");
  EXPECT_EQ(group("deep-sets(frame=pca)"), "E(3)");
  EXPECT_EQ(make_model("deep-sets(target=invariant)")->signature().out, "scalar");
}

TEST(FramedNormals, TrainOnAnElementOfTheFrameAndAreEvaluatedOnAll) {
  for (const std::string name : {"fa-pointnet", "fa-local-pointnet"}) {
    const auto model = fresh(name + "(train_frame=sampled(k=1, base=pca))");
    const Tensor x = random_clouds(2, 16, 6);
    const auto draw = [&](uint64_t stream) {
      model->set_rng(Rng{1, stream});
      return predict(*model, x);
    };
    EXPECT_FALSE(torch::equal(draw(1), draw(2)));
    EXPECT_TRUE(torch::equal(draw(3), draw(3)));
    model->eval();
    EXPECT_TRUE(torch::equal(draw(1), draw(2)));
    const Tensor turn = clouds::random_turn(Linear::kOrthogonal, 2);
    const Tensor none = torch::zeros({3}, torch::kFloat64);
    EXPECT_LT(largest(clouds::equivariance_errors(*model, x, turn, none)), 1e-9);
  }
}

/// Random points of planes, and what a network learns of their normals in a few steps.
double error_on_planes(const std::string& call) {
  const auto model = fresh(call, torch::kFloat32);
  auto generator = make_generator(11);
  constexpr int64_t kClouds = 2, kPoints = 12;
  const auto planes = [&] {
    Tensor flat = torch::randn({kClouds, kPoints, 3}, generator, torch::kFloat64);
    flat.select(2, 1).mul_(0.6);
    flat.select(2, 2).zero_();
    const Tensor turn = haar_orthogonal(3, Linear::kRotations, kClouds, generator);
    const Tensor normal = turn.select(1, 2).unsqueeze(1).expand_as(flat);
    return std::pair(flat.matmul(turn).to(torch::kFloat32), normal.to(torch::kFloat32));
  };
  for (int step = 0; step < 10; ++step) {
    const auto [x, normal] = planes();
    model->zero_grad();
    clouds::unoriented_loss(model->forward(x), normal).backward();
    const torch::NoGradGuard guard;
    for (Tensor& p : model->parameters()) p.sub_(p.grad().sign(), 2e-3);
  }
  const auto [x, normal] = planes();
  return clouds::unoriented_loss(predict(*model, x), normal).item<double>();
}

/// Hazard E4: a reflection fixes a planar cloud, so that an E(3)-equivariant vector lies in the
/// plane. Rotations alone, and directions without sign, leave the normal possible.
TEST(FramedNormals, OfPlanesNeedRotationsOrTensors) {
  EXPECT_GT(error_on_planes("fa-pointnet(group=E(3))"), 0.999);
  EXPECT_LT(error_on_planes("fa-pointnet(group=SE(3))"), 0.2);
  EXPECT_LT(error_on_planes("fa-pointnet(group=E(3), output=tensor)"), 0.2);
}

/// Hazard E5: what cancelled is no direction, and has no gradient to speak of.
TEST(UnitVectors, AreShortWhereThereIsNoDirection) {
  const Tensor v =
      torch::tensor({{3.0, 0.0, 4.0}, {1e-9, 0.0, 0.0}, {0.0, 0.0, 0.0}}, torch::kFloat64)
          .requires_grad_();
  const Tensor n = unit_vectors(v);
  EXPECT_TRUE(torch::allclose(n[0], torch::tensor({0.6, 0.0, 0.8}, torch::kFloat64)));
  EXPECT_LT(largest(n[1]), 1e-4);
  n.square().sum().backward();
  EXPECT_LT(largest(v.grad()), 1);
}

TEST(PointNet, IsPushedTowardsOrthogonalTransforms) {
  auto generator = make_generator(1);
  const Tensor turn = haar_orthogonal(8, Linear::kRotations, 3, generator);
  EXPECT_LT(orthogonality(turn).item<double>(), 1e-24);
  EXPECT_NEAR(orthogonality(2 * turn).item<double>(), 9 * 8, 1e-9);
  const Tensor identity = torch::eye(8, torch::kFloat64).expand({3, 8, 8});
  EXPECT_LT(published_orthogonality(identity).item<double>(), 1e-12);
  EXPECT_GT(published_orthogonality(turn).item<double>(), 1)
      << "the published bracket is misplaced";

  const Tensor x = random_clouds(2, 12).to(torch::kFloat32);
  const auto penalty = [&](const std::string& call) {
    const auto model = fresh(call, torch::kFloat32);
    model->forward(x);
    const Tensor added = model->regularizer();
    model->eval();
    EXPECT_FALSE(model->regularizer().defined()) << "nothing to add in eval()";
    return added;
  };
  const double squared = penalty("pointnet").item<double>();
  EXPECT_GT(squared, 0);
  EXPECT_NEAR(penalty("pointnet(orthogonality_weight=0.002)").item<double>(), 2 * squared,
              1e-4 * squared);
  EXPECT_NE(penalty("pointnet(orthogonality=published)").item<double>(), squared);
  EXPECT_FALSE(penalty("pointnet(orthogonality=none)").defined());
}

TEST(DeepSets, LearnAnInvariantOfClouds) {
  const auto model = fresh("deep-sets(target=invariant, frame=pca, width=32, layers=2)");
  const Tensor stretch = 0.5 + torch::rand({24, 1, 1}, make_generator(2), torch::kFloat64);
  const Tensor x = random_clouds(24, 16) * stretch, target = stretch.view({24, 1});
  double first = 0, last = 0;
  for (int step = 0; step < 40; ++step) {
    model->zero_grad();
    const Tensor loss = (model->forward(x) - target).square().mean();
    (step == 0 ? first : last) = loss.item<double>();
    loss.backward();
    const torch::NoGradGuard guard;
    for (Tensor& p : model->parameters()) p.sub_(p.grad().sign(), 2e-3);
  }
  EXPECT_LT(last, 0.1 * first);
  model->eval();
  const Tensor turned = x.matmul(clouds::random_turn(Linear::kOrthogonal, 3).t()) + 2;
  EXPECT_LT(largest(predict(*model, turned) - predict(*model, x)), 1e-10);
}

TEST(NormalModels, RefuseWhatCannotBe) {
  for (const char* call :
       {"dgcnn(k=0)", "fa-pointnet(group=S(5))", "fa-pointnet(group=E(2))", "fa-dgcnn(group=T(3))",
        "fa-pointnet(output=line)", "vn-dgcnn(pool=sum)", "pointnet(orthogonality=some)",
        "deep-sets(width=0)", "fa-dgcnn(variant=mine)"})
    EXPECT_THROW(make_model(call), UserError) << call;
}

}  // namespace
}  // namespace equiframe
