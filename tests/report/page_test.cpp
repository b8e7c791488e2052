#include "report/page.h"

#include <regex>
#include <stdexcept>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "report/cloud_view.h"
#include "tests/support/contains.h"

namespace equiframe::report {
namespace {

using test_support::contains;

/// The names of elements left open or closed twice, for markup whose only void elements are known.
std::string imbalance(const std::string& markup) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z0-9]+)([^>]*)>");
  for (std::sregex_iterator it(markup.begin(), markup.end(), tag), end; it != end; ++it) {
    const std::string name = (*it)[2], rest = (*it)[3];
    if (name == "meta" || rest.ends_with("/")) continue;
    if ((*it)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "unexpected </" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "open <" + open.back() + ">";
}

Page sample_page() {
  Page page("Errors & tolerances", "All is <well>.");
  page.section("Numbers");
  page.paragraph("1 < 2");
  Svg drawing({100, 50}, "a line");
  drawing.line({0, 0}, {100, 50}, {});
  page.figure({drawing, drawing}, "two lines");
  page.figure({drawing}, "one line");
  Table table({{"name"}, {"value", Align::kRight}});
  table.add_row({"a<b", "1"});
  page.table(table);
  page.facts({{"seed", "7"}});
  return page;
}

TEST(Page, IsBalancedMarkup) {
  EXPECT_EQ(imbalance(sample_page().html()), "");
  EXPECT_EQ(imbalance("<p><b></p></b>"), "unexpected </p>");  // the check can fail
}

TEST(Page, IsBalancedMarkupWithAView) {
  Page page = sample_page();
  page.view({"dots", at::eye(3, at::kDouble), at::eye(3, at::kFloat), at::ones({3}, at::kFloat)},
            "three");
  EXPECT_EQ(imbalance(page.html()), "");
}

TEST(Page, EscapesAllText) {
  const std::string html = sample_page().html();
  for (const char* part : {"Errors &amp; tolerances", "All is &lt;well&gt;.", "1 &lt; 2", "a&lt;b",
                           "<dt>seed</dt><dd>7</dd>"})
    EXPECT_TRUE(contains(html, part)) << part;
}

TEST(Page, NeedsNothingFromOutside) {
  const std::string html = sample_page().html();
  for (const char* part : {"<script", "<link", "src=", "url(", "@import"})
    EXPECT_FALSE(contains(html, part)) << part;
  const std::regex address("https?://(?!www\\.w3\\.org/2000/svg)");
  EXPECT_FALSE(std::regex_search(html, address));
}

TEST(Page, FollowsBothSchemesAndPrints) {
  const std::string html = sample_page().html();
  EXPECT_TRUE(contains(html, "prefers-color-scheme:dark"));
  EXPECT_TRUE(contains(html, "@media print"));
}

TEST(Table, AlignsColumnsByCharacters) {
  Table table({{"law"}, {"error", Align::kRight}});
  table.add_row({"ρ(gh)", "1.5e-16"});
  table.add_row({"identity", "0"});
  EXPECT_EQ(table.text(),
            "law         error\n"
            "ρ(gh)     1.5e-16\n"
            "identity        0\n");
}

TEST(Table, RefusesARowOfAnotherLength) {
  Table table({{"a"}, {"b"}});
  EXPECT_THROW(table.add_row({"1"}), std::invalid_argument);
}

}  // namespace
}  // namespace equiframe::report
