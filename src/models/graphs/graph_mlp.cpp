#include <torch/types.h>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "models/graphs/averaged_graph_model.h"

namespace equiframe::inline models {
namespace {

/// "128-64" -> {128, 64}
std::vector<int64_t> parse_widths(const std::string& text) {
  std::vector<int64_t> widths;
  for (const std::string& word : text::split(text, '-')) {
    const bool number = !word.empty() &&
                        word.find_first_not_of("0123456789") == std::string::npos &&
                        word.size() < 7 && word.find_first_not_of('0') != std::string::npos;
    if (!number) throw UserError("graph-mlp: widths = '" + text + "'; write them as 128-64");
    widths.push_back(std::stoll(word));
  }
  return widths;
}

/// A perceptron on the adjacency matrix as it is written down, row after row, behind the node
/// features if `features` is set: any function of ordered graphs, and a network of no symmetry.
class GraphMlp final : public AveragedGraphModel {
 public:
  explicit GraphMlp(const Options& options)
      : GraphMlp(options, parse_widths(options.get("widths", "128-64"))) {}

 private:
  GraphMlp(const Options& options, const std::vector<int64_t>& widths)
      : AveragedGraphModel(options, options.get_int("nodes", 8)),
        features_(options.get_bool("features", false)) {
    int64_t in = nodes() * nodes() + (features_ ? inputs() * nodes() : 0);
    for (const int64_t width : widths) {
      layers_.push_back(register_module("layer" + std::to_string(layers_.size() + 1),
                                        torch::nn::Linear(in, width)));
      in = width;
    }
    add_head(widths.back());
  }

  Tensor features_of(const Batch& ordered) override {
    Tensor h = adjacency(ordered).flatten(1);
    if (features_) h = torch::cat({ordered.x.flatten(1), h}, 1);
    for (torch::nn::Linear& layer : layers_) h = activate(layer->forward(h));
    return h;
  }

  bool features_;
  std::vector<torch::nn::Linear> layers_;
};

const bool kGraphMlpRegistered = Models::instance().add(
    "graph-mlp", "a perceptron on the adjacency matrix, averaged over a frame",
    [](const Options& options) { return std::make_unique<GraphMlp>(options); });

}  // namespace
}  // namespace equiframe::inline models
