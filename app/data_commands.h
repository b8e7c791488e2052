#pragma once

#include <CLI/App.hpp>

namespace equiframe::app {

/// The data set of random solids and smooth shapes below `equiframe data`.
void add_data_cad(CLI::App& data);

/// Clouds with the normals of a network.
void add_data_votes(CLI::App& data);
void add_data_choices(CLI::App& data);

/// The data sets of graphs.
void add_data_graphs(CLI::App& data);

}  // namespace equiframe::app
