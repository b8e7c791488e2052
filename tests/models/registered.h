// The registered models by what they take.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equiframe/models/model.h"

namespace equiframe {

/// Names of all models, on graphs or on particles.
inline std::vector<std::string> registered_models(bool on_graphs) {
  std::vector<std::string> names;
  for (const std::string& name : Models::instance().names())
    if ((make_model(name)->signature().in == "graph") == on_graphs) names.push_back(name);
  return names;
}

inline std::string model_test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace equiframe
