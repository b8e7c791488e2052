/// FA-GNN of the paper's n-body experiment, batch 100, 8 frame elements, one thread each: the fused
/// model against the same network in ordinary LibTorch operations.
#include <memory>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "bench.h"
#include "equiframe/models/model.h"
#include "reference_fa_gnn.h"
#include "runtime/gemm_speed.h"
#include "runtime/threads.h"

namespace {

using namespace equiframe;

/// Multiplications and additions in the products of one forward pass at batch 100, as the fused
/// layers do them: along 16,000 edges 115 MFLOP a layer, on 4,000 framed nodes 29 (the tail of the
/// last layer 29 more), and what the 8 copies share once on 500 nodes. Activations are not counted.
constexpr double kForwardFlop = 0.653e9;

struct Subjects {
  Tensor x = torch::randn({100, 5, 7}), target = torch::randn({100, 5, 3});
  std::shared_ptr<Model> ours = make_model("fa-gnn");
  bench::ReferenceFaGnn reference;

  Subjects() {
    const torch::NoGradGuard guard;
    x.select(2, 6).sign_();
    const auto from = ours->parameters(), to = reference.parameters();
    for (size_t k = 0; k < from.size(); ++k) to[k].copy_(from[k]);
  }
  template <class F>
  void step(torch::nn::Module& module, const F& forward) {
    module.zero_grad();
    (forward(x) - target).square().mean().backward();
  }
  void our_step() {
    step(*ours, [&](const Tensor& input) { return ours->forward(input); });
  }
  void reference_step() {
    step(reference, [&](const Tensor& input) { return reference.forward(input); });
  }
};

/// Wall time on two threads of both sides.
void two_threads(bench::Row& row, const std::function<void()>& ours,
                 const std::function<void()>& reference) {
  const int intra_op = at::get_num_threads();
  const auto measure = [](const std::function<void()>& work) {
    return 1e3 * bench::least_of(9, &bench::wall_seconds, work);
  };
  row.facts["ours_1_thread_wall_ms"] = measure(ours);
  row.facts["reference_1_thread_wall_ms"] = measure(reference);
  at::set_num_threads(2);
  runtime::set_blas_threads(2);
  row.facts["ours_2_threads_wall_ms"] = measure(ours);
  row.facts["reference_2_threads_wall_ms"] = measure(reference);
  at::set_num_threads(intra_op);
  runtime::set_blas_threads(1);
}

void peak_fraction(bench::Row& row, double flop) {
  const double peak = runtime::sgemm_gflops(runtime::kSquareShape).value_or(0);
  row.facts["sgemm_peak_gflops"] = peak;
  row.facts["ours_gflops"] = 1e-9 * flop / row.ours;
  row.facts["fraction_of_sgemm_peak"] = peak > 0 ? 1e-9 * flop / row.ours / peak : 0;
}

bench::Row forward_row() {
  Subjects s;
  const torch::NoGradGuard guard;
  const auto ours = [&] { s.ours->forward(s.x); };
  const auto reference = [&] { s.reference.forward(s.x); };
  bench::Row row = bench::speedup("n-body FA-GNN forward, batch 100", 4.5, ours, reference);
  peak_fraction(row, kForwardFlop);
  two_threads(row, ours, reference);
  return row;
}

bench::Row step_row() {
  Subjects s;
  const auto ours = [&] { s.our_step(); };
  const auto reference = [&] { s.reference_step(); };
  bench::Row row = bench::speedup("n-body FA-GNN training step, batch 100", 4, ours, reference);
  peak_fraction(row, 3 * kForwardFlop);
  two_threads(row, ours, reference);
  return row;
}

/// One element a sample while training, all eight when evaluating.
bench::Row one_element_row() {
  Subjects s;
  const std::shared_ptr<Model> one = make_model("fa-gnn(train_frame=sampled(k=1, base=pca))");
  return bench::cost(
      "training step, one random element against all", 0.5,
      [&] { s.step(*one, [&](const Tensor& x) { return one->forward(x); }); },
      [&] { s.our_step(); });
}

/// `particles` in a box of constant density, neighbours within a radius of about 12 others.
Tensor box(int64_t particles) {
  Tensor x = torch::randn({1, particles, 7});
  x.narrow(2, 0, 3).uniform_(0, std::cbrt(static_cast<double>(particles)));
  x.select(2, 6).sign_();
  return x;
}

/// Time for each particle with a cut-off: the same at 1,000 particles as at 125.
bench::Row scaling_row() {
  const torch::NoGradGuard guard;
  const std::shared_ptr<Model> model = make_model("fa-gnn(cutoff=1.4)");
  const std::shared_ptr<Model> rotations = make_model("fa-gnn(cutoff=1.4, group=SE(3))");
  bench::Row row{.name = "n-body cost a particle, 1000 against 125",
                 .goal = bench::Goal::kCost,
                 .target = 1.5};
  row.curves = {{"E(3), 8 elements", {}, {}}, {"SE(3), 4 elements", {}, {}}};
  for (const int64_t particles : {32, 64, 125, 250, 500, 1000}) {
    const Tensor x = box(particles);
    const auto time = [&](Model& m) {
      return bench::least_of(5, &bench::seconds, [&] { m.forward(x); });
    };
    const double seconds = time(*model);
    row.curves[0].size.push_back(static_cast<double>(particles));
    row.curves[0].seconds.push_back(seconds);
    row.curves[1].size.push_back(static_cast<double>(particles));
    row.curves[1].seconds.push_back(time(*rotations));
    if (particles == 125) row.reference = seconds / 125;
    if (particles == 1000) row.ours = seconds / 1000;
  }
  return row;
}

const bool kNbodyRegistered[] = {bench::add("nbody", forward_row), bench::add("nbody", step_row),
                                 bench::add("nbody", one_element_row),
                                 bench::add("nbody", scaling_row)};

}  // namespace
