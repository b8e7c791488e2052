/// A C program that honours its user's locale gets the same numbers and texts.
#include "tests/bindings/c/c_handles.h"
#include "tests/support/german_numbers.h"

namespace equiframe::capi_test {
namespace {

struct Answers {
  std::string names;
  std::vector<float> numbers;
};

Answers answers(const std::string& name) {
  const CModel model = load(shipped(name));
  const equiframe_model_info info = describe(model.get());
  Answers result;
  for (const char* text : {info.name, info.group, info.frame, info.input_type, info.output_type})
    result.names += std::string(text) + "|";
  const Tensor x = torch::arange(10 * info.channels_in).sin().view({2, 5, info.channels_in});
  result.numbers = output<float>(model.get(), x);
  return result;
}

TEST(CLocale, ChangesNothing) {
  for (const char* name : {"nbody-fa-gnn", "nbody-fa-verlet"}) {
    const Answers before = answers(name);
    ASSERT_FALSE(before.numbers.empty());
    const test_support::GermanStreams streams;
    const test_support::GermanPrintf print;
    const Answers now = answers(name);
    EXPECT_EQ(now.names, before.names);
    EXPECT_EQ(now.numbers, before.numbers);
    equiframe_model* none = nullptr;
    EXPECT_EQ(equiframe_model_load("no-such-file", &none), EQUIFRAME_WRONG_INPUT);
  }
}

}  // namespace
}  // namespace equiframe::capi_test
