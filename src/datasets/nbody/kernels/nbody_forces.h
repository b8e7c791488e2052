// Forces between the particles of several trajectories, one trajectory to a lane.
#pragma once

#include <cstdint>

#include "datasets/nbody/kernels/nbody_power.h"
#include "equiframe/datasets/nbody_simulator.h"

namespace equiframe::kernels::inline datasets {
namespace {

/// From so many terms on, numpy sums with eight accumulators instead of one.
constexpr std::int64_t kPairwiseFrom = 8;

/// term(first) + ... + term(first + count - 1) in the order of numpy's sum over a contiguous axis.
template <class Term>
Doubles numpy_sum(const Term& term, std::int64_t first, std::int64_t count) {
  constexpr std::int64_t kLongestRun = 128;
  if (count > kLongestRun) {
    const std::int64_t half = count / 2 - count / 2 % kPairwiseFrom;
    return numpy_sum(term, first, half) + numpy_sum(term, first + half, count - half);
  }
  Doubles sum{};
  std::int64_t done = 0;
  if (count >= kPairwiseFrom) {
    Doubles part[kPairwiseFrom] = {};
    for (; done + kPairwiseFrom <= count; done += kPairwiseFrom) {
      for (int k = 0; k < kPairwiseFrom; ++k) part[k] += term(first + done + k);
    }
    sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  }
  for (; done < count; ++done) sum += term(first + done);
  return sum;
}

/// The particles of a group of trajectories. Pair (i, j), j < i, has the number i (i - 1) / 2 + j.
/// kCount is the number of particles, or zero if only run time knows it.
template <int kCount>
struct Particles {
  std::int64_t any_count;
  Doubles* x;         // [3, n]
  Doubles* v;         // [3, n]
  Doubles* norms;     // [n], |x_i|^2
  Doubles* forces;    // [n], one axis at a time
  Doubles* coupling;  // [pairs]: strength q_i q_j, or minus the spring constant
  Doubles* squares;   // [pairs], |x_i - x_j|^2
  Doubles* weights;   // [pairs]
  Doubles* matrix;    // [n, n]: the weights; only for n >= kPairwiseFrom

  constexpr std::int64_t n() const { return kCount == 0 ? any_count : kCount; }
  constexpr std::int64_t pairs() const { return n() * (n() - 1) / 2; }
  static constexpr std::int64_t slots(std::int64_t n) {
    return 8 * n + 3 * (n * (n - 1) / 2) + n * n;
  }

  Particles(std::int64_t count, Doubles* memory)
      : any_count(count),
        x(memory),
        v(x + 3 * n()),
        norms(v + 3 * n()),
        forces(norms + n()),
        coupling(forces + n()),
        squares(coupling + pairs()),
        weights(squares + pairs()),
        matrix(weights + pairs()) {}
};

/// visit(i, j, number) for every pair j < i, by rows.
template <int kCount, class Visitor>
[[gnu::always_inline]] inline void for_pairs(const Particles<kCount>& p, const Visitor& visit) {
  const std::int64_t n = p.n();
#pragma GCC unroll 8
  for (std::int64_t i = 1; i < n; ++i) {
#pragma GCC unroll 8
    for (std::int64_t j = 0; j < i; ++j) visit(i, j, i * (i - 1) / 2 + j);
  }
}

/// weights_ij = coupling_ij / |x_i - x_j|^3. The squared distance is taken in Gram form,
/// |x_i|^2 + |x_j|^2 - 2 x_i x_j, as the benchmark does.
template <int kCount>
void weigh_charges(const Particles<kCount>& p) {
  const std::int64_t n = p.n();
  const Doubles *x = p.x, *y = p.x + n, *z = p.x + 2 * n;
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < n; ++i) p.norms[i] = (x[i] * x[i] + y[i] * y[i]) + z[i] * z[i];
  for_pairs(p, [&](std::int64_t i, std::int64_t j, std::int64_t pair) {
    const Doubles gram = (x[i] * x[j] + y[i] * y[j]) + z[i] * z[j];
    p.squares[pair] = (p.norms[i] + p.norms[j]) - 2.0 * gram;
  });
  powers_three_halves(p.pairs(), p.squares, p.weights);
  for (std::int64_t k = 0; k < p.pairs(); ++k) p.weights[k] = p.coupling[k] / p.weights[k];
}

template <int kCount>
void fill_matrix(const Particles<kCount>& p, const Doubles* weights) {
  for (std::int64_t i = 0; i < p.n(); ++i) p.matrix[i * p.n() + i] = Doubles{};
  for_pairs(p, [&](std::int64_t i, std::int64_t j, std::int64_t pair) {
    p.matrix[i * p.n() + j] = p.matrix[j * p.n() + i] = weights[pair];
  });
}

/// Below kPairwiseFrom sums run in the order of j. A pair serves both partners: their terms differ
/// in sign alone, and each sum still sees its terms in order.
template <int kCount, class Receiver>
void sum_in_order(const Particles<kCount>& p, const Doubles* weights, const Doubles* x,
                  const Receiver& receive) {
  Doubles force[kPairwiseFrom] = {};
  for_pairs(p, [&](std::int64_t i, std::int64_t j, std::int64_t pair) {
    const Doubles term = weights[pair] * (x[i] - x[j]);
    force[i] += term;
    force[j] -= term;
  });
  const std::int64_t n = p.n();
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < n; ++i) receive(i, force[i]);
}

template <int kCount, class Receiver>
void sum_pairwise(const Particles<kCount>& p, const Doubles* x, const Receiver& receive) {
  for (std::int64_t i = 0; i < p.n(); ++i) {
    const Doubles* weights = p.matrix + i * p.n();
    const auto term = [&](std::int64_t j) { return weights[j] * (x[i] - x[j]); };
    p.forces[i] = numpy_sum(term, 0, p.n());
  }
  for (std::int64_t i = 0; i < p.n(); ++i) receive(i, p.forces[i]);
}

/// receive(axis, i, F) for every component of F_i = sum_j w_ij (x_i - x_j), not yet clipped. When
/// an axis is received, nobody reads its coordinates any more.
template <Interaction kLaw, int kCount, class Receiver>
void for_forces(const Particles<kCount>& p, const Receiver& receive) {
  if constexpr (kLaw == Interaction::kCharged) weigh_charges(p);
  const Doubles* weights = kLaw == Interaction::kCharged ? p.weights : p.coupling;
  if (p.n() >= kPairwiseFrom) fill_matrix(p, weights);
  for (std::int64_t axis = 0; axis < 3; ++axis) {
    const Doubles* x = p.x + axis * p.n();
    const auto receive_axis = [&](std::int64_t i, Doubles force) { receive(axis, i, force); };
    if (p.n() < kPairwiseFrom) {
      sum_in_order(p, weights, x, receive_axis);
    } else {
      sum_pairwise(p, x, receive_axis);
    }
  }
}

}  // namespace
}  // namespace equiframe::kernels::inline datasets
