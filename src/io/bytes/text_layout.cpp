#include "io/bytes/text_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <c10/util/StringUtil.h>

#include "core/plain_text.h"
#include "io/bytes/chunked_file.h"
#include "io/bytes/field_scanner.h"
#include "io/bytes/number_lines.h"
#include "io/clouds/rows/point_rows.h"

namespace equiframe::inline io {
namespace {

constexpr int64_t kRowsLookedAt = 1000;

char separator_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  if (line.find(';') != std::string_view::npos) return ';';
  return line.find(',') != std::string_view::npos ? ',' : ' ';
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// The name that the library has for a column; other names stay as they are.
std::string known_name(std::string_view word) {
  static const std::map<std::string, std::string> kKnown{
      {"x", "x"},
      {"y", "y"},
      {"z", "z"},
      {"nx", "nx"},
      {"ny", "ny"},
      {"nz", "nz"},
      {"normal_x", "nx"},
      {"normal_y", "ny"},
      {"normal_z", "nz"},
      {"r", "red"},
      {"g", "green"},
      {"b", "blue"},
      {"a", "alpha"},
      {"red", "red"},
      {"green", "green"},
      {"blue", "blue"},
      {"alpha", "alpha"},
      {"i", "intensity"},
      {"intensity", "intensity"},
  };
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"')
    word = word.substr(1, word.size() - 2);
  const auto known = kKnown.find(lower(word));
  return known == kKnown.end() ? std::string(word) : known->second;
}

std::vector<std::string> names_in(std::string_view line) {
  std::vector<std::string> names;
  FieldScanner words(line, separator_of(line));
  while (!words.at_end() && names.size() <= kMaxFields) names.push_back(known_name(words.word()));
  return names;
}

bool has_twins(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool begins_with_number(std::string_view line) {
  return FieldScanner(line, separator_of(line)).number<double>().has_value();
}

/// The least and greatest value of each column, and whether all are whole.
struct ColumnRange {
  double least = INFINITY, most = -INFINITY;
  bool whole = true;

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
    whole = whole && std::trunc(value) == value;
  }
};

class LayoutFinder {
 public:
  explicit LayoutFinder(const std::filesystem::path& path) : file_(path) {}

  TextLayout find() {
    const std::optional<std::string_view> first = first_row();
    if (!first) {  // a header, or the number 0
      if (layout_.promised) layout_.names = {"x", "y", "z"};
      if (layout_.names.empty()) file_.fail_file("no line of numbers; expected x y z in each");
      return layout_;
    }
    layout_.separator = separator_of(*first);
    read_row(*first);
    for (int64_t row = 1; row < kRowsLookedAt;) {
      const std::optional<std::string_view> line = file_.next_line();
      if (!line) break;
      if (is_comment(*line)) continue;
      read_row(*line);
      ++row;
    }
    if (!layout_.named) guess_names();
    return layout_;
  }

 private:
  /// The first line of numbers. What stands before it may name the columns or count the points.
  std::optional<std::string_view> first_row() {
    std::vector<std::string> commented;
    while (const std::optional<std::string_view> line = file_.next_line()) {
      if (is_comment(*line)) {
        const std::size_t words = line->find_first_not_of("#/% \t");
        const std::vector<std::string> names = words == std::string_view::npos
                                                   ? std::vector<std::string>{}
                                                   : names_in(line->substr(words));
        if (names.size() >= 3 && names[0] == "x" && names[1] == "y" && names[2] == "z")
          commented = names;
      } else if (!begins_with_number(*line)) {
        read_header(*line);
      } else if (!read_count(*line)) {
        use_commented(commented, *line);
        return line;
      }
    }
    return std::nullopt;
  }

