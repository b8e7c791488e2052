#include "torchscript/templates/template.h"

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

namespace equiframe {
namespace {

constexpr std::string_view kFile = R"("""For people."""
import torch
DIM__ = 3


# part: first
# a comment
def into_NAME__(self, x):
    y = x.__add__(DIM__)

    # part: middle
    y = y + DIM__  # part of the line
    # part: last
    return y[DIM__:]
)";

TEST(Template, PartsComeInTheOrderOfTheFileWithTheirWords) {
  const Template file(kFile);
  EXPECT_EQ(file.fill({"last", "first"}, {{"DIM__", "2"}, {"NAME__", "x"}}),
            "\ndef into_x(self, x):\n    y = x.__add__(2)\n    return y[2:]\n");
  EXPECT_EQ(file.fill({"middle"}, {{"DIM__", "2"}}), "    y = y + 2  # part of the line\n");
  EXPECT_EQ(file.fill({}), "");
}

TEST(Template, AWordIsNotLookedAtAgain) {
  EXPECT_EQ(Template(kFile).fill({"last"}, {{"DIM__", "NAME__"}}), "    return y[NAME__:]\n");
}

TEST(Template, WhatIsMissingIsNamed) {
  const Template file(kFile);
  EXPECT_THROW(file.fill({"middle"}), c10::Error);
  EXPECT_THROW(file.fill({"none"}, {{"DIM__", "2"}}), c10::Error);
  EXPECT_THROW(Template("").fill({"first"}), c10::Error);
}

TEST(Template, LongerCapitalsAreAnotherName) {
  const Template file("# part: a\nif A__ + B_A__ + CA__:\n");
  EXPECT_EQ(file.fill({"a"}, {{"A__", "1"}, {"B_A__", "2"}, {"CA__", "3"}}), "if 1 + 2 + 3:\n");
}

}  // namespace
}  // namespace equiframe
