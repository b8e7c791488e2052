// One trajectory to a lane. The order of operations is part of the contract, see nbody.h.
#include "datasets/nbody/kernels/nbody_steps.h"

#include <cmath>
#include <type_traits>
#include <vector>

#include "equiframe/datasets/nbody_simulator.h"
#include "simd/lanes.h"

namespace equiframe::kernels::inline datasets {
namespace {

using Doubles = Lanes<double>;

/// Bit k: whether a comparison held in lane k.
inline unsigned lane_bits(Bits<Doubles> mask) {
#if defined(__AVX512F__)
  return _mm512_movepi64_mask((__m512i)mask);
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_pd((__m256d)mask));
#elif defined(__x86_64__)
  return static_cast<unsigned>(_mm_movemask_pd((__m128d)mask));
#else
  unsigned bits = 0;
  for (int lane = 0; lane < kWidth<double>; ++lane) bits |= unsigned{mask[lane] != 0} << lane;
  return bits;
#endif
}

#if defined(__FMA__) || defined(__FP_FAST_FMA)

/// a b + c with one rounding.
inline Doubles fused(Doubles a, Doubles b, Doubles c) {
#if defined(__AVX512F__)
  return (Doubles)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__AVX2__)
  return (Doubles)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  for (int lane = 0; lane < kWidth<double>; ++lane)
    c[lane] = __builtin_fma(a[lane], b[lane], c[lane]);
  return c;
#endif
}

/// a b - product, exactly, for the rounded product.
inline Doubles product_error(Doubles a, Doubles b, Doubles product) {
  return fused(a, b, -product);
}

/// x - root^2, exactly, for the rounded root.
inline Doubles square_residual(Doubles x, Doubles root) {
  return fused(-root, root, x);
}

#else

/// The upper 26 bits; Veltkamp's splitting.
inline Doubles upper_half(Doubles a) {
  const Doubles scaled = 134217729.0 * a;  // 2^27 + 1
  return scaled - (scaled - a);
}

/// a b - product, exactly, for the rounded product; Dekker's algorithm.
inline Doubles product_error(Doubles a, Doubles b, Doubles product) {
  const Doubles a1 = upper_half(a), b1 = upper_half(b);
  const Doubles a2 = a - a1, b2 = b - b1;
  return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}

/// x - root^2, exactly, for the rounded root.
inline Doubles square_residual(Doubles x, Doubles root) {
  const Doubles square = root * root;
  return (x - square) - product_error(root, root, square);
}

#endif

/// x^(3/2) rounded to the nearest double.
struct Power {
  Doubles value;
  unsigned settled;  // bit k: the C library rounds lane k in the same way
};

/// x sqrt(x) is worked out to about 1e-31: with s the rounded root and e = x - s^2, both exact,
/// x sqrt(x) = x s + s e / 2 + O(e^2), and x s is the sum of two doubles. In [2^-20, 2^20] glibc's
/// pow errs by less than 0.512 units in the last place (its stated bounds: 0.511 in the exponential
/// and 1.5 * 2^-68, relative, in the logarithm), so it returns the nearest double unless the value
/// is within 0.012 units of the middle between two doubles. Settled is what is farther than 0.0125
/// units, 39 arguments in 40; a NaN never is.
inline Power nearest_power(Doubles x) {
  constexpr double kGuard = 0.5 / (0.5 - 0.0125);
  const Doubles root = square_root(x);
  const Doubles residual = square_residual(x, root);
  const Doubles product = x * root;
  const Doubles low = product_error(x, root, product) + (0.5 * root) * residual;
  const Doubles rounded = product + low;
  const Doubles rest = low - (rounded - product);  // value = rounded + rest
  return {rounded, lane_bits((Bits<Doubles>)(rounded + kGuard * rest == rounded))};
}

/// results[i] = std::pow(x[i], 1.5), to the bit. Not in place.
inline void powers_three_halves(std::int64_t count, const Doubles* x, Doubles* results) {
  constexpr int kLanes = kWidth<double>;
  constexpr std::int64_t kBlock = 64 / kLanes;  // as many as have their bits in one word
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t size = count - first < kBlock ? count - first : kBlock;
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - size * kLanes);
    std::uint64_t settled = 0;
    Doubles least = splat<Doubles>(1), most = least;
    for (std::int64_t k = 0; k < size; ++k) {
      const Power power = nearest_power(x[first + k]);
      results[first + k] = power.value;
      settled |= std::uint64_t{power.settled} << (k * kLanes);
      least = smaller(x[first + k], least);
      most = larger(x[first + k], most);
    }
    const auto outside = (Bits<Doubles>)((least < 0x1p-20) | (most > 0x1p20));
    std::uint64_t doubtful = lane_bits(outside) == 0 ? settled ^ all : all;
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      const int bit = __builtin_ctzll(doubtful);
      const std::int64_t i = first + bit / kLanes;
      results[i][bit % kLanes] = std::pow(x[i][bit % kLanes], 1.5);
    }
  }
}

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

