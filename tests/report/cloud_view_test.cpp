#include "report/cloud_view.h"

#include <cmath>
#include <cstring>
#include <regex>
#include <sstream>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "report/packed_cloud.h"
#include "report/page.h"
#include "tests/support/contains.h"

namespace equiframe::report {
namespace {

using test_support::contains;

Tensor random_points(int64_t count, double offset) {
  at::manual_seed(7);
  return at::rand({count, 3}, at::kDouble) * at::tensor({40.0, 3.0, 0.5}, at::kDouble) + offset;
}

CloudView sample_view(int64_t count, double offset = 0) {
  const Tensor points = random_points(count, offset);
  const Tensor normals = at::randn({count, 3}, at::kFloat);
  return {"a <cloud> & more", points, normals / normals.norm(2, {1}, true),
          at::rand({count}, at::kFloat)};
}

std::string html(const CloudView& view) {
  Page page("clouds", "One.");
  page.view(view, "seen & turned");
  return page.html();
}

/// What the script reads from an attribute of the figure.
std::string attribute(const std::string& markup, const std::string& name) {
  const std::string key = " data-" + name + "=\"";
  const size_t at = markup.find(key) + key.size();
  return markup.substr(at, markup.find('"', at) - at);
}

std::string unpacked(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6U) | static_cast<uint32_t>(digits.find(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(static_cast<unsigned char>(bits >> static_cast<unsigned>(held)));
  }
  return bytes;
}

/// Bytes of an attribute as an array of `columns` columns.
Tensor array(const std::string& markup, const char* name, at::ScalarType type, int64_t columns) {
  const std::string bytes = unpacked(attribute(markup, name));
  const Tensor result = at::empty({static_cast<int64_t>(bytes.size())}, at::kByte);
  std::memcpy(result.data_ptr(), bytes.data(), bytes.size());
  return result.view(type).reshape({-1, columns});
}

TEST(CloudView, Base64IsTheUsualOne) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(CloudView, CoordinatesComeBackWithinAQuantisationStep) {
  for (const double offset : {0.0, 5e6, -4e7}) {
    const CloudView view = sample_view(500, offset);
    const std::string markup = html(view);
    const double step = std::stod(attribute(markup, "step"));
    EXPECT_LT(step, 40.0 / 65000);
    std::vector<double> origin(3);
    std::istringstream(attribute(markup, "origin")) >> origin[0] >> origin[1] >> origin[2];
    const Tensor low_high = array(markup, "points", at::kByte, 2).to(at::kDouble);  // [1500, 2]
    const Tensor numbers = (low_high.select(1, 0) + 256 * low_high.select(1, 1)).view({-1, 3});
    const Tensor points = at::tensor(origin, at::kDouble) + step * numbers;
    // Half a step, and what float64 has at that offset.
    EXPECT_LE((points - view.points).abs().max().item<double>(), 0.501 * step + 1e-7) << offset;
  }
}

TEST(CloudView, NormalsAndConfidenceComeBack) {
  CloudView view = sample_view(300);
  view.normals[5].fill_(NAN);
  view.normals[6].zero_();
  view.normals[7] *= 1000;
  view.confidence[8] = NAN;
  const std::string markup = html(view);
  const Tensor normals = array(markup, "normals", at::kChar, 3).to(at::kFloat) / 127;
  for (const int64_t missing : {5, 6}) EXPECT_EQ(normals[missing].abs().sum().item<float>(), 0);
  view.normals[7] /= 1000;
  const Tensor error = (normals - view.normals).abs().amax(1);
  EXPECT_LT(error.narrow(0, 7, 293).max().item<float>(), 0.5 / 127 + 1e-5);
  const Tensor confidence = array(markup, "confidence", at::kByte, 1).squeeze(1) / 255.0;
  EXPECT_EQ(confidence[8].item<float>(), 0);
  EXPECT_LT((confidence - view.confidence).narrow(0, 9, 291).abs().max().item<float>(), 0.002);
}

TEST(CloudView, ShowsAnEvenPartOfALargeCloudAndSaysSo) {
  CloudView view = sample_view(10007);
  view.max_points = 4000;
  const Tensor rows = shown_rows(view);
  ASSERT_EQ(rows.size(0), 4000);
  EXPECT_TRUE(at::equal(rows, shown_rows(view)));
  EXPECT_TRUE(rows.diff().gt(0).all().item<bool>()) << "ascending, none twice";
  EXPECT_LE(rows.diff().max().item<int64_t>(), 5);
  EXPECT_EQ(shown_points(view), "4,000 of 10,007 points");
  EXPECT_EQ(attribute(html(view), "count"), "4000");
  EXPECT_TRUE(contains(html(view), "4,000 of 10,007 points. seen &amp; turned"));
  view.max_points = 10007;
  EXPECT_EQ(shown_points(view), "10,007 points");
}

TEST(CloudView, LeavesOutPointsThatAreNotFinite) {
  CloudView view = sample_view(20);
  view.points[3][1] = INFINITY;
  EXPECT_EQ(pack(view).count, 19);
  EXPECT_EQ(shown_points(view), "19 of 20 points");
  EXPECT_FALSE(std::regex_search(attribute(html(view), "step"), std::regex("inf|nan")));
}

TEST(CloudView, TakesCloudsWithoutExtent) {
  CloudView view = sample_view(5);
  view.points = at::full({5, 3}, 2.5, at::kDouble);
  EXPECT_EQ(pack(view).points, std::string(30, '\0'));
  EXPECT_EQ(html(sample_view(0)).find("nan"), std::string::npos);
}

TEST(CloudView, EscapesItsTitle) {
  const std::string markup = html(sample_view(10));
  EXPECT_TRUE(contains(markup, "a &lt;cloud&gt; &amp; more"));
  EXPECT_FALSE(contains(markup, "<cloud>"));
}

TEST(CloudView, HasAChoiceOfColourOnlyWithConfidence) {
  CloudView view = sample_view(10);
  EXPECT_TRUE(contains(html(view), "value=\"confidence\""));
  view.confidence = Tensor();
  const std::string markup = html(view);
  for (const char* part : {"<input", "data-confidence", "<fieldset"})
    EXPECT_FALSE(contains(markup, part)) << part;
}

TEST(CloudView, TellsReadersWithoutAScriptOrSight) {
  const std::string markup = html(sample_view(10));
  EXPECT_TRUE(contains(markup, "<noscript>"));
  EXPECT_TRUE(contains(markup, "aria-label=\"Point cloud"));
}

TEST(CloudView, NeedsNothingFromOutsideAndOneScriptForAllViews) {
  Page page("clouds", "Two.");
  for (int i = 0; i < 2; ++i) page.view(sample_view(10), "again");
  const std::string markup = page.html();
  for (const char* part : {"<link", "src=", "url(", "@import", "http"})
    EXPECT_FALSE(contains(markup, part)) << part;
  const size_t first = markup.find("<script");
  EXPECT_EQ(markup.find("<script", first + 1), std::string::npos);
  EXPECT_TRUE(contains(markup, "name=\"colour-2\""));
}

TEST(CloudView, RefusesArraysThatDoNotFit) {
  CloudView view = sample_view(10);
  view.normals = view.normals.narrow(0, 0, 9);
  EXPECT_THROW(pack(view), c10::Error);
  view = sample_view(10);
  view.points = view.points.to(at::kFloat);
  EXPECT_THROW(pack(view), c10::Error);
}

}  // namespace
}  // namespace equiframe::report
