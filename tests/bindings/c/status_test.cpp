#include "bindings/c/status.h"

#include <thread>

#include "equiframe/version.h"
#include "tests/bindings/c/c_handles.h"

namespace equiframe::capi_test {
namespace {

TEST(CVersion, IsThatOfTheLibrary) {
  EXPECT_EQ(equiframe_api_version(), EQUIFRAME_API_VERSION);
  EXPECT_EQ(equiframe_version_string(), version());
}

TEST(CStatus, IsTheExitCodeOfTheProgram) {
  using bindings::guarded;
  EXPECT_EQ(guarded([] {}), 0);
  EXPECT_STREQ(equiframe_last_error(), "");
  EXPECT_EQ(guarded([] { throw UserError("say\nthis"); }), 2);
  EXPECT_STREQ(equiframe_last_error(), "say this");
  EXPECT_EQ(guarded([] { TORCH_CHECK(false, "broken"); }), 70);
  EXPECT_STREQ(equiframe_last_error(), "broken");
  EXPECT_EQ(guarded([] { throw std::bad_alloc(); }), 70);
  EXPECT_NE(std::string(equiframe_last_error()).find("memory"), std::string::npos);
  EXPECT_EQ(guarded([] { throw 1; }), 70);
  EXPECT_STRNE(equiframe_last_error(), "");
}

TEST(CStatus, CutsTextsThatAreTooLong) {
  bindings::guarded([] { throw UserError(std::string(1'000'000, 'x')); });
  const std::string text = equiframe_last_error();
  EXPECT_GT(text.size(), 1000U);
  EXPECT_EQ(text, std::string(text.size(), 'x'));
}

TEST(CStatus, BelongsToTheThreadAndToItsLastCall) {
  equiframe_model* model = nullptr;
  EXPECT_EQ(equiframe_model_load("mine", &model), EQUIFRAME_WRONG_INPUT);
  std::thread([] {
    EXPECT_STREQ(equiframe_last_error(), "");
    equiframe_model* other = nullptr;
    EXPECT_EQ(equiframe_model_load("others", &other), EQUIFRAME_WRONG_INPUT);
    EXPECT_NE(std::string(equiframe_last_error()).find("others"), std::string::npos);
  }).join();
  EXPECT_NE(std::string(equiframe_last_error()).find("mine"), std::string::npos);
  const ModelFile file = small_model();
  EXPECT_NE(load(file.path()), nullptr);
  EXPECT_STREQ(equiframe_last_error(), "");
}

}  // namespace
}  // namespace equiframe::capi_test
