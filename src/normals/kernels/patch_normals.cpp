#include "normals/kernels/patch_runner.h"

namespace equiframe::kernels::inline normals {
namespace {

template <class T>
class PatchEvaluation final : PatchRunner<T> {
 public:
  PatchEvaluation(const PatchNetwork<T>& network, std::int64_t count)
      : PatchRunner<T>(network, count, 1, kPatchFlips) {}

  void run(const double* offsets, const T* cloud, PatchNormal* to) {
    if (!this->place(offsets, cloud)) {
      *to = {{0, 0, 1}, 1, {}};
      return;
    }
    PatchSlot<T>& slot = this->slots_.front();
    for (const PackedStage<T>& stage : this->stages_)
      this->run_stage(stage, kFlips.data(), T(1) / T(kPatchFlips), slot);
    this->describe(slot);
    this->template run_own<PatchRunner<T>::Last::kYes>(this->normal_, kFlips.data(), slot);
    const PatchJet jet = this->jet();
    double lines[9] = {};
    for (std::int64_t f = 0; f < kPatchFlips; ++f) {
      const auto line = this->line(kFlips[static_cast<std::size_t>(f)], jet, f, slot);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          lines[3 * r + c] += line.normal[r] * line.normal[c] / double(kPatchFlips);
    }
    double values[3], vectors[9];
    eigh3(1, lines, values, vectors);
    for (int c = 0; c < 3; ++c) {
      to->normal[c] = vectors[3 * c + 2];
      to->variance[c] = this->plane_.values[c];
    }
    to->agreement = values[2];
  }
};

template <class T>
void normals_of(const PatchNetwork<T>& network, std::int64_t patches, std::int64_t count,
                const double* offsets, const T* cloud, PatchNormal* normals) {
  PatchEvaluation<T> evaluation(network, count);
  for (std::int64_t p = 0; p < patches; ++p)
    evaluation.run(offsets + 3 * count * p, cloud, normals + p);
}

}  // namespace
}  // namespace equiframe::kernels::inline normals

EQUIFRAME_KERNELS(PatchNormalKernels, {{&normals_of<float>}, {&normals_of<double>}});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline normals {

template <class T>
void patch_normals(const PatchNetwork<T>& network, std::int64_t patches, std::int64_t count,
                   const double* offsets, const T* cloud, PatchNormal* normals) {
  Table<PatchNormalKernels>::chosen().of<T>().normals(network, patches, count, offsets, cloud,
                                                      normals);
}

template <class T>
void patch_numbers(std::int64_t patches, std::int64_t count, const double* offsets, T* numbers) {
  std::vector<T> x(static_cast<std::size_t>(3 * count));
  std::vector<T> points(static_cast<std::size_t>(kPointFeatures * count));
  std::vector<T> windows(static_cast<std::size_t>(kScales * count));
  for (std::int64_t p = 0; p < patches; ++p, offsets += 3 * count, numbers += kPatchFeatures) {
    const double* const last = offsets + 3 * (count - 1);
    const double radius = std::sqrt(last[0] * last[0] + last[1] * last[1] + last[2] * last[2]);
    const double scale = radius > 0 ? 1 / radius : 0;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(offsets[k] * scale);
    patch_features<T>(count, x.data(), {points.data(), count, 1, numbers, windows.data(), count});
  }
}

template void patch_normals(const PatchNetwork<float>&, std::int64_t, std::int64_t, const double*,
                            const float*, PatchNormal*);
template void patch_normals(const PatchNetwork<double>&, std::int64_t, std::int64_t, const double*,
                            const double*, PatchNormal*);
template void patch_numbers(std::int64_t, std::int64_t, const double*, float*);
template void patch_numbers(std::int64_t, std::int64_t, const double*, double*);

}  // namespace equiframe::kernels::inline normals
#endif
