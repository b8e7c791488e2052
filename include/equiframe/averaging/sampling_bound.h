#pragma once

#include <cstdint>
#include <vector>

/// Theorem 5 and the quantities of its proof: how good is an average over k draws from the m_F
/// classes of F(X) / G_X? `counts[j]` is the number of draws that landed in class j.
namespace equiframe::inline averaging {

/// log of the proof's bound (1 + k)^-m exp(-k m eps^2 / 2): every empirical distribution whose
/// sup-error is at most eps has at least this probability.
double log_sampling_bound(int64_t classes, int64_t draws, double epsilon);

/// log of the bound as the theorem states it, (1 + k)^-m exp(-2 m k eps^2): weaker, implied.
double log_sampling_bound_as_stated(int64_t classes, int64_t draws, double epsilon);

/// log P(counts) of a uniform multinomial.
double log_multinomial_probability(const std::vector<int64_t>& counts);

/// sup over |phi| <= 1 of |<phi> - <<phi>>| = sum_j |1/m - counts_j / k| = 2 TV.
double sampling_sup_error(const std::vector<int64_t>& counts);

/// Half the L1 distance of two distributions.
double total_variation(const std::vector<double>& p, const std::vector<double>& q);

/// sum_j p_j log(p_j / q_j), with 0 log 0 = 0.
double kl_divergence(const std::vector<double>& p, const std::vector<double>& q);

/// Pinsker: 2 TV^2 <= KL.
double pinsker_lower_bound(const std::vector<double>& p, const std::vector<double>& q);

/// Reverse Pinsker: KL <= (2 / min_j q_j) TV^2.
double pinsker_upper_bound(const std::vector<double>& p, const std::vector<double>& q);

}  // namespace equiframe::inline averaging
