#include "report/table.h"

#include <algorithm>
#include <stdexcept>

#include "report/format.h"

namespace equiframe::report {

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size())
    throw std::invalid_argument("a row of " + std::to_string(cells.size()) +
                                " cells for a table of " + std::to_string(columns_.size()) +
                                " columns");
  rows_.push_back(std::move(cells));
}

std::string Table::html() const {
  const auto cell = [this](const char* tag, size_t column, const std::string& content) {
    const char* style = columns_[column].align == Align::kRight ? " class=\"right\"" : "";
    return std::string("<") + tag + style + ">" + escape(content) + "</" + tag + ">";
  };
  std::string result = "<table>\n<thead><tr>";
  for (size_t c = 0; c < columns_.size(); ++c) result += cell("th", c, columns_[c].name);
  result += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows_) {
    result += "<tr>";
    for (size_t c = 0; c < row.size(); ++c) result += cell("td", c, row[c]);
    result += "</tr>\n";
  }
  return result + "</tbody>\n</table>\n";
}

std::string Table::text() const {
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(width(columns_[c].name));
    for (const auto& row : rows_) widths.back() = std::max(widths.back(), width(row[c]));
  }
  const auto line = [&](const auto& cell_of) {
    std::string result;
    for (size_t c = 0; c < columns_.size(); ++c) {
      const std::string& cell = cell_of(c);
      const std::string padding(widths[c] - width(cell), ' ');
      if (c > 0) result += "  ";
      result += columns_[c].align == Align::kRight ? padding + cell : cell + padding;
    }
    result.erase(result.find_last_not_of(' ') + 1);
    return result + "\n";
  };
  std::string result = line([&](size_t c) -> const std::string& { return columns_[c].name; });
  for (const auto& row : rows_)
    result += line([&](size_t c) -> const std::string& { return row[c]; });
  return result;
}

}  // namespace equiframe::report
