#pragma once

#include <CLI/App.hpp>

namespace equiframe::app {

/// The data sets of graphs below `equiframe data`.
void add_data_graphs(CLI::App& data);

}  // namespace equiframe::app
