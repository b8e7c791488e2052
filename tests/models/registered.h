// The registered models by what they take.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equiframe/models/model.h"

namespace equiframe {

/// What a model takes.
enum class Input { kParticles, kGraphs, kClouds, kPatches };

inline Input input_of(const Model& model) {
  const std::string in = model.signature().in;
  if (in == "graph") return Input::kGraphs;
  if (model.signature().out == "line") return Input::kPatches;  // neighbours relative to a point
  return in == "point" ? Input::kClouds : Input::kParticles;
}

/// Names of all models that take `input`.
inline std::vector<std::string> registered_models(Input input) {
  std::vector<std::string> names;
  for (const std::string& name : Models::instance().names())
    if (input_of(*make_model(name)) == input) names.push_back(name);
  return names;
}

inline std::string model_test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace equiframe
