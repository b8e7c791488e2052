#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "core/text.h"
#include "datasets/graphs/graph_sets.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/datasets/dataset.h"
#include "io/bytes/checksum.h"
#include "io/graphs/graph_batch.h"
#include "io/graphs/graph_text.h"

namespace equiframe::inline datasets {
namespace {

/// Graphs and their classes; a batch is as wide as the largest graph in it.
class GraphSamples final : public Dataset {
 public:
  GraphSamples(std::vector<SimpleGraph> graphs, std::vector<float> classes)
      : graphs_(std::move(graphs)), classes_(std::move(classes)) {}

  int64_t size() const override { return static_cast<int64_t>(graphs_.size()); }

  Example get(const Tensor& indices) const override {
    const auto rows = indices.accessor<int64_t, 1>();
    std::vector<SimpleGraph> some;
    some.reserve(static_cast<size_t>(rows.size(0)));
    const Tensor target = torch::empty({rows.size(0), 1});
    for (int64_t k = 0; k < rows.size(0); ++k) {
      some.push_back(graphs_.at(static_cast<size_t>(rows[k])));
      target[k] = classes_.at(static_cast<size_t>(rows[k]));
    }
    return {graph_batch(some), target};
  }

  std::string checksum() const { return sha256(to_graph_text(graphs_)); }

 private:
  std::vector<SimpleGraph> graphs_;
  std::vector<float> classes_;
};

/// Labels as classes 0, 1, ... in ascending order.
std::vector<int64_t> distinct_labels(const std::vector<SimpleGraph>& graphs) {
  std::set<int64_t> labels;
  for (const SimpleGraph& graph : graphs) labels.insert(graph.label);
  return {labels.begin(), labels.end()};
}

/// A whole file, or pairs like those of EXP made here.
std::vector<SimpleGraph> find_graphs(const DataRequest& request, std::string& description) {
  const Options& options = request.options;
  const std::string file =
      request.folder.empty() ? options.get("file", "") : request.folder.string();
  if (!file.empty()) {
    const std::filesystem::path path(file);  // of MUTAG/ the name is that of the folder
    description = (path.has_filename() ? path : path.parent_path()).filename().string();
    return read_graphs(file);
  }
  ExpOptions made;
  made.pairs = options.get_int("pairs", made.pairs);
  made.seed = static_cast<uint64_t>(options.get_int("seed", static_cast<int64_t>(made.seed)));
  if (made.pairs < 3) throw UserError("dataset graphs: pairs must be 3 or more");
  description = c10::str(made.pairs, " pairs like those of EXP, seed ", made.seed);
  return exp_like_pairs(made, [&](int64_t done) {
    if (request.progress)
      request.progress(static_cast<double>(done) / static_cast<double>(made.pairs),
                       "pairs of graphs");
  });
}

std::vector<SimpleGraph> shuffled(std::vector<SimpleGraph> graphs, uint64_t seed) {
  const Rng rng{seed, 0};
  for (size_t k = graphs.size(); k > 1; --k) std::swap(graphs[k - 1], graphs[rng.below(k, k, 0)]);
  return graphs;
}

/// The first graphs are for validation, the next for the test, the rest for training; a sixth each
/// for the first two unless `valid` and `test` say how many, which is the split of EXP-classify.
class GraphSource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const Options& options = request.options;
    std::string description;
    std::vector<SimpleGraph> graphs = find_graphs(request, description);
    const int64_t shuffle = options.get_int("shuffle", 0);
    const auto count = static_cast<int64_t>(graphs.size());
    const int64_t valid = options.get_int("valid", count / 6);
    const int64_t test = options.get_int("test", count / 6);
    options.refuse_unread("dataset graphs");
    if (valid < 1 || test < 1 || valid + test >= count)
      throw UserError(c10::str(
          "dataset graphs: ", count, " graphs cannot be split into ", valid, " for validation, ",
          test, " for the test and some for training; set data.valid and data.test"));
    const std::vector<int64_t> labels = distinct_labels(graphs);
    if (labels.size() < 2)
      throw UserError("dataset graphs: all graphs of '" + description + "' have the label " +
                      std::to_string(labels.front()) +
                      "; there is nothing to learn. graph6 files have no labels: use the text "
                      "format of EXP, a .csv with a column label, or a TU folder");
    if (shuffle > 0) graphs = shuffled(std::move(graphs), static_cast<uint64_t>(shuffle));
    const auto part = [&](int64_t first, int64_t size) {
      std::vector<SimpleGraph> some(graphs.begin() + first, graphs.begin() + first + size);
      std::vector<float> classes;
      classes.reserve(some.size());
      for (const SimpleGraph& graph : some)
        classes.push_back(static_cast<float>(
            std::lower_bound(labels.begin(), labels.end(), graph.label) - labels.begin()));
      return std::make_shared<const GraphSamples>(std::move(some), std::move(classes));
    };
    const auto train = part(valid + test, count - valid - test);
    std::vector<std::string> names;
    names.reserve(labels.size());
    for (const int64_t label : labels) names.push_back(std::to_string(label));
    return {train,
            part(0, valid),
            part(valid, test),
            train->checksum(),
            c10::str(description, ", classes ", text::join(names, ", "), "; ", train->size(), "/",
                     valid, "/", test, " graphs"),
            labels};
  }
};

const bool kGraphsRegistered = Datasets::instance().add(
    "graphs", "graphs with a class each, from a file, or pairs like those of EXP made here",
    [] { return std::make_unique<GraphSource>(); });

}  // namespace
}  // namespace equiframe::inline datasets
