#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/svg.h"
#include "report/table.h"

namespace equiframe::report {

struct CloudView;

/// A web page in one file: it needs no font and no network, follows the reader's light or dark
/// scheme, and prints. It has a script only if it has a view. All text is escaped.
class Page {
 public:
  /// The headline, and the whole story in a sentence or two.
  Page(std::string title, std::string summary);

  void section(std::string_view heading);
  void paragraph(std::string_view text);
  /// Drawings side by side where there is room, below one another where there is not.
  void figure(const std::vector<Svg>& drawings, std::string_view caption);
  /// A cloud that the reader can turn; the number of points shown is put before the caption.
  void view(const CloudView& view, std::string_view caption);
  void table(const Table& table);
  /// Named facts, such as where the numbers come from.
  void facts(const std::vector<std::pair<std::string, std::string>>& facts);

  std::string html() const;

 private:
  std::string title_;
  std::string summary_;
  std::string body_;
  int views_ = 0;
};

}  // namespace equiframe::report
