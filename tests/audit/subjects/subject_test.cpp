#include "equiframe/audit/subject.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "audit/measure/symmetry_errors.h"
#include "equiframe.h"
#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"
#include "tests/audit/broken_models.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::audit_test {
namespace {

using test_support::TemporaryFolder;

ScriptModel model(const std::string& source) {
  return ScriptModel(module_of({source}));
}

TypedCall call(const std::string& in, const std::string& out) {
  TypedCall result;
  result.group = "E3";
  result.in = {parse_typed_argument(in)};
  result.out = {parse_typed_argument(out)};
  return result;
}

/// The sentence of the UserError that f throws.
template <class F>
std::string sentence(F&& f) {
  try {
    f();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

void expect_exact(const audit::Subject& subject) {
  for (const auto& errors : audit::measure_symmetry(subject, audit::probe_inputs(subject, {})))
    EXPECT_LT(errors.float64.max, 1e-12) << to_string(errors.part);
}

TEST(ScriptSubject, TakesChannelsFirst) {
  TypedCall typed = call("point", "vector");
  typed.point_axis = 2;
  expect_exact(*audit::script_subject(
      model("def forward(self, x):\n    return x - x.mean(2, True)\n"), typed));
}

TEST(ScriptSubject, TakesSingleInputs) {
  TypedCall typed = call("point", "vector");
  typed.batch_axis = -1;
  typed.point_axis = 0;
  expect_exact(*audit::script_subject(
      model("def forward(self, x):\n    return x - x.mean(0, True)\n"), typed));
}

TEST(ScriptSubject, TakesSeveralArgumentsByName) {
  TypedCall typed = call("v=vector", "point");
  typed.in.push_back(parse_typed_argument("point"));
  typed.mask = "mask";
  const auto subject =
      audit::script_subject(model("def forward(self, x, v, mask, flag: bool = True):\n"
                                  "    return x + v * mask.unsqueeze(-1).to(x)\n"),
                            typed);
  expect_exact(*subject);
}

TEST(ScriptSubject, SaysWhatIsMissing) {
  const ScriptModel plain = model("def forward(self, x):\n    return x\n");
  EXPECT_NE(sentence([&] {
              audit::script_subject(plain, {});
            }).find("--group E3 --in \"x=point\" --out \"vector\""),
            std::string::npos);
  EXPECT_NE(sentence([&] {
              audit::script_subject(plain, call("y=point", "point"));
            }).find("did you mean 'x'"),
            std::string::npos);
  const ScriptModel two = model("def forward(self, x, y):\n    return x\n");
  EXPECT_NE(sentence([&] { audit::script_subject(two, call("point", "point")); }).find("'y'"),
            std::string::npos);
  const auto wrong = audit::script_subject(plain, call("point", "scalar"));
  EXPECT_NE(sentence([&] { wrong->run(audit::probe_inputs(*wrong, {})); }).find("change --out"),
            std::string::npos);
}

TEST(OpenSubject, RefusesWhatItCannotAudit) {
  const TemporaryFolder folder;
  test_support::write_file(folder / "text.pt", "not a model");
  EXPECT_NE(sentence([&] {
              audit::open_subject((folder / "none.pt").string(), {});
            }).find("no such file"),
            std::string::npos);
  EXPECT_NE(sentence([&] {
              audit::open_subject((folder / "text.pt").string(), call("point", "point"));
            }).find("no TorchScript"),
            std::string::npos);
  EXPECT_NE(sentence([&] { audit::open_subject("./none.so:x", {}); }).find("no such file"),
            std::string::npos);
  Dl_info other{};  // a library that is something else
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&dlopen), &other), 0);
  EXPECT_NE(sentence([&] { audit::open_subject(other.dli_fname, {}); }).find("equiframe.h"),
            std::string::npos);
}

class ModelFile : public ::testing::Test {
 protected:
  ModelFile() {
    const auto linear = make_model("linear");
    ModelCard card;
    card.architecture.name = "linear";
    torch::manual_seed(4);
    save_model(file(), *linear, card, torch::randn({3, 5, 7}));
  }
  std::filesystem::path file() const { return folder_ / "linear.safetensors"; }

 private:
  TemporaryFolder folder_;
};

TEST_F(ModelFile, KnowsItsTypes) {
  const auto subject = audit::open_subject(file().string(), {});
  EXPECT_EQ(subject->typing().name(), "E(3)");
  EXPECT_EQ(audit::probe_inputs(*subject, {})[0].sizes(), (std::vector<int64_t>{3, 5, 7}));
  expect_exact(*subject);
}

TEST(OpenSubject, RefusesASecondCopyOfThisLibrary) {
  const TemporaryFolder folder;
  Dl_info library{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&equiframe_model_load), &library), 0);
  std::filesystem::copy_file(library.dli_fname, folder / "copy.so");
  EXPECT_NE(sentence([&] {
              audit::open_subject((folder / "copy.so").string() + ":x", {});
            }).find("another copy"),
            std::string::npos);
}

TEST_F(ModelFile, GoesThroughTheCInterfaceToo) {
  Dl_info library{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&equiframe_model_load), &library), 0);
  const auto subject =
      audit::open_subject(std::string(library.dli_fname) + ":" + file().string(), {});
  EXPECT_EQ(subject->kind(), "shared library");
  EXPECT_FALSE(subject->has_gradient());
  expect_exact(*subject);
}

}  // namespace
}  // namespace equiframe::audit_test
