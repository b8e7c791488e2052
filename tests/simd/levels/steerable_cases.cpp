#include <algorithm>
#include <array>

#include "nn/kernels/steerable/radial_trunk.h"
#include "nn/kernels/steerable/steerable.h"
#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

/// All paths between degrees 0, 1 and 2, each with its 2 min(in, out) + 1 terms.
struct Paths {
  std::vector<SteerableTerm> terms;
  std::int64_t basis = 0;  ///< numbers for each edge
  std::int64_t networks = 0;
};

Paths paths() {
  constexpr std::array<std::int64_t, 3> kFirstRow{0, 1, 4};
  Paths all;
  for (std::int64_t out = 0; out < 3; ++out)
    for (std::int64_t in = 0; in < 3; ++in) {
      const std::int64_t count = 2 * std::min(in, out) + 1;
      for (std::int64_t j = 0; j < count; ++j)
        all.terms.push_back({in, out, kFirstRow[static_cast<std::size_t>(in)],
                             kFirstRow[static_cast<std::size_t>(out)], all.basis, all.networks});
      all.basis += count * (2 * in + 1) * (2 * out + 1);
      ++all.networks;
    }
  return all;
}

template <class T>
std::vector<Output> steerable(SimdLevel level) {
  const SteerableFunctions<T>& kernels = Table<SteerableKernels>::at(level).of<T>();
  const Paths all = paths();
  const SteerableShape shape{.pairs = 70,
                             .nodes = 13,
                             .rows_in = 9,
                             .channels_in = 5,
                             .rows_out = 9,
                             .channels_out = 6,
                             .radial = 8};
  Draws draws(31);
  const std::vector<T> features = draws.numbers<T>(shape.nodes * 9 * shape.channels_in);
  std::vector<T> radial = draws.numbers<T>(all.networks * shape.pairs * shape.radial);
  for (std::size_t k = 0; k < radial.size(); ++k)
    if (radial[k] < 0 || k % 8 == 3) radial[k] = 0;  // one number is zero for all pairs
  const std::vector<T> basis = draws.numbers<T>(2 * shape.pairs * all.basis + kSteerablePadding);
  const std::vector<T> weight =
      draws.numbers<T>(static_cast<std::int64_t>(all.terms.size()) * (shape.radial + 1) *
                           shape.channels_in * shape.channels_out,
                       0.3);
  std::vector<std::int64_t> first, second;
  for (std::int64_t p = 0; p < shape.pairs; ++p) {
    first.push_back(draws.below(shape.nodes));
    second.push_back(draws.below(shape.nodes));
  }
  const SteerableInput<T> input{features.data(), first.data(), second.data(),
                                radial.data(),   basis.data(), weight.data()};
  std::vector<T> messages(static_cast<std::size_t>(shape.pairs * 2 * 9 * shape.channels_out));
  kernels.forward(shape, all.terms, input, {0, shape.pairs}, messages.data());
  std::vector<Output> outputs{output("messages", messages)};

  const std::vector<T> d_messages = draws.numbers<T>(static_cast<std::int64_t>(messages.size()));
  std::vector<T> d_features(features.size()), d_radial(radial.size()), d_basis(basis.size());
  std::vector<T> d_weight(weight.size());
  kernels.backward(
      shape, all.terms, input, {0, shape.pairs},
      {d_messages.data(), d_features.data(), d_radial.data(), d_basis.data(), d_weight.data()});
  for (const Output& one : {output("d features", d_features), output("d radial", d_radial),
                            output("d basis", d_basis), output("d weight", d_weight)})
    outputs.push_back(one);
  return outputs;
}

template <class T>
std::vector<Output> radial_trunk(SimdLevel level) {
  const TrunkFunctions<T>& kernels = Table<TrunkKernels>::at(level).of<T>();
  const TrunkShape shape{.inputs = 101, .width = 32};
  Draws draws(32);
  const std::vector<T> parameters = draws.numbers<T>((kTrunkVectors + shape.width) * shape.width);
  const std::vector<T> r = draws.numbers<T>(shape.inputs, 2);
  const std::vector<T> d_z = draws.numbers<T>(shape.inputs * shape.width);
  std::vector<T> z(d_z.size()), d_parameters(parameters.size()), d_r(r.size());
  kernels.forward(shape, parameters.data(), r.data(), z.data());
  kernels.backward(shape, parameters.data(), r.data(),
                   {d_z.data(), d_parameters.data(), d_r.data()});
  return {output("z", z), output("d parameters", d_parameters), output("d r", d_r)};
}

}  // namespace

std::vector<Case> steerable_cases() {
  return {{"steerable", 32, {steerable<float>, steerable<double>}},
          {"radial_trunk", 64, {radial_trunk<float>, radial_trunk<double>}}};
}

}  // namespace equiframe::kernels::levels