  void read_header(std::string_view line) {
    if (layout_.named || layout_.count_line > 0) {
      FieldScanner scanner(line, separator_of(line));
      file_.fail(c10::str(scanner.trouble(), "; expected x y z"));
    }
    layout_.names = names_in(line);
    layout_.named = true;
    layout_.header_line = file_.line_number();
    refuse_many(layout_.names.size());
    for (const char* axis : {"x", "y", "z"})
      if (std::find(layout_.names.begin(), layout_.names.end(), axis) == layout_.names.end())
        file_.fail(c10::str("'", excerpt(line),
                            "' is neither numbers nor names of columns; expected x, y and z"));
    if (has_twins(layout_.names))
      file_.fail(c10::str("'", excerpt(line), "' names two columns alike; rename one"));
  }

  /// A whole number alone, before all points.
  bool read_count(std::string_view line) {
    if (layout_.count_line > 0 || layout_.named) return false;
    FieldScanner scanner(line);
    const std::optional<int64_t> count = scanner.number<int64_t>();
    if (!count || *count < 0 || !scanner.at_end()) return false;
    layout_.count_line = file_.line_number();
    layout_.promised = count;
    return true;
  }

  void use_commented(const std::vector<std::string>& names, std::string_view row) {
    if (layout_.named || names.empty()) return;
    std::size_t width = 0;
    for (FieldScanner scanner(row, separator_of(row)); !scanner.at_end(); scanner.word()) ++width;
    if (width != names.size() || has_twins(names)) return;  // prose that begins with x y z
    layout_.names = names;
    layout_.named = true;
  }

  void read_row(std::string_view line) {
    FieldScanner scanner(line, layout_.separator);
    std::size_t width = 0;
    for (; !scanner.at_end(); ++width) {
      refuse_many(width);
      const std::optional<double> value = scanner.number<double>();
      if (!value) return;  // for the reader to complain of
      if (width == ranges_.size() && rows_ == 0) ranges_.emplace_back();
      if (width < ranges_.size()) ranges_[width].add(*value);
    }
    ++rows_;
    if (width < 3)
      file_.fail(c10::str("the line has ", width, " numbers; expected at least 3, x y z"));
  }

  void refuse_many(std::size_t columns) const {
    if (columns > kMaxFields)
      file_.fail(c10::str("more than ", kMaxFields,
                          " columns; expected x y z and a few more, each point in its own line"));
  }

  bool are_colours(std::size_t first) const {
    if (first + 3 > ranges_.size()) return false;
    double most = 0;
    for (std::size_t k = first; k < first + 3; ++k) {
      if (!ranges_[k].whole || ranges_[k].least < 0 || ranges_[k].most > 255) return false;
      most = std::max(most, ranges_[k].most);
    }
    return most > 1;
  }

  bool are_normals(std::size_t first) const {
    if (first + 3 > ranges_.size()) return false;
    return std::all_of(ranges_.begin() + static_cast<std::ptrdiff_t>(first),
                       ranges_.begin() + static_cast<std::ptrdiff_t>(first + 3),
                       [](const ColumnRange& range) {
                         return range.least >= -kLargestNormal && range.most <= kLargestNormal;
                       });
  }

  void guess_names() {
    std::vector<std::string>& names = layout_.names;
    names = {"x", "y", "z"};
    const auto add = [&names](std::initializer_list<const char*> more) {
      names.insert(names.end(), more.begin(), more.end());
    };
    const auto has = [&names](const char* name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    const bool before_colour = ranges_.size() % 3 == 1 && are_colours(4) && !are_normals(3);
    if (ranges_.size() == 4 || before_colour) add({"intensity"});
    while (names.size() < ranges_.size()) {
      if (are_colours(names.size()) && !has("red"))
        add({"red", "green", "blue"});
      else if (are_normals(names.size()) && !has("nx"))
        add({"nx", "ny", "nz"});
      else
        names.push_back(text::plain("column_", names.size() + 1));
    }
  }

  ChunkedFile file_;
  TextLayout layout_;
  std::vector<ColumnRange> ranges_;
  int64_t rows_ = 0;
};

}  // namespace

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return true;
  const std::string_view text = line.substr(first);
  return text.starts_with('#') || text.starts_with('%') || text.starts_with("//");
}

TextLayout find_layout(const std::filesystem::path& path) {
  return LayoutFinder(path).find();
}

}  // namespace equiframe::inline io
