#include "equiframe/datasets/cad_set.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include <ATen/ATen.h>

#include "core/plain_text.h"
#include "core/text.h"
#include "datasets/shapes/organic_shapes.h"
#include "datasets/solids/solids.h"
#include "equiframe/core/error.h"
#include "io/bytes/cache.h"
#include "io/bytes/checksum.h"
#include "runtime/machine.h"

namespace equiframe::inline datasets {
namespace {

constexpr int kGeneratorVersion = 1;  // changes when the same options begin to give other models

void check_kinds(const CadOptions& options) {
  const auto known = cad_kinds();
  if (options.kinds.empty())
    throw UserError("CAD: no kinds of models; known: " + text::join(known));
  for (const std::string& kind : options.kinds)
    if (std::find(known.begin(), known.end(), kind) == known.end())
      throw UserError(text::unknown_name("kind of CAD models", kind, known));
}

void check(const CadOptions& options) {
  check_kinds(options);
  for (const auto& [what, count] :
       {std::pair{"models", options.models}, {"points", options.points}})
    if (count < 1) throw UserError(c10::str("CAD: ", count, " ", what, "; ask for 1 or more"));
  constexpr double kBytesPerPoint = 7 * sizeof(float), kGigabyte = 1e9;
  const double needed =
      kBytesPerPoint * static_cast<double>(options.models) * static_cast<double>(options.points);
  const auto available = static_cast<double>(runtime::machine().memory_available_bytes);
  if (available > 0 && needed > available)
    throw UserError(c10::str("CAD: ", options.models, " models need ", needed / kGigabyte,
                             " GB of memory, but ", available / kGigabyte,
                             " are free; ask for fewer models or points"));
}

CadSet allocate(const CadOptions& options) {
  CadSet set;
  set.points = at::empty({options.models, options.points, 3}, at::kFloat);
  set.normals = at::empty({options.models, options.points, 3}, at::kFloat);
  set.edges = at::empty({options.models, options.points}, at::kFloat);
  set.recipes.resize(static_cast<size_t>(options.models));
  set.description = options.str();
  return set;
}

/// Models are made by threads of their own, not LibTorch's: those of solids wait for another
/// process most of the time, and LibTorch may have been told to use one thread.
class Workshop {
 public:
  Workshop(const CadOptions& options, const CadWork& work, CadSet& set)
      : options_(options), work_(work), set_(set) {}

  void run(int threads) {
    std::vector<std::jthread> crew;
    crew.reserve(static_cast<size_t>(threads));
    try {
      for (int k = 0; k < threads; ++k) crew.emplace_back([this] { work(); });
    } catch (...) {  // the system has no thread to give
      stop_ = true;
      throw;
    }
    while (!finished()) {
      constexpr auto kNap = std::chrono::milliseconds(50);
      std::this_thread::sleep_for(kNap);
      if (work_.progress) work_.progress(done_);
    }
    for (std::jthread& thread : crew) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool finished() {
    const std::lock_guard lock(mutex_);
    return done_ == options_.models || failure_ != nullptr;
  }

  void work() {
    while (true) {
      const int64_t number = next_++;
      if (number >= options_.models || stop_) return;
      try {
        make(number);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stop_ = true;
      }
      ++done_;
    }
  }

  void make(int64_t number) {
    const auto shape = cad_model(options_, number);
    const ShapeSamples samples = shape->sample(options_.points);
    set_.points[number].copy_(samples.points);
    set_.normals[number].copy_(samples.normals);
    set_.edges[number].copy_(samples.edge_distance);
    set_.recipes[static_cast<size_t>(number)] = shape->recipe();
    if (work_.inspect) work_.inspect(number, *shape);
  }

  const CadOptions& options_;
  const CadWork& work_;
  CadSet& set_;
  std::atomic<int64_t> next_ = 0, done_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

std::string CadOptions::str() const {
  return text::plain("cad seed=", seed, " models=", models, " points=", points,
                     " kinds=", text::join(kinds, ","), " generator=", kGeneratorVersion);
}

std::vector<std::string> cad_kinds() {
  return {"solids", "organic"};
}

std::unique_ptr<Shape> cad_model(const CadOptions& options, int64_t number) {
  check_kinds(options);
  const auto kinds = static_cast<int64_t>(options.kinds.size());
  const std::string& kind = options.kinds[static_cast<size_t>(number % kinds)];
  if (kind == "solids") return random_solid(options.seed, number / kinds);
  return random_organic(options.seed, number / kinds);
}

CadSet generate_cad(const CadOptions& options, const CadWork& work) {
  check(options);
  CadSet set = allocate(options);
  const int wanted = work.threads > 0 ? work.threads : runtime::machine().usable_cores;
  const auto threads = static_cast<int>(std::min<int64_t>(wanted, options.models));
  Workshop(options, work, set).run(threads);
  return set;
}

CadSet cached_cad(const CadOptions& options, const CadWork& work) {
  check(options);
  constexpr size_t kDigits = 16;
  const std::string folder = text::plain("cad_seed", options.seed, "_", options.models, "_",
                                         sha256(options.str()).substr(0, kDigits));
  return read_cad(cached_folder(folder, [&](const std::filesystem::path& empty) {
    write_cad(empty, generate_cad(options, work));
  }));
}

}  // namespace equiframe::inline datasets
