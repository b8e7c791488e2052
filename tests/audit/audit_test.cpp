/// What a reader of the three forms of a report meets.
#include "equiframe/audit/audit.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/audit/broken_models.h"

namespace equiframe::audit_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Audit, WritesAPageWithPictures) {
  const auto result = audit::audit(*subject_of(bias_on_vectors()));
  const std::string html = audit::to_html(result);
  for (const char* part : {"A vector channel has a bias", "Error by angle", "Angular orders",
                           "worst rotation", "Hard inputs", "Continuity", "<svg"})
    EXPECT_TRUE(has(html, part)) << part;
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "src=\"http"));
}

TEST(Audit, SaysTheSameInJsonAndText) {
  const auto result = audit::audit(*subject_of(sign_in_lab_frame()));
  const std::string json = audit::to_json(result, {"rotation misses"});
  for (const char* part : {"\"lab-sign\"", "\"verdict\": \"broken\"", "\"pass\": false"})
    EXPECT_TRUE(has(json, part)) << part;
  const std::string text = audit::to_text(result);
  for (const char* part : {"broken", "[lab-sign]", "laboratory's frame", "continuity"})
    EXPECT_TRUE(has(text, part)) << part;
  EXPECT_TRUE(has(audit::to_text(audit::audit(*subject_of(sound_vector()))), "no findings"));
}

TEST(Audit, LeavesTheDefaultGeneratorAsItWas) {
  torch::manual_seed(11);
  const double expected = torch::rand({1}).item<double>();
  torch::manual_seed(11);
  const auto first = audit::audit(*subject_of(one_sign_for_the_batch()));
  EXPECT_EQ(torch::rand({1}).item<double>(), expected);
  const auto second = audit::audit(*subject_of(one_sign_for_the_batch()));
  EXPECT_EQ(first.of(audit::Part::kRotation).float64.max,
            second.of(audit::Part::kRotation).float64.max);
}

TEST(Audit, TellsHowFarItHasCome) {
  audit::AuditOptions options;
  double last = -1;
  options.progress = [&](double done, const std::string&) {
    EXPECT_GT(done, last);
    last = done;
  };
  audit::audit(*subject_of(sound_scalar()), options);
  EXPECT_GT(last, 0.9);
}

TEST(Audit, HardInputsAreTriedOneByOne) {
  const auto result = audit::audit(*subject_of(sound_vector()));
  std::vector<std::string> names;
  for (const audit::HardCase& hard : result.hard) {
    EXPECT_EQ(hard.outcome, audit::HardCase::Outcome::kHolds) << hard.name << " " << hard.message;
    names.push_back(hard.name);
  }
  for (const char* name : {"cube", "planar", "linear", "coincident", "one point", "far", "one NaN"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

}  // namespace
}  // namespace equiframe::audit_test
