#include "report/page.h"

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
         "}}\n" + R"css(
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.55;
  font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 3rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .75rem;letter-spacing:-.01em}
h2{font-size:1.15rem;margin:2.5rem 0 .5rem}
p{max-width:44rem;margin:.5rem 0}
.summary{font-size:1.125rem;max-width:46rem}
figure{margin:1.25rem 0;padding:1.25rem;background:var(--surface);border:1px solid var(--rule);
  border-radius:8px}
.drawings{display:flex;flex-wrap:wrap;gap:1.25rem;justify-content:center;overflow-x:auto}
.drawings svg{display:block;flex:1 1 18rem;width:100%;height:auto}
.drawings.wide{justify-content:flex-start}
.drawings.wide svg{min-width:40rem}
figcaption{color:var(--muted);font-size:.9rem;max-width:46rem;margin-top:.9rem}
.scroll{overflow-x:auto;margin:1rem 0;background:var(--surface);border:1px solid var(--rule);
  border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .9rem;text-align:left;white-space:nowrap}
th{color:var(--muted);font-weight:600;border-bottom:1px solid var(--rule)}
tr+tr td{border-top:1px solid var(--rule)}
.right{text-align:right}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.25rem;font-size:.9rem;
  margin:.75rem 0}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
@media print{:root{font-size:10pt}body{background:none}main{max-width:none;padding:0}
  figure,.scroll{break-inside:avoid;border-color:#ccc}.drawings,.scroll{overflow:visible}
  .drawings.wide svg{min-width:0}h2{break-after:avoid}}
)css";
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
