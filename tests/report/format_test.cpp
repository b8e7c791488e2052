#include "equiframe/report/format.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"

namespace equiframe::report {
namespace {

TEST(Escape, WritesOutWhatMarkupReserves) {
  EXPECT_EQ(escape("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
  EXPECT_EQ(escape("ρ(g)⁻¹"), "ρ(g)⁻¹");
}

TEST(Number, IsShortAndKeepsTheMeaning) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(-0.0), "0");
  EXPECT_EQ(number(48), "48");
  EXPECT_EQ(number(40320), "40320");
  EXPECT_EQ(number(0.4256), "0.426");
  EXPECT_EQ(number(1.234e-15), "1.2e-15");
  EXPECT_EQ(number(2e-5), "2e-5");
  EXPECT_EQ(number(3.04e9), "3e9");
  EXPECT_EQ(number(-1.5), "-1.5");
  EXPECT_EQ(number(NAN), "nan");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "inf");
}

TEST(PowerOfTen, IsRaised) {
  EXPECT_EQ(power_of_ten(-15), "10⁻¹⁵");
  EXPECT_EQ(power_of_ten(0), "1");
  EXPECT_EQ(power_of_ten(1), "10");
  EXPECT_EQ(power_of_ten(3), "10³");
}

TEST(Width, CountsCharactersNotBytes) {
  EXPECT_EQ(width("10⁻¹⁵"), 5U);
  EXPECT_EQ(width(""), 0U);
}

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("equiframe_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(Files, AreWrittenWhole) {
  save("one\ntwo\n", folder_ / "a.txt");
  save("three", folder_ / "a.txt");
  std::ostringstream content;
  content << std::ifstream(folder_ / "a.txt").rdbuf();
  EXPECT_EQ(content.str(), "three");
}

std::string complaint(const std::filesystem::path& path) {
  try {
    require_writable(path);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST_F(Files, ThatCannotBeWrittenAreNamedWithTheReason) {
  EXPECT_EQ(complaint(folder_ / "fine.txt"), "");
  const auto missing = folder_ / "no" / "a.txt";
  EXPECT_NE(complaint(missing).find(missing.string()), std::string::npos);
  EXPECT_NE(complaint(missing).find("no folder"), std::string::npos);
  EXPECT_NE(complaint(folder_).find("it is a folder"), std::string::npos);
  EXPECT_NE(complaint("").find("empty"), std::string::npos);
  EXPECT_THROW(save("x", missing), UserError);
  EXPECT_THROW(save("x", "/proc/version"), UserError);  // read-only for everybody
}

}  // namespace
}  // namespace equiframe::report
