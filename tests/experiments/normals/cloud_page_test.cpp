#include "experiments/normals/cloud_page.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace equiframe::experiments {
namespace {

CloudPage sample_page() {
  CloudPage page;
  page.in = "/home/someone/a<b.ply";
  page.out = "secret/out.ply";
  page.points = at::rand({1200, 3}, at::kDouble);
  page.normals = at::randn({1200, 3}, at::kFloat);
  page.confidence = at::linspace(0, 1, 1200, at::kFloat);
  page.method = "pca";
  page.k = 24;
  return page;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CloudPage, NamesFilesWithoutTheirFolders) {
  const std::string html = cloud_page(sample_page());
  for (const char* folder : {"someone", "secret"}) EXPECT_FALSE(contains(html, folder)) << folder;
  EXPECT_TRUE(contains(html, "Normals of a&lt;b.ply"));
}

TEST(CloudPage, SaysWhatWasDone) {
  CloudPage page = sample_page();
  page.k_chosen = true;
  page.seconds = 0.5;
  page.parts = 3;
  const std::string html = cloud_page(page);
  EXPECT_TRUE(contains(html, "Normals of 1,200 points by pca with 24 neighbours (chosen from"));
  EXPECT_TRUE(contains(html, "<td>connected parts</td><td>3</td>"));
  EXPECT_TRUE(contains(html, "50% of the points are below 0.5"));
}

TEST(CloudPage, LeavesOutWhatIsNotKnown) {
  CloudPage page = sample_page();
  page.confidence = Tensor();
  page.k = 0;
  const std::string html = cloud_page(page);
  for (const char* part : {"Histogram", "<td>k</td>", "connected parts", "<input"})
    EXPECT_FALSE(contains(html, part)) << part;
}

}  // namespace
}  // namespace equiframe::experiments
