#pragma once

#include <functional>
#include <string>

#include <torch/types.h>

#include "equiframe/laws/laws.h"
#include "laws/suite.h"

/// The parts of `check_laws`, one file each, and what they share.
namespace equiframe::inline laws {

/// Where results go, and what was asked for.
class Recorder {
 public:
  Recorder(const LawFilter& filter, const LawSink& sink) : filter_(filter), sink_(sink) {}
  const LawFilter& filter() const { return filter_; }

  void add(const std::string& law, const std::string& subject, torch::ScalarType type, double error,
           double tolerance) const {
    sink_({law, subject, type == torch::kFloat32 ? "float32" : "float64", error, tolerance});
  }

 private:
  const LawFilter& filter_;
  const LawSink& sink_;
};

inline constexpr torch::ScalarType kTypes[] = {torch::kFloat64, torch::kFloat32};

/// `f`, computing in `type`, as a map of float64: the group always acts in float64 (P14).
template <class Map>
auto in_type(torch::ScalarType type, Map f) {
  return [type, f](const Batch& batch) {
    Batch cast = batch;
    cast.x = batch.x.to(type);
    if (batch.pair.defined()) cast.pair = batch.pair.to(type);
    return Tensor(f(cast)).to(torch::kFloat64);
  };
}

void check_group_laws(const Recorder& recorder);
void check_euclidean_frames(const Recorder& recorder);
void check_finite_frames(const Recorder& recorder);
void check_permutation_frames(const Recorder& recorder);
void check_theorems(const Recorder& recorder);

}  // namespace equiframe::inline laws
