#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "laws/suite.h"

namespace equiframe::laws {
namespace {

/// The same laws as `equiframe check`, all of them.
TEST(Laws, AllHold) {
  std::set<std::string> laws, dtypes;
  check_laws({}, [&](const LawResult& result) {
    EXPECT_TRUE(result.pass()) << result.law << " | " << result.subject << " | " << result.dtype
                               << ": error " << result.error << " > " << result.tolerance;
    laws.insert(result.law);
    dtypes.insert(result.dtype);
  });
  EXPECT_GE(laws.size(), 20U) << "laws went missing";
  EXPECT_EQ(dtypes.size(), 2U);
}

TEST(Laws, FiltersNarrow) {
  int count = 0;
  check_laws({.group = "E3", .frame = "minimal", .dtype = "float32"}, [&](const LawResult& result) {
    ++count;
    EXPECT_EQ(result.dtype, "float32");
    EXPECT_EQ(result.subject.rfind("E(3) minimal", 0), 0U) << result.subject;
  });
  EXPECT_GT(count, 5);
}

TEST(Laws, FiltersThatNameNothingAreRefused) {
  const LawSink ignore = [](const LawResult&) {};
  EXPECT_THROW(check_laws({.group = "X(3)"}, ignore), UserError);
  EXPECT_THROW(check_laws({.frame = "pac"}, ignore), UserError);
  EXPECT_THROW(check_laws({.dtype = "float16"}, ignore), UserError);
  EXPECT_THROW(check_laws({.group = "T(3)", .frame = "pca"}, ignore), UserError);
}

TEST(LawResult, NotANumberFails) {
  EXPECT_FALSE((LawResult{"", "", "", std::nan(""), 1.0}.pass()));
}

}  // namespace
}  // namespace equiframe::laws
