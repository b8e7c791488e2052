#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "equiframe/datasets/dataset.h"
#include "equiframe/datasets/nbody.h"
#include "io/bytes/checksum.h"

namespace equiframe::inline datasets {
namespace {

class ParticleSamples final : public Dataset {
 public:
  ParticleSamples(Batch input, Tensor target)
      : input_(std::move(input)), target_(std::move(target)) {}

  int64_t size() const override { return target_.size(0); }

  Example get(const Tensor& indices) const override {
    const auto rows = [&](const Tensor& values) { return values.index_select(0, indices); };
    return {input_.map(rows), rows(target_)};
  }

  std::string checksum() const { return sha256(sha256(input_.x) + sha256(target_)); }

 private:
  Batch input_;
  Tensor target_;
};

/// Which frames of which trajectories make the samples.
struct Task {
  int64_t frame_in = 30, frame_out = 40;
  at::ScalarType dtype = at::kFloat;
};

Tensor at_frame(const Tensor& values, int64_t frame, const std::string& split) {
  if (frame < 0 || frame >= values.size(1))
    throw UserError(c10::str("dataset nbody: there is no frame ", frame, " in the ", split,
                             " trajectories, which have frames 0 to ", values.size(1) - 1));
  return values.select(1, frame).transpose(1, 2);  // [S, N, 3]
}

/// The first `count` trajectories: x [S, N, 7] = position, velocity, charge; target [S, N, 3].
/// Springs are no property of a ball, so they come as pairs [S, N, N, 1].
std::shared_ptr<const ParticleSamples> samples(const NBodySplit& all, const std::string& split,
                                               int64_t count, const Task& task) {
  const int64_t available = all.loc.size(0);
  if (count < 1 || count > available)
    throw UserError(c10::str("dataset nbody: ", split, "=", count, " asks for trajectories that ",
                             "are not there; choose 1 to ", available,
                             ", or make a larger set with 'equiframe data nbody'"));
  const auto first = [&](const Tensor& values) { return values.narrow(0, 0, count); };
  Batch input(at::cat({at_frame(first(all.loc), task.frame_in, split),
                       at_frame(first(all.vel), task.frame_in, split), first(all.charges)},
                      2)
                  .to(task.dtype));
  if (!all.charges.any().item<bool>())
    input.pair = first(all.edges).unsqueeze(-1).to(task.dtype).contiguous();
  input.id = at::arange(count, at::kLong);
  const Tensor target = at_frame(first(all.loc), task.frame_out, split).to(task.dtype);
  return std::make_shared<ParticleSamples>(std::move(input), target.contiguous());
}

/// The options of the simulation; the counts are the benchmark's, of which a task uses some.
NBodyOptions simulation(const Options& options) {
  NBodyOptions result;
  const int64_t n = options.get_int("particles", 5);
  const bool charged = options.get_choice("interaction", {"charged", "springs"}) == 0;
  result.system = charged ? kernels::charged_particles(n) : kernels::springs(n);
  result.system.steps = options.get_int("length", result.system.steps);
  result.system.sampling = options.get_int("sampling", result.system.sampling);
  const int64_t seed = options.get_int("seed", result.seed);
  if (seed < 0 || seed > UINT32_MAX)
    throw UserError("dataset nbody: seed=" + std::to_string(seed) +
                    " is not between 0 and 4294967295");
  result.seed = static_cast<uint32_t>(seed);
  return result;
}

class NBodySource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const Options& options = request.options;
    Task task;
    task.frame_in = options.get_int("frame_in", task.frame_in);
    task.frame_out = options.get_int("frame_out", task.frame_out);
    if (options.get_choice("dtype", {"float32", "float64"}) == 1) task.dtype = at::kDouble;
    const int64_t train = options.get_int("train", 3000);
    const int64_t valid = options.get_int("valid", 2000), test = options.get_int("test", 2000);
    const NBodyArrays arrays = find_arrays(request);
    const auto training = samples(arrays.train, "train", train, task);
    return {training, samples(arrays.valid, "valid", valid, task),
            samples(arrays.test, "test", test, task), training->checksum(),
            c10::str(arrays.train.loc.size(3), " particles, frame ", task.frame_in, " to ",
                     task.frame_out, ", ", train, "/", valid, "/", test, " samples; ",
                     arrays.description.empty() ? request.folder.string() : arrays.description)};
  }

 private:
  static NBodyArrays find_arrays(const DataRequest& request) {
    if (!request.folder.empty()) {
      const std::string tag = request.options.get("tag", "");
      request.options.refuse_unread("dataset nbody from the folder '" + request.folder.string() +
                                    "'");
      return read_nbody(request.folder, tag);
    }
    const NBodyOptions wanted = simulation(request.options);
    request.options.refuse_unread("dataset nbody");
    return cached_nbody(wanted, {.progress = request.progress});
  }
};

const bool kNbodyRegistered = Datasets::instance().add(
    "nbody", "charged particles or springs: position, velocity and charge to a later position",
    [] { return std::make_unique<NBodySource>(); });

}  // namespace
}  // namespace equiframe::inline datasets