constexpr int kTogether = kWidth<double>;  // trajectories that are followed at once

/// Trajectories first .. first + kTogether - 1; lanes behind the last one repeat it.
struct LaneGroup {
  std::int64_t first, last;
  std::int64_t item(int lane) const { return first + lane < last ? first + lane : last - 1; }
};

/// lane k of target[i] = source[item(k), i], i < size.
inline void load_group(const double* source, std::int64_t size, const LaneGroup& group,
                       Doubles* target) {
  for (int lane = 0; lane < kTogether; ++lane) {
    const double* from = source + group.item(lane) * size;
    for (std::int64_t i = 0; i < size; ++i) target[i][lane] = from[i];
  }
}

/// Lane k of source[i] is added to number i < size of row item(k) * rows_each + row.
struct FrameSum {
  std::int64_t size, rows_each, row;
  void operator()(const Doubles* source, const LaneGroup& group, double* target) const {
    for (int lane = 0; lane < kTogether && group.first + lane < group.last; ++lane) {
      double* to = target + ((group.first + lane) * rows_each + row) * size;
      for (std::int64_t i = 0; i < size; ++i) to[i] += source[i][lane];
    }
  }
};

/// One step of symplectic Euler: v += dt F(x) with every component of F clipped (a NaN stays), then
/// x += dt v.
template <Interaction kLaw, int kCount>
void step(const Particles<kCount>& p, double dt) {
  const Doubles most = splat<Doubles>(0.1 / dt);
  for_forces<kLaw>(p, [&](std::int64_t axis, std::int64_t i, Doubles force) {
    force = force > most ? most : force;
    force = force < -most ? -most : force;
    Doubles &x = p.x[axis * p.n() + i], &v = p.v[axis * p.n() + i];
    v += dt * force;
    x += dt * v;
  });
}

template <Interaction kLaw, int kCount>
void follow(const Particles<kCount>& p, const NBodySystem& system, const LaneGroup& group,
            const NBodyTrajectories& out) {
  const std::int64_t frame_count = frames(system);
  for (std::int64_t frame = 0; frame < frame_count; ++frame) {
    for (std::int64_t k = 0; k < system.sampling; ++k) step<kLaw>(p, system.dt);
    const FrameSum add{3 * p.n(), frame_count, frame};
    add(p.x, group, out.locations);
    add(p.v, group, out.velocities);
  }
}

/// A vector type loses its alignment as a template argument.
struct Slot {
  Doubles value;
};

/// What `integrate` is called with.
struct Job {
  const NBodySystem& system;
  const InitialStates& start;
  const NBodyTrajectories& out;
};

template <Interaction kLaw, int kCount>
void follow_groups(const Job& job, std::int64_t first, std::int64_t last) {
  const std::int64_t n = job.system.particles;
  const double strength =
      kLaw == Interaction::kCharged ? job.system.strength : -job.system.strength;
  std::vector<Slot> memory(static_cast<size_t>(Particles<kCount>::slots(n)));
  const Particles<kCount> p(n, &memory.data()->value);
  for (; first < last; first += kTogether) {
    const LaneGroup group{first, last};
    load_group(job.start.locations, 3 * n, group, p.x);
    load_group(job.start.velocities, 3 * n, group, p.v);
    load_group(job.out.edges, n * n, group, p.matrix);
    for_pairs(p, [&](std::int64_t i, std::int64_t j, std::int64_t pair) {
      p.coupling[pair] = strength * p.matrix[i * n + j];
    });
    follow<kLaw>(p, job.system, group, job.out);
  }
}

template <int kCount>
void integrate_count(const Job& job, std::int64_t first, std::int64_t last) {
  if (job.system.interaction == Interaction::kCharged) {
    follow_groups<Interaction::kCharged, kCount>(job, first, last);
  } else {
    follow_groups<Interaction::kSprings, kCount>(job, first, last);
  }
}

inline void integrate(const NBodySystem& system, const InitialStates& start,
                      const NBodyTrajectories& out, std::int64_t first, std::int64_t last) {
  const Job job{system, start, out};
  if (system.particles == 5) {
    integrate_count<5>(job, first, last);
  } else {
    integrate_count<0>(job, first, last);
  }
}

inline void powers(std::int64_t count, const double* x, double* results) {
  for (std::int64_t i = 0; i < count; i += kTogether) {
    const std::int64_t some = count - i < kTogether ? count - i : kTogether;
    Doubles lanes{}, result;
    std::memcpy(&lanes, x + i, static_cast<size_t>(some) * sizeof(double));
    powers_three_halves(1, &lanes, &result);
    std::memcpy(results + i, &result, static_cast<size_t>(some) * sizeof(double));
  }
}

}  // namespace
}  // namespace equiframe::kernels::inline datasets

EQUIFRAME_KERNELS(NBodyKernels, {&integrate, &powers});
