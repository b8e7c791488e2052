#include "audit/measure/continuity.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "audit/measure/symmetry_errors.h"
#include "tests/audit/broken_models.h"

namespace equiframe::audit_test {
namespace {

std::vector<audit::PathJump> paths_of(const ScriptCase& script) {
  const auto subject = subject_of(script);
  return audit::measure_continuity(*subject, audit::probe_inputs(*subject, {}));
}

bool any_jump(const std::vector<audit::PathJump>& paths) {
  return std::any_of(paths.begin(), paths.end(), [](const auto& path) { return path.is_jump(); });
}

TEST(Continuity, FramesJumpWhereExtentsCross) {
  const auto paths = paths_of(sound_frame());
  const auto crossing = std::find_if(paths.begin(), paths.end(), [](const auto& path) {
    return path.name == "two extents cross";
  });
  ASSERT_NE(crossing, paths.end());
  EXPECT_TRUE(crossing->is_jump());
  EXPECT_LT(crossing->input_change, 1e-6);
  EXPECT_NEAR(crossing->position, 0, 1e-3);
}

TEST(Continuity, SteepIsNotAJump) {
  ScriptCase steep = sound_scalar();
  steep.source =
      "def forward(self, x):\n"
      "    return torch.tanh(300 * (x[:, 0] - x[:, 1]).sum(-1))\n";
  const auto paths = paths_of(steep);
  EXPECT_EQ(paths.size(), 5U);
  EXPECT_FALSE(any_jump(paths));
  EXPECT_FALSE(any_jump(paths_of(sound_vector())));
}

TEST(Continuity, AStepIsAJumpHoweverSmallTheStep) {
  ScriptCase step = sound_scalar();
  step.source =
      "def forward(self, x):\n"
      "    return ((x[:, 0] - x[:, 1]).sum(-1) > 0).to(x) + 1\n";
  EXPECT_TRUE(any_jump(paths_of(step)));
}

TEST(Continuity, AModelThatRefusesSaysSo) {
  ScriptCase refusing = sound_scalar();
  refusing.source =
      "def forward(self, x):\n"
      "    y = x - x.mean(1, True)\n"
      "    assert float((y * y).sum([1, 2]).min()) > 0.001, 'too small'\n"
      "    return y.sum([1, 2])\n";
  const auto paths = paths_of(refusing);
  EXPECT_NE(paths.front().refused.find("too small"), std::string::npos) << paths.front().refused;
}

}  // namespace
}  // namespace equiframe::audit_test
