#include "separation_sets.h"

#include <optional>

#include <c10/util/StringUtil.h>

#include "datasets/graphs/graph_sets.h"
#include "equiframe/core/error.h"
#include "io/bytes/checksum.h"
#include "io/graphs/graph6.h"
#include "io/graphs/graph_batch.h"
#include "io/graphs/graph_text.h"
#include "progress.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

/// The graphs of the file that is given, or those that `make` writes to `file`, where other
/// processes find them too.
template <class Make>
GraphSet graph_set(const fs::path& given, const fs::path& file, bool fresh, const Make& make) {
  GraphSet set;
  set.file = given.empty() ? file : given;
  if (given.empty() && (fresh || !fs::exists(file))) {
    fs::create_directories(file.parent_path());
    make(file);
  }
  set.graphs = read_graphs(set.file);
  set.checksum = sha256(to_graph_text(set.graphs));
  return set;
}

/// All of them must have the same parameters, or the count would say nothing.
GraphSet regular_set(const fs::path& file) {
  GraphSet set{read_graphs(file), "", file};
  set.checksum = sha256(to_graph_text(set.graphs));
  std::optional<StronglyRegular> first;
  for (size_t k = 0; k < set.graphs.size(); ++k) {
    const auto parameters = strongly_regular(set.graphs[k]);
    if (!parameters || (first && parameters != first))
      throw UserError(c10::str(
          "'", file.string(), "': graph ", k + 1,
          parameters ? " has other parameters than the first" : " is not strongly regular"));
    first = parameters;
  }
  return set;
}

}  // namespace

GraphSets load_sets(const GraphFiles& files, const fs::path& out) {
  const auto make_graph8c = [](const fs::path& file) { write_graph6(file, connected_graphs(8)); };
  const auto make_exp = [](const fs::path& file) {
    ExpOptions options;
    ProgressBar bar("pairs of EXP", static_cast<double>(options.pairs));
    write_graph_text(file, exp_like_pairs(options, [&](int64_t done) {
                       bar.update(static_cast<double>(done), std::to_string(done));
                     }));
  };
  GraphSets sets{graph_set(files.graph8c, out / "data" / "graph8c.g6", files.fresh, make_graph8c),
                 graph_set(files.exp, out / "data" / "exp.txt", files.fresh, make_exp)};
  if (sets.exp.graphs.size() % 2 != 0)
    throw UserError("'" + files.exp.string() + "' has " + std::to_string(sets.exp.graphs.size()) +
                    " graphs; EXP consists of pairs");
  if (!files.regular.empty()) sets.regular = regular_set(files.regular);
  return sets;
}

}  // namespace equiframe::app
