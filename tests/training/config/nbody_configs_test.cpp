/// The configs of Table 3, by the protocol of the paper.
#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/models/model_file.h"
#include "equiframe/training/config.h"
#include "tests/support/source_tree.h"

namespace equiframe {
namespace {

struct Row {
  const char* file;
  int64_t parameters;
  double lr;
  double paper;
};

TEST(NBodyConfigs, FollowTheProtocol) {
  const auto folder = test_support::source_tree() / "configs/nbody";
  const Row rows[] = {{"linear", 1, 5e-4, 0.0819},    {"gnn", 104387, 1e-3, 0.0107},
                      {"rf", 2052, 2e-4, 0.0104},     {"egnn", 134020, 5e-4, 0.0071},
                      {"tfn", 127024, 1e-3, 0.0155},  {"se3-transformer", 1763134, 5e-3, 0.0244},
                      {"fa-gnn", 92103, 1e-3, 0.0057}};
  for (const Row& row : rows) {
    const RunConfig config = load_config(folder / (std::string(row.file) + ".toml"));
    EXPECT_EQ(parameter_count(*build_model(config.model, torch::kFloat32)), row.parameters)
        << row.file;
    EXPECT_EQ(config.train.lr, row.lr) << row.file;
    EXPECT_EQ(config.paper.value, row.paper) << row.file;
    EXPECT_EQ(config.paper.table, "Table 3");
    EXPECT_EQ(config.train.epochs, 10000);
    EXPECT_EQ(config.train.batch, 100);
    EXPECT_EQ(config.train.weight_decay, 1e-12);
    EXPECT_EQ(config.train.optimizer, OptimizerKind::kAdam);
    EXPECT_EQ(config.train.schedule, Schedule::kConstant);
    EXPECT_EQ(config.train.evaluate_every, 5);
    EXPECT_TRUE(config.train.drop_last);
    EXPECT_EQ(config.data.name, "nbody");
  }
}

}  // namespace
}  // namespace equiframe
