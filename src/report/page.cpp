#include "report/page.h"

#include "report/assets/page.css.h"
#include "report/cloud_figure.h"
#include "report/cloud_view.h"
#include "report/format.h"
#include "report/palette.h"

namespace equiframe::report {
namespace {

/// The page's own colours come from the palette of the drawings.
std::string scheme(const char* (*value)(Colour), const char* paper) {
  return std::string("--paper:") + paper + ";--surface:" + value(Colour::kSurface) +
         ";--ink:" + value(Colour::kInk) + ";--muted:" + value(Colour::kMuted) +
         ";--rule:" + value(Colour::kRule);
}

std::string stylesheet() {
  return ":root{color-scheme:light dark;" + scheme(light, "#f7f6f3") +
         "}\n@media screen and (prefers-color-scheme:dark){:root{" + scheme(dark, "#161615") +
         "}}\n\n" + std::string(embedded::kPageCss);
}

}  // namespace

Page::Page(std::string title, std::string summary)
    : title_(std::move(title)), summary_(std::move(summary)) {}

void Page::section(std::string_view heading) {
  body_ += "<h2>" + escape(heading) + "</h2>\n";
}

void Page::paragraph(std::string_view text) {
  body_ += "<p>" + escape(text) + "</p>\n";
}

void Page::figure(const std::vector<Svg>& drawings, std::string_view caption) {
  body_ += std::string("<figure><div class=\"drawings") + (drawings.size() == 1 ? " wide" : "") +
           "\">\n";
  for (const Svg& drawing : drawings) body_ += drawing.element();
  body_ += "</div><figcaption>" + escape(caption) + "</figcaption></figure>\n";
}

void Page::view(const CloudView& view, std::string_view caption) {
  body_ += cloud_figure(view, caption, ++views_);
}

void Page::table(const Table& table) {
  body_ += "<div class=\"scroll\">\n" + table.html() + "</div>\n";
}

void Page::facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  body_ += "<dl>\n";
  for (const auto& [name, value] : facts)
    body_ += "<dt>" + escape(name) + "</dt><dd>" + escape(value) + "</dd>\n";
  body_ += "</dl>\n";
}

std::string Page::html() const {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
         escape(title_) + "</title>\n<style>\n" + stylesheet() + palette_rules() +
         (views_ > 0 ? cloud_style() : "") + "\n</style>\n</head>\n<body>\n<main>\n<h1>" +
         escape(title_) + "</h1>\n<p class=\"summary\">" + escape(summary_) + "</p>\n" + body_ +
         "</main>\n" + (views_ > 0 ? cloud_script() : "") + "</body>\n</html>\n";
}

}  // namespace equiframe::report
