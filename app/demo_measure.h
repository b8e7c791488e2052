#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "equiframe/core/tensor.h"

/// What the demo shows, as numbers.
namespace equiframe::app {

/// One random network under one group: how far it is from equivariant, before and after averaging.
struct DemoRow {
  std::string group;    // "E(3)"
  std::string input;    // "random cloud"
  std::string map;      // "point -> vector"
  std::string frame;    // "pca"
  double elements = 0;  // |F(X)|
  double before = 0;
  double after_float64 = 0, tolerance_float64 = 0;
  double after_float32 = 0, tolerance_float32 = 0;

  bool pass() const {  // NaN fails
    return after_float64 <= tolerance_float64 && after_float32 <= tolerance_float32;
  }
};
std::vector<DemoRow> measure_groups(uint64_t seed);

/// The error left by averaging over random rotations instead of a frame, float64, SO(3).
struct SamplingCurve {
  struct Sample {
    double evaluations = 0;
    double error = 0;
  };
  std::vector<Sample> random;  // k Haar draws
  Sample frame;                // the frame 'pca'
};
SamplingCurve measure_sampling(uint64_t seed);

/// A planar cloud, a network that predicts a vector at each point, and its answers to turned copies
/// of the cloud, turned back: g^-1 f(gX). Of an equivariant network they are all equal.
struct Fan {
  Tensor points;          // [N, 2]
  Tensor answers;         // [R, N, 2], the first for g = 1
  double spread() const;  // the largest distance of two answers at one point
};
struct DemoPicture {
  Fan ordinary;
  Fan averaged;
};
DemoPicture measure_picture(uint64_t seed);

}  // namespace equiframe::app
