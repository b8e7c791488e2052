// Python files, in parts, that become TorchScript.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace equiframe::inline torchscript {

/// What stands for a name that ends in two underscores: {"DIM__", "3"}.
using Words = std::vector<std::pair<std::string, std::string>>;

/// A file of Python that a line "# part: NAME" cuts into parts, at any depth. Python and its
/// linters read it as it is; what stands above the first part is for them alone. Of the parts
/// nothing is left out but comments and blank lines; each def gets one in front of it.
class Template {
 public:
  explicit Template(std::string_view file);

  /// The parts of these names in the order of the file, with its word for each NAME__, also inside
  /// a name (into_NAME__). What a word says is not looked at again.
  std::string fill(const std::vector<std::string>& parts, const Words& words = {}) const;

 private:
  std::vector<std::pair<std::string, std::string>> parts_;  // name, text
};

}  // namespace equiframe::inline torchscript
