#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "equiframe/core/options.h"
#include "equiframe/training/train_options.h"

namespace equiframe::inline training {

/// The cell of the paper that a run is compared with; without a table there is none.
struct PaperValue {
  std::string table;
  std::string row;
  double value = 0;
  std::string own = {};  ///< where our recipe is not the paper's, in words; empty = it is
  std::map<std::string, double> columns = {};  ///< others of the row, as the table names them
};

/// One row of a result table: what is needed to train it again.
///
///     [data]                 [model]               [train]            [paper]
///     name = "nbody"         name = "fa-gnn"       epochs = 10000     table = "Table 3"
///                            width = 60            lr = 1e-3          value = 0.0057
///
/// Keys of [data] and [model] other than `name` go to the plug-in, which refuses those it does not
/// know; keys of [train] and [paper] are the members of the structs above.
struct RunConfig {
  Choice data{"nbody", {}};
  Choice model;
  TrainOptions train;
  PaperValue paper;
};

/// `overrides` are "section.key=value" and win. `where` names the text in messages. Throws
/// UserError with the line for what cannot be read, with the nearest known key for one nobody
/// knows.
RunConfig parse_config(const std::string& toml, const std::string& where,
                       const std::vector<std::string>& overrides = {});
RunConfig load_config(const std::filesystem::path& file,
                      const std::vector<std::string>& overrides = {});

/// Every setting, defaults included, so that later versions read the same run.
std::string to_toml(const RunConfig& config);

/// SHA-256 of `to_toml` without the settings that cannot change a result: threads,
/// checkpoint_every, max_seconds, and the paper's value.
std::string config_hash(const RunConfig& config);

}  // namespace equiframe::inline training
