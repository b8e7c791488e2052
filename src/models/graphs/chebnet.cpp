#include <torch/types.h>

#include "models/graphs/graph_model.h"
#include "models/graphs/graph_spectra.h"

namespace equiframe::inline models {
namespace {

/// Chebyshev polynomials of the Laplacian, stretched to [-1, 1] by each graph's own largest
/// eigenvalue: X <- act(sum_k T_k(2 L / lambda_max - I) X W_k + b), widths 32, 64, 64. Four terms,
/// or five to classify.
class ChebNet final : public GraphModel {
 public:
  explicit ChebNet(const Options& options)
      : GraphModel(options), terms_(options.get_int("terms", task() == Task::kEmbed ? 4 : 5)) {
    TORCH_CHECK(terms_ >= 1, "chebnet: at least one term is needed");
    const int64_t widths[] = {inputs(), kWidth / 2, kWidth, kWidth};
    for (int64_t k = 0; k < kLayers; ++k) {
      const std::string number = std::to_string(k + 1);
      weight_.push_back(
          register_parameter("weight" + number, glorot({terms_, widths[k], widths[k + 1]})));
      bias_.push_back(register_parameter("bias" + number, torch::zeros({widths[k + 1]})));
    }
    add_head(kWidth);
  }

  /// Adds the stretched Laplacian.
  Batch prepare(const Batch& batch) const override {
    return add_pair_channels(batch, 1, [](const DenseGraph& graph, std::vector<double>& stretched) {
      const int64_t n = graph.nodes();
      const double largest = n == 0 ? 0 : symmetric_eigen(n, graph.laplacian).values.back();
      const double scale = largest > 0 ? 2 / largest : 0;
      for (int64_t k = 0; k < n * n; ++k)
        stretched[k] = scale * graph.laplacian[k] - (k % (n + 1) == 0 ? 1 : 0);
    });
  }

 private:
  static constexpr int64_t kLayers = 3, kWidth = 64;

  int64_t prepared_channels() const override { return 2; }

  Tensor embed(const Batch& batch) override {
    const Tensor laplacian = batch.pair.select(-1, 1);
    Tensor h = batch.x;
    for (size_t k = 0; k < weight_.size(); ++k) {
      Tensor before = h, now = h;
      Tensor sum = h.matmul(weight_[k][0]);
      for (int64_t term = 1; term < terms_; ++term) {
        const Tensor next =
            term == 1 ? torch::bmm(laplacian, now) : 2 * torch::bmm(laplacian, now) - before;
        before = now;
        now = next;
        sum = sum + now.matmul(weight_[k][term]);
      }
      h = activate(sum + bias_[k]) * node_mask(batch);
    }
    return pool(h, batch);
  }

  int64_t terms_;
  std::vector<Tensor> weight_, bias_;
};

const bool kChebnetRegistered = Models::instance().add(
    "chebnet", "Chebyshev polynomials of the Laplacian",
    [](const Options& options) { return std::make_unique<ChebNet>(options); });

}  // namespace
}  // namespace equiframe::inline models
