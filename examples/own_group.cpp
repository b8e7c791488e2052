// A group of your own: the n cyclic shifts of a periodic signal. Eleven small functions, and group
// averaging, sampling and the laws come for free.
#include <cstdio>

#include <torch/types.h>

#include "equiframe/equiframe.h"
#include "equiframe/laws/laws.h"

using namespace equiframe;

class CyclicShifts {
 public:
  using Element = Tensor;    // [*batch] int64, by how many places
  struct Representation {};  // the only one: a signal [*batch, n, C], rolled along n
  explicit CyclicShifts(int64_t n) : n_(n) {}
  std::string name() const { return "shifts(" + std::to_string(n_) + ")"; }
  Tensor identity() const { return torch::zeros({}, torch::kInt64); }
  Tensor compose(const Tensor& g, const Tensor& h) const { return (g + h).remainder(n_); }
  Tensor inverse(const Tensor& g) const { return (-g).remainder(n_); }
  Tensor sample(int64_t count, at::Generator& generator) const {
    return torch::randint(n_, {count}, generator, torch::kInt64);
  }
  Tensor distance(const Tensor& g, const Tensor& h) const { return (g != h).to(torch::kFloat64); }
  Tensor act(const Representation&, const Tensor& g, const Tensor& x) const {
    const Tensor source = (torch::arange(n_) - g.unsqueeze(-1)).remainder(n_).unsqueeze(-1);
    return x.gather(-2, source.expand_as(x));
  }
  Batch act(const Representation& rho, const Tensor& g, const Batch& x) const {
    return x.with_x(act(rho, g, x.x));
  }
  template <class X>  // Tensor or Batch
  X act_inverse(const Representation& rho, const Tensor& g, const X& x) const {
    return act(rho, inverse(g), x);
  }
  Representation type(const std::string&) const { return {}; }
  double order() const { return static_cast<double>(n_); }
  Tensor elements() const { return torch::arange(n_); }

 private:
  int64_t n_;
};
static_assert(FiniteGroup<CyclicShifts>);

int main() {
  auto generator = make_generator(3);
  const CyclicShifts group(12);
  const Symmetry<CyclicShifts> symmetry{group, {}, {}};
  const Tensor x = torch::randn({5, 12, 2}, generator, torch::kFloat64);
  const laws::RandomMlp network(24, {12, 3}, generator);
  const WholeFrame<CyclicShifts> whole(group, 0);
  const auto averaged = [&](const Batch& b) {
    return equivariant_average(symmetry, whole(b), network, b);
  };
  const double before = laws::equivariance_error(symmetry, network, x, generator);
  const double after = laws::equivariance_error(symmetry, averaged, x, generator);
  std::printf("equivariance error %.1e -> %.1e\n", before, after);
  const bool lawful = laws::homomorphism_error(group, {}, x, generator) == 0;
  return lawful && before > 0.1 && after < 1e-12 ? 0 : 1;
}
