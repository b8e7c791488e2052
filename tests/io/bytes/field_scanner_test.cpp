#include "io/bytes/field_scanner.h"

#include <cmath>

#include <gtest/gtest.h>

namespace equiframe {
namespace {

TEST(FieldScanner, ReadsNumbersToTheLastDigit) {
  const auto real = [](const char* text) { return FieldScanner(text).number<double>(); };
  EXPECT_EQ(real("5312345.001"), 5312345.001);
  EXPECT_EQ(real("0.1000000000000000055511151231257827"), 0.1);
  EXPECT_EQ(real("+1.5e+3"), 1500.0);
  EXPECT_EQ(real("-.5"), -0.5);
  EXPECT_EQ(real("7."), 7.0);
  EXPECT_EQ(real("4.9e-324"), 4.9e-324);
  EXPECT_EQ(real("1e-999"), 0.0);
  EXPECT_TRUE(std::isinf(real("-Infinity").value()));
  EXPECT_TRUE(std::isnan(real("NaN").value()));
  for (const char* text : {"", "1e999", "0x10", "1,5", "1.2.3", "--1", "+-1", "e5", "1e", "."})
    EXPECT_EQ(real(text), std::nullopt) << text;
  EXPECT_EQ(FieldScanner("1e-60").number<float>(), 0.0F);
  EXPECT_EQ(FieldScanner("1e60").number<float>(), std::nullopt);
  EXPECT_EQ(FieldScanner("-9223372036854775808").number<int64_t>(), INT64_MIN);
  EXPECT_EQ(FieldScanner("9223372036854775808").number<int64_t>(), std::nullopt);
}

TEST(FieldScanner, FieldsOfBlanksAndSeparators) {
  FieldScanner blanks("  1\t 2  # 3");
  EXPECT_EQ(blanks.number<double>(), 1.0);
  EXPECT_EQ(blanks.word(), "2");
  EXPECT_TRUE(blanks.at_end());
  FieldScanner commas(" 1 , two words ,3,", ',');
  EXPECT_EQ(commas.number<double>(), 1.0);
  EXPECT_EQ(commas.number<double>(), std::nullopt);
  EXPECT_EQ(commas.trouble(), "'two words' is not a number");
  EXPECT_EQ(commas.word(), "two words");
  EXPECT_EQ(commas.number<double>(), 3.0);
  EXPECT_TRUE(commas.at_end());
  FieldScanner missing("1,,3", ',');
  missing.word();
  EXPECT_EQ(missing.number<double>(), std::nullopt);
  EXPECT_EQ(missing.trouble(), "a number is missing");
  EXPECT_EQ(FieldScanner("1e999").trouble(), "'1e999' is too large a number");
}

}  // namespace
}  // namespace equiframe
