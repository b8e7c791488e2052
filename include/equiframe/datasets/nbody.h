#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "equiframe/core/tensor.h"
#include "equiframe/datasets/nbody_simulator.h"
#include "equiframe/export.h"

/// The charged-particle benchmark (Satorras et al. 2021, Sec. 5.1) as twelve .npy files:
/// {loc,vel,edges,charges}_{train,valid,test}TAG.npy, float64.
namespace equiframe::inline datasets {

/// Defaults are those of the benchmark's set "nbody_small".
struct EQUIFRAME_API NBodyOptions {
  kernels::NBodySystem system = kernels::charged_particles(5);
  uint32_t seed = 43;
  int64_t train = 10000, valid = 2000, test = 2000;  ///< trajectories, drawn in this order
  std::string suffix = "small";                      ///< ends the file names

  /// What file names have after the split, such as "_charged5_initvel1small".
  std::string tag() const;
  /// All settings in one line.
  std::string str() const;
};

/// S trajectories of F frames and N particles, float64. Frame k is the state after
/// sampling * (k + 1) steps.
struct NBodySplit {
  Tensor loc;      ///< [S, F, 3, N]
  Tensor vel;      ///< [S, F, 3, N]
  Tensor edges;    ///< [S, N, N]: q_i q_j, or spring constants
  Tensor charges;  ///< [S, N, 1]
};

struct NBodyArrays {
  NBodySplit train, valid, test;
  std::string tag;
  std::string description;  ///< how they were made, if it is known
};

/// How long work is done and watched.
struct NBodyWork {
  int threads = 0;  ///< 0 = all cores this process may use
  std::function<void(double fraction, const std::string& what)> progress = nullptr;
};

/// Simulates all three splits from one random stream. The numbers do not depend on the threads.
/// Throws UserError for options that make no sense.
EQUIFRAME_API NBodyArrays generate_nbody(const NBodyOptions& options, const NBodyWork& work = {});

/// Writes the twelve files and, last, the manifest with their checksums into an existing folder.
/// Returns the SHA-256 of each file by its name.
EQUIFRAME_API std::map<std::string, std::string> write_nbody(const std::filesystem::path& folder,
                                                             const NBodyArrays& arrays,
                                                             const NBodyWork& work = {});

/// Reads the twelve files, whoever made them. `tag` is needed only in a folder with several sets.
/// Throws UserError that lists what is missing or says which shapes disagree.
EQUIFRAME_API NBodyArrays read_nbody(const std::filesystem::path& folder,
                                     const std::string& tag = "");

/// The arrays of these options from the cache, generated at the first call.
EQUIFRAME_API NBodyArrays cached_nbody(const NBodyOptions& options, const NBodyWork& work = {});

}  // namespace equiframe::inline datasets
