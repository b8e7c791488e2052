#include "equiframe/core/options.h"

#include <gtest/gtest.h>

#include "equiframe/core/error.h"

namespace equiframe {
namespace {

std::string complaint_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, ParsesACallWithNestedParentheses) {
  const auto [name, options] =
      Options::parse_call("sampled(k=2, base=pca(degenerate=minimal, tolerance=1e-6))");
  EXPECT_EQ(name, "sampled");
  EXPECT_EQ(options.get_int("k", 0), 2);
  EXPECT_EQ(options.get("base", ""), "pca(degenerate=minimal, tolerance=1e-6)");
}

TEST(Options, ABareNameHasNoOptions) {
  const auto [name, options] = Options::parse_call("  pca ");
  EXPECT_EQ(name, "pca");
  EXPECT_FALSE(options.has("k"));
  EXPECT_NO_THROW(options.refuse_unread("frame 'pca'"));
}

TEST(Options, AKeyNobodyReadIsRefusedAndTheRightOneNamed) {
  const Options options{{"widht", "64"}};
  EXPECT_EQ(options.get_int("width", 32), 32);
  const std::string text = complaint_of([&] { options.refuse_unread("the model"); });
  EXPECT_NE(text.find("did you mean 'width'"), std::string::npos) << text;
}

TEST(Options, WrongValuesAreRefusedInWords) {
  const Options options{{"k", "two"}, {"x", "1.5z"}, {"flag", "yes"}, {"mode", "fsat"}};
  EXPECT_NE(complaint_of([&] { options.get_int("k", 1); }).find("whole number"), std::string::npos);
  EXPECT_NE(complaint_of([&] { options.get_double("x", 1); }).find("number"), std::string::npos);
  EXPECT_NE(complaint_of([&] { options.get_bool("flag", true); }).find("true"), std::string::npos);
  EXPECT_NE(complaint_of([&] {
              options.get_choice("mode", {"slow", "fast"});
            }).find("'fast'"),
            std::string::npos);
}

TEST(Options, BrokenCallsAreRefused) {
  EXPECT_THROW(Options::parse_call("pca(k=2"), UserError);
  EXPECT_THROW(Options::parse_call("pca(k)"), UserError);
}

TEST(Options, PrintsWhatItParsed) {
  EXPECT_EQ(Options::parse_call("sampled(k=2, base=pca)").second.str(), "base=pca, k=2");
}

}  // namespace
}  // namespace equiframe
