#include "core/plain_text.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/german_numbers.h"

namespace equiframe::text {
namespace {

TEST(PlainText, DoesNotFollowTheLocale) {
  const test_support::GermanStreams streams;
  std::ostringstream local;
  local << 1234.5;
  ASSERT_EQ(local.str(), "1.234,5");  // the locale does what it is for
  EXPECT_EQ(plain("x = ", 1234.5, ", n = ", 1000000), "x = 1234.5, n = 1000000");
}

TEST(PlainText, PrintsAsInC) {
  EXPECT_EQ(printed("%.3f", 0.5), "0.500");
  EXPECT_EQ(printed("%f", -std::numeric_limits<double>::max()).size(), 317U);
  const test_support::GermanPrintf german;
  if (!german.works()) GTEST_SKIP() << german.reason();
  EXPECT_EQ(printed("%.3f", 0.5), "0.500");
  char local[8];
  std::snprintf(local, sizeof local, "%.1f", 0.5);
  EXPECT_STREQ(local, "0,5");  // of the others nothing has changed
}

TEST(Printable, KeepsTextAndShowsTheRest) {
  EXPECT_EQ(printable("ρ(g)⁻¹ 'ä' \xF0\x9F\x98\x80"), "ρ(g)⁻¹ 'ä' \xF0\x9F\x98\x80");
  EXPECT_EQ(printable("a\x1B[31mb\n\t\x7F"), "a\\x1B[31mb\\x0A\\x09\\x7F");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xFF\xC3"), "\\xFF\\xC3");           // no UTF-8, and cut off
  EXPECT_EQ(printable("\xC0\xAF"), "\\xC0\\xAF");           // '/' in two bytes
  EXPECT_EQ(printable("\xE0\x80\xAF"), "\\xE0\\x80\\xAF");  // and in three
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xED\\xA0\\x80");  // half a character of UTF-16
  EXPECT_EQ(printable("\xC2\x9B"), "\\xC2\\x9B");           // begins a sequence as ESC [ does
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\\xE2\\x80\\xAE");  // turns what follows around
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80");  // beyond Unicode
}

TEST(Excerpt, IsShortAndEndsWithAWholeCharacter) {
  EXPECT_EQ(excerpt("short"), "short");
  const auto letters = [](size_t count, const char* end) {
    return std::string(count, 'x').append(end);
  };
  EXPECT_EQ(excerpt(letters(41, "")), letters(40, "..."));
  EXPECT_EQ(excerpt(letters(39, "ää")), letters(39, "..."));
  EXPECT_EQ(excerpt(std::string(10'000'000, '\xFF')).size(), 4 * 40 + 3U);
}

}  // namespace
}  // namespace equiframe::text
