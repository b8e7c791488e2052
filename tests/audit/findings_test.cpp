/// Each known fault is named, and sound models have none.
#include "audit/findings.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "equiframe/audit/audit.h"
#include "tests/audit/broken_models.h"

namespace equiframe::audit_test {
namespace {

using audit::AuditResult;
using audit::Part;
using audit::Verdict;

AuditResult audited(const ScriptCase& script) {
  return audit::audit(*subject_of(script));
}

std::set<std::string> codes(const AuditResult& result) {
  std::set<std::string> found;
  for (const audit::Finding& finding : result.findings) found.insert(finding.code);
  return found;
}

std::string all_text(const AuditResult& result) {
  std::string text;
  for (const audit::Finding& finding : result.findings)
    text += finding.code + ": " + finding.title + " " + finding.detail + "\n";
  return text;
}

const audit::Finding& finding(const AuditResult& result, const std::string& code) {
  static const audit::Finding none{};
  const auto found = std::find_if(result.findings.begin(), result.findings.end(),
                                  [&](const audit::Finding& one) { return one.code == code; });
  return found == result.findings.end() ? none : *found;
}

TEST(Findings, SoundModelsHaveNone) {
  for (const ScriptCase& script : {sound_scalar(), sound_vector(), sound_chiral(), sound_graph()}) {
    const AuditResult result = audited(script);
    EXPECT_TRUE(result.findings.empty()) << script.source << all_text(result);
  }
}

TEST(Findings, SignChosenInTheLabFrame) {
  const AuditResult result = audited(sign_in_lab_frame());
  EXPECT_TRUE(codes(result).contains("lab-sign")) << all_text(result);
  EXPECT_EQ(result.verdict(Part::kTranslation).kind, Verdict::Kind::kExact);
  EXPECT_EQ(result.verdict(Part::kRotation).kind, Verdict::Kind::kBroken);
  EXPECT_GT(result.lab.distinct, 1);
  EXPECT_LE(result.lab.distinct, 8);
}

TEST(Findings, HandednessNotFixed) {
  const AuditResult result = audited(handedness_not_fixed());
  EXPECT_TRUE(codes(result).contains("handedness")) << all_text(result);
  EXPECT_EQ(result.verdict(Part::kRotation).kind, Verdict::Kind::kExact);
  EXPECT_EQ(result.verdict(Part::kReflection).text, "holds, not claimed");
}

TEST(Findings, OneRandomSignForTheWholeBatch) {
  const AuditResult result = audited(one_sign_for_the_batch());
  EXPECT_EQ(codes(result), std::set<std::string>{"batch-draw"}) << all_text(result);
  EXPECT_GT(result.batch.across_calls, 1e-3);
  EXPECT_EQ(result.batch.within_call, 0);
}

TEST(Findings, TruncatedNeighbours) {
  const AuditResult result = audited(truncated_neighbours());
  EXPECT_EQ(codes(result).count("truncation"), 1U) << all_text(result);
  EXPECT_EQ(result.order.last_exact, 5);  // five neighbours are kept
  EXPECT_EQ(result.order.first_broken, 6);
  EXPECT_EQ(result.verdict(Part::kRotation).kind, Verdict::Kind::kExact);
}

TEST(Findings, BiasOnAVectorChannel) {
  const AuditResult result = audited(bias_on_vectors());
  const audit::Finding found = finding(result, "vector-bias");
  EXPECT_NE(found.detail.find("(0.3, -0.1, 0.2)"), std::string::npos) << all_text(result);
  ASSERT_TRUE(result.angular.measured);  // a constant vector is of order 1, all of it
  EXPECT_NEAR(result.angular.share[0] + result.angular.share[1], 1, 1e-9);
  EXPECT_GT(result.angular.share[1], 1e-3);
}

TEST(Findings, MultiplicityByFloatEquality) {
  const AuditResult result = audited(multiplicity_by_equality());
  EXPECT_TRUE(codes(result).contains("multiplicity")) << all_text(result);
  EXPECT_EQ(result.verdict(Part::kPermutation).kind,
            Verdict::Kind::kExact);  // ordinary graphs do not show it
}

TEST(Findings, DetachedFrame) {
  const AuditResult result = audited(detached_frame());
  EXPECT_TRUE(codes(result).contains("gradient")) << all_text(result);
  EXPECT_EQ(result.verdict(Part::kRotation).kind, Verdict::Kind::kExact);
  const AuditResult attached = audited(sound_frame());
  EXPECT_FALSE(codes(attached).contains("gradient")) << all_text(attached);
  EXPECT_LT(attached.gradient.median, 1e-6);
}

TEST(Findings, FramesLoseTiesAndJumpThere) {
  const AuditResult result = audited(sound_frame());
  EXPECT_TRUE(codes(result).contains("hard-inputs")) << all_text(result);
  EXPECT_TRUE(codes(result).contains("jump")) << all_text(result);
}

TEST(Findings, WhatCancelsIsZeroAndNotBroken) {
  ScriptCase cancels = sound_vector();
  cancels.source =
      "def forward(self, x):\n"
      "    return (x - x.mean(1, True)).sum(1, True) * torch.tanh(x)\n";
  const AuditResult result = audited(cancels);
  EXPECT_EQ(codes(result), std::set<std::string>{"zero"}) << all_text(result);
  EXPECT_EQ(result.verdict(Part::kRotation).kind, Verdict::Kind::kExact);
  ScriptCase small = sound_vector();  // by its units, not because it cancels
  small.source.replace(small.source.rfind("sum(2)"), 6, "sum(2) * 1e-20");
  small.source.replace(small.source.find("return ("), 8, "return 1e-20 * (");
  const AuditResult units = audited(small);
  EXPECT_FALSE(units.vanishes());
  EXPECT_TRUE(units.findings.empty()) << all_text(units);
}

TEST(Findings, AnswersThatAreNotFiniteHoldNoSymmetry) {
  for (const char* answer : {"x * float('nan')", "x / 0.0", "torch.log(x)"}) {
    ScriptCase lost = sound_vector();
    lost.source = c10::str("def forward(self, x):\n    return ", answer, "\n");
    const AuditResult result = audited(lost);
    EXPECT_EQ(codes(result), std::set<std::string>{"not-finite"}) << all_text(result);
    EXPECT_EQ(result.verdict(Part::kRotation).kind, Verdict::Kind::kNotFinite) << answer;
    for (const char* required : {"", "all", "batch", "sound"})
      EXPECT_EQ(unmet(result, audit::parse_requirements(required)).size(), 1U) << required;
    for (const std::string& said : {to_text(result), to_json(result, {}), to_html(result)}) {
      EXPECT_NE(said.find("not finite"), std::string::npos) << said;
      EXPECT_EQ(said.find("holds"), std::string::npos) << said;
    }
  }
}

TEST(Findings, AnswersThatFloat32DoesNotHold) {
  ScriptCase large = sound_scalar();
  large.source.insert(large.source.rfind('\n'), "))");
  large.source.replace(large.source.find("return "), 7, "return 1e-60 * (1e60 * (");
  const AuditResult result = audited(large);
  EXPECT_EQ(codes(result), std::set<std::string>{"not-finite"}) << all_text(result);
  EXPECT_EQ(result.verdict(Part::kRotation).kind, Verdict::Kind::kExact);
}

TEST(Findings, PlainCoordinates) {
  const AuditResult result = audited(plain_coordinates());
  EXPECT_TRUE(codes(result).contains("rotation")) << all_text(result);
  EXPECT_TRUE(codes(result).contains("translation")) << all_text(result);
  EXPECT_FALSE(codes(result).contains("lab-sign")) << all_text(result);
}

}  // namespace
}  // namespace equiframe::audit_test
