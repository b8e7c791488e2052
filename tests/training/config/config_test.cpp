#include "equiframe/training/config.h"

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/training/engine/toy.h"

namespace equiframe {
namespace {

using training_test::message_of;

const char* const kText = R"toml([data]
name = "nbody"
particles = 7

[model]
name = "fa-gnn"
width = 30
frame = "sampled(base=pca, k=1)"
shared = true
scale = 1e-3

[train]
epochs = 12
lr = 5e-4
schedule = "warmup-cosine"
warmup_epochs = 2
checkpoint_every = "90s"
dtype = "float64"

[paper]
table = "Table 3"
row = "FA-GNN"
value = 0.0057
columns = { "I/SO(3)" = 0.25, EXP = 600 }
)toml";

TEST(Config, ReadsSections) {
  const RunConfig config = parse_config(kText, "test.toml");
  EXPECT_EQ(config.data.name, "nbody");
  EXPECT_EQ(config.data.options().get_int("particles", 0), 7);
  EXPECT_EQ(config.model.options().get("frame", ""), "sampled(base=pca, k=1)");
  EXPECT_TRUE(config.model.options().get_bool("shared", false));
  EXPECT_EQ(config.model.options().get_double("scale", 0), 1e-3);
  EXPECT_EQ(config.train.epochs, 12);
  EXPECT_EQ(config.train.batch, 100);
  EXPECT_EQ(config.train.schedule, Schedule::kWarmupCosine);
  EXPECT_EQ(config.train.checkpoint_every.seconds, 90);
  EXPECT_EQ(config.train.dtype, Precision::kFloat64);
  EXPECT_EQ(config.paper.value, 0.0057);
  EXPECT_EQ(config.paper.columns, (std::map<std::string, double>{{"I/SO(3)", 0.25}, {"EXP", 600}}));
}

TEST(Config, ResolvedFormReadsBackTheSame) {
  const RunConfig config = parse_config(kText, "test.toml", {"train.lr=0.1", "model.note=a \"b\\"});
  const std::string text = to_toml(config);
  const RunConfig again = parse_config(text, "resolved");
  EXPECT_EQ(to_toml(again), text);
  EXPECT_EQ(again.model, config.model);
  EXPECT_EQ(again.train.lr, 0.1);
  EXPECT_EQ(again.paper.columns, config.paper.columns);
  EXPECT_NE(text.find("evaluate_every = 5"), std::string::npos) << "defaults are written too";
}

TEST(Config, OverridesWin) {
  const RunConfig config = parse_config(
      kText, "test.toml", {"train.epochs=3", "model.frame=minimal", "data.seed=4", "train.ema=.5"});
  EXPECT_EQ(config.train.epochs, 3);
  EXPECT_EQ(config.model.options().get("frame", ""), "minimal");
  EXPECT_EQ(config.data.options().get_int("seed", 0), 4);
  EXPECT_EQ(config.train.ema, 0.5);
}

TEST(Config, HashIgnoresWhatCannotChangeAResult) {
  const auto hash = [](const std::string& setting) {
    return config_hash(parse_config(kText, "", {setting}));
  };
  EXPECT_EQ(hash("train.threads=2"), hash("train.checkpoint_every=7"));
  EXPECT_NE(hash("train.threads=2"), hash("train.lr=7"));
  EXPECT_NE(hash("train.threads=2"), hash("model.width=60"));
}

/// Every mistake gets its place and what to do.
TEST(Config, MistakesAreNamed) {
  const struct {
    const char* text;
    const char* setting;
    std::vector<const char*> parts;
  } cases[] = {
      {"[model]\nname = \"m\"\n[train]\nepochs = 3\nepoch = 4", "", {"c.toml:5", "'epochs'"}},
      {"[model]\nname = \"m\"\n[tarin]\nepochs = 3", "", {"c.toml:3", "did you mean 'train'"}},
      {"[model]\nname = \"m\"\n[train]\nlr = \"fast\"", "", {"c.toml:4", "train.lr", "number"}},
      {"[model]\nname = \"m\"\n[train]\nepochs = 1.5", "", {"c.toml:4", "whole number"}},
      {"[model]\nname = \"m\"\n[train]\noptimizer = \"sgd\"", "", {"c.toml:4", "adam, adamw"}},
      {"[model]\nname = \"m\"\nwidths = [1, 2]", "", {"c.toml:3", "model.widths"}},
      {"[model]\nname = \"m\"\n[train]\nlr = -1.0", "", {"c.toml", "train.lr", "positive"}},
      {"[model\nname = \"m\"", "", {"c.toml:1", "not TOML"}},
      {"epochs = 3", "", {"c.toml:1", "no section named 'epochs'"}},
      {"[train]\nepochs = 3", "", {"no model"}},
      {"[model]\nname = \"m\"", "train.epoch=3", {"'epochs'"}},
      {"[model]\nname = \"m\"", "epochs=3", {"section.key=value"}},
      {"[model]\nname = \"m\"", "train.epochs", {"section.key=value"}},
      {"[model]\nname = \"m\"", "train.seed=-1", {"train.seed", "zero or more"}},
  };
  for (const auto& c : cases) {
    const std::vector<std::string> settings(c.setting[0] == 0 ? 0 : 1, c.setting);
    const std::string message = message_of([&] { parse_config(c.text, "c.toml", settings); });
    EXPECT_FALSE(message.empty()) << c.text << c.setting;
    for (const char* part : c.parts)
      EXPECT_NE(message.find(part), std::string::npos) << message << " lacks " << part;
  }
  EXPECT_NE(message_of([] { load_config("/nonexistent.toml"); }).find("/nonexistent.toml"),
            std::string::npos);
}

}  // namespace
}  // namespace equiframe
