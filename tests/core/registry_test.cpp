#include "equiframe/core/registry.h"

#include <gtest/gtest.h>

#include "equiframe/core/error.h"

namespace equiframe {
namespace {

struct Animal {
  static constexpr const char* kKind = "animal";
  virtual ~Animal() = default;
  virtual int legs() const = 0;
};
struct Bird final : Animal {
  int legs() const override { return 2; }
};

TEST(Registry, MakesByNameAndNamesTheNearest) {
  auto& animals = Registry<Animal>::instance();
  ASSERT_TRUE(animals.add("bird", "flies", [] { return std::make_unique<Bird>(); }));
  EXPECT_EQ(animals.make("bird")->legs(), 2);
  EXPECT_EQ(animals.description("bird"), "flies");
  EXPECT_THROW(animals.add("bird", "again", [] { return std::make_unique<Bird>(); }),
               std::logic_error);
  try {
    animals.make("brid");
    FAIL() << "expected a UserError";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "no animal named 'brid'; did you mean 'bird'?; known: bird");
  }
}

}  // namespace
}  // namespace equiframe
