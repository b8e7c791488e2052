#pragma once

#include <filesystem>

#include <CLI/App.hpp>

namespace equiframe::app {

/// The experiments below `equiframe reproduce`.
void add_reproduce_separation(CLI::App& reproduce_command);

/// Makes the folder of a report and sees that its files can be written.
void prepare_report_folder(const std::filesystem::path& folder);

}  // namespace equiframe::app
