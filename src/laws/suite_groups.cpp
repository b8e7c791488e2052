#include "equiframe/groups/any_group.h"
#include "equiframe/groups/product.h"
#include "laws/suite_parts.h"

namespace equiframe::inline laws {
namespace {

/// Tensors [B, ...] on which a group of this kind acts as `rho`.
template <Group G>
struct Case {
  std::string name;
  typename G::Representation rho;
  Tensor x;
};

template <Group G>
void check_group(const Recorder& recorder, const G& group, const std::vector<Case<G>>& cases,
                 double tolerance) {
  if (!recorder.filter().wants_group(group.name())) return;
  if (!recorder.filter().wants_dtype(torch::kFloat64)) return;
  auto generator = make_generator(1);
  const auto add = [&](const std::string& law, const std::string& subject, double error) {
    recorder.add(law, subject, torch::kFloat64, error, tolerance);
  };
  add("associativity", group.name(), laws::associativity_error(group, generator));
  add("identity", group.name(), laws::identity_error(group, generator));
  add("inverse", group.name(), laws::inverse_error(group, generator));
  for (const auto& [name, rho, x] : cases) {
    const std::string subject = group.name() + " | " + name;
    add("representation: homomorphism", subject,
        laws::homomorphism_error(group, rho, x, generator));
    add("representation: unit", subject, laws::unit_action_error(group, rho, x));
    add("representation: inverse", subject, laws::inverse_action_error(group, rho, x, generator));
  }
}

/// Every kind of field alone, and their sum.
template <Group G>
std::vector<Case<G>> field_cases(const G& group, int64_t dim) {
  std::vector<Case<G>> cases;
  auto generator = make_generator(2);
  for (const char* text : {"scalar", "pseudoscalar", "vector", "pseudovector", "point", "tensor",
                           "point + 2 vector + 3 scalar + pseudovector + tensor"}) {
    const FieldType rho = group.type(text);
    cases.push_back(
        {text, rho, torch::randn({8, 5, rho.channels(dim)}, generator, torch::kFloat64)});
  }
  return cases;
}

void check_euclidean(const Recorder& recorder) {
  for (const int64_t d : {1, 2, 3, 4, 7}) {
    for (const EuclideanGroup& group :
         {EuclideanGroup::T(d), EuclideanGroup::O(d), EuclideanGroup::SO(d), EuclideanGroup::E(d),
          EuclideanGroup::SE(d)}) {
      check_group(recorder, group, field_cases(group, d), kGroupTolerance.float64);
    }
  }
}

void check_finite(const Recorder& recorder) {
  for (const PlanarGroup& group : {PlanarGroup::C(1), PlanarGroup::C(4), PlanarGroup::C(5),
                                   PlanarGroup::D(1), PlanarGroup::D(4), PlanarGroup::D(6)})
    check_group(recorder, group, field_cases(group, 2), kGroupTolerance.float64);
  for (const int64_t d : {1, 3})
    check_group(recorder, SignFlips(d), field_cases(SignFlips(d), d), kGroupTolerance.float64);
}

std::vector<Case<SymmetricGroup>> node_cases(int64_t n) {
  auto generator = make_generator(3);
  const auto normal = [&](at::IntArrayRef shape) {
    return torch::randn(shape, generator, torch::kFloat64);
  };
  return {{"set", PermutationType::parse("set"), normal({8, 4})},
          {"node", PermutationType::parse("node"), normal({8, n, 3})},
          {"pair", PermutationType::parse("pair"), normal({8, n, n, 2})}};
}

void check_products(const Recorder& recorder) {
  auto generator = make_generator(4);
  using Rigid = ProductGroup<EuclideanGroup, SymmetricGroup>;
  const Rigid rigid(EuclideanGroup::E(3), SymmetricGroup(5));
  check_group<Rigid>(recorder, rigid,
                     {{"point + vector & node", rigid.type("point + vector & node"),
                       torch::randn({8, 5, 6}, generator, torch::kFloat64)}},
                     kGroupTolerance.float64);
  using Turns = ProductGroup<PlanarGroup, SymmetricGroup>;
  const Turns turns(PlanarGroup::D(4), SymmetricGroup(3));
  check_group<Turns>(recorder, turns,
                     {{"vector & node", turns.type("vector & node"),
                       torch::randn({8, 3, 2}, generator, torch::kFloat64)}},
                     kGroupTolerance.float64);
}

/// The paper's footnote: the affine action is a representation in homogeneous coordinates.
void check_homogeneous(const Recorder& recorder) {
  for (const int64_t d : {1, 2, 3}) {
    const EuclideanGroup group = EuclideanGroup::E(d);
    if (!recorder.filter().wants_group(group.name())) continue;
    if (!recorder.filter().wants_dtype(torch::kFloat64)) continue;
    auto generator = make_generator(5);
    const auto g = group.sample(8, generator), h = group.sample(8, generator);
    const Tensor x = torch::randn({8, 5, d}, generator, torch::kFloat64);
    const Tensor lifted = torch::cat({x, torch::ones({8, 5, 1}, torch::kFloat64)}, -1);
    const Tensor moved = lifted.matmul(group.homogeneous(g).transpose(-1, -2)).narrow(-1, 0, d);
    const double direct = laws::relative_difference(moved, group.act(group.type("point"), g, x));
    const double product = laws::relative_difference(
        group.homogeneous(g).matmul(group.homogeneous(h)), group.homogeneous(group.compose(g, h)));
    recorder.add("affine action in homogeneous form", group.name(), torch::kFloat64,
                 std::max(direct, product), kGroupTolerance.float64);
  }
}

}  // namespace

void check_group_laws(const Recorder& recorder) {
  check_euclidean(recorder);
  check_finite(recorder);
  for (const int64_t n : {1, 2, 6})
    check_group(recorder, SymmetricGroup(n), node_cases(n), kExactTolerance.float64);
  check_products(recorder);
  check_homogeneous(recorder);
}

}  // namespace equiframe::inline laws
