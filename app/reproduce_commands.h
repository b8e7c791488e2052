#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include <CLI/App.hpp>

namespace equiframe::app {

/// The experiments below `equiframe reproduce`.
void add_reproduce_normals(CLI::App& reproduce_command);
void add_reproduce_separation(CLI::App& reproduce_command);

/// CONFIGS/EXPERIMENT of the first of: `asked`, ./configs, the source tree the program was built
/// in, the place it was installed to.
std::filesystem::path find_configs(const std::filesystem::path& asked,
                                   const std::string& experiment);

/// A command that is printed to be pasted, built option by option.
class PrintedCommand {
 public:
  explicit PrintedCommand(std::string start) : line_(std::move(start)) {}
  /// Nothing if there is no value.
  void add(const std::string& option, const std::string& value);
  void add_flag(const std::string& option, bool wanted);
  const std::string& line() const { return line_; }

 private:
  std::string line_;
};

/// Makes the folder of a report and sees that its files can be written.
void prepare_report_folder(const std::filesystem::path& folder);

}  // namespace equiframe::app
