#pragma once

#include <filesystem>
#include <string>

#include <CLI/App.hpp>

namespace equiframe::app {

/// The experiments below `equiframe reproduce`.
void add_reproduce_normals(CLI::App& reproduce_command);
void add_reproduce_separation(CLI::App& reproduce_command);

/// CONFIGS/EXPERIMENT of the first of: `asked`, ./configs, the source tree the program was built
/// in, the place it was installed to.
std::filesystem::path find_configs(const std::filesystem::path& asked,
                                   const std::string& experiment);

/// Exit code of a program ended by Ctrl-C, as a shell reports it.
constexpr int kExitInterrupted = 130;

/// Quoted for a shell where it has to be.
std::string quoted(const std::string& word);

/// Makes the folder of a report and sees that its files can be written.
void prepare_report_folder(const std::filesystem::path& folder);

}  // namespace equiframe::app
