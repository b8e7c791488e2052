// Small TorchScript models with one known fault each, and sound ones beside them.
#pragma once

#include <memory>
#include <string>

#include <torch/csrc/jit/api/module.h>

#include "equiframe/audit/subject.h"

namespace equiframe::audit_test {

struct ScriptCase {
  std::string source;  ///< of forward
  std::string group = "E3";
  std::string in = "point";
  std::string out = "scalar";
};

torch::jit::Module module_of(const ScriptCase& script);
std::unique_ptr<audit::Subject> subject_of(const ScriptCase& script);

/// An invariant of distances and a vector at each point, smooth, exact under E(3) and reordering.
ScriptCase sound_scalar();
ScriptCase sound_vector();
/// Right-handed: signed volumes.
ScriptCase sound_chiral();
/// Of the spectrum of the Laplacian, by traces of its powers.
ScriptCase sound_graph();
/// Principal axes with all signs averaged and the frame differentiated by eigh.
ScriptCase sound_frame();

ScriptCase sign_in_lab_frame();
ScriptCase handedness_not_fixed();
ScriptCase one_sign_for_the_batch();
ScriptCase truncated_neighbours();
ScriptCase bias_on_vectors();
ScriptCase multiplicity_by_equality();
ScriptCase detached_frame();
/// Coordinates as plain numbers: no symmetry at all.
ScriptCase plain_coordinates();

}  // namespace equiframe::audit_test
