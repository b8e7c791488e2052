/// Configs and models are the same in programs that honour a locale with a decimal comma.
#include <string>

#include <gtest/gtest.h>

#include "equiframe/core/options.h"
#include "equiframe/training/config.h"
#include "tests/support/german_numbers.h"
#include "training/engine/metrics.h"

namespace equiframe {
namespace {

constexpr const char* kConfig = R"toml([data]
name = "nbody"
train = 3000

[model]
name = "fa-gnn"
width = 1200
scale = 0.125

[train]
epochs = 1200
lr = 5e-4
)toml";

/// All texts that a run writes and reads.
std::string texts() {
  const RunConfig config = parse_config(kConfig, "test.toml", {"train.lr=0.0125"});
  EXPECT_EQ(config.train.epochs, 1200);
  EXPECT_EQ(config.train.lr, 0.0125);
  Evaluation evaluation;
  evaluation.epoch = 1234;
  evaluation.train_loss = 0.125;
  const std::string line = to_json_line(evaluation);
  EXPECT_EQ(parse_json_line(line).train_loss, 0.125);
  EXPECT_EQ(Options::parse_call("f(scale=0.5, k=1000)").second.get_double("scale", 0), 0.5);
  return to_toml(config) + config_hash(config) + line;
}

TEST(Locale, TextsOfARunAreAsEver) {
  const std::string before = texts();
  const test_support::GermanStreams streams;
  EXPECT_EQ(texts(), before);
  const test_support::GermanPrintf print;
  if (!print.works()) GTEST_SKIP() << print.reason();
  EXPECT_EQ(texts(), before);
}

}  // namespace
}  // namespace equiframe
