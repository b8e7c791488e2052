#pragma once

#include <string>
#include <vector>

namespace equiframe::report {

enum class Align { kLeft, kRight };

struct Column {
  std::string name;
  Align align = Align::kLeft;
};

/// One table for a page and for a terminal.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// As many cells as there are columns.
  void add_row(std::vector<std::string> cells);

  std::string html() const;
  /// Columns two spaces apart, each line ended, none with trailing spaces.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace equiframe::report
