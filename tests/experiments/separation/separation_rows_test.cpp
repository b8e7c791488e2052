#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "experiments/separation/separation_report.h"
#include "tests/support/source_tree.h"

namespace equiframe::experiments {
namespace {

std::vector<SeparationRow> rows() {
  auto result = table2_rows();
  read_paper_values(result, test_support::source_tree() / "configs/exp-classify");
  return result;
}

SeparationRow row(const std::string& name) {
  const auto all = rows();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? SeparationRow{} : *found;
}

TEST(SeparationRows, HaveThePapersNumbersFromTheConfigs) {
  EXPECT_EQ(row("gat").paper_graph8c, 1828);
  EXPECT_EQ(row("gat").paper_exp, 600);
  EXPECT_EQ(row("chebnet").paper_graph8c, 44);
  EXPECT_EQ(row("chebnet").paper_exp, 71);
  EXPECT_EQ(row("chebnet").paper_accuracy, 0.82);
  EXPECT_EQ(row("gin-id-ga").paper_graph8c, 0);
  EXPECT_EQ(row("gin-id-ga").paper_accuracy, 0.5);
}

TEST(SeparationRows, OfTheTableAreTen) {
  const auto all = rows();
  EXPECT_EQ(std::count_if(all.begin(), all.end(),
                          [](const auto& each) {
                            return each.paper_graph8c >= 0 && each.paper_exp >= 0 &&
                                   !std::isnan(each.paper_accuracy);
                          }),
            10);
  for (const char* ours : {"mlp-fa-4", "mlp-fa-canonical", "gin-id-fa-canonical"}) {
    EXPECT_EQ(row(ours).paper_graph8c, -1);
    EXPECT_TRUE(std::isnan(row(ours).paper_accuracy));
  }
}

}  // namespace
}  // namespace equiframe::experiments
