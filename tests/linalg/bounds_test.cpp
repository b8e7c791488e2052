/// The kernels read and write nothing outside their arrays: these end where a page begins that may
/// not be touched.
#include <new>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "linalg/symmetric_eigen.h"
#include "tests/linalg/reference.h"

namespace equiframe::kernels {
namespace {

/// `size` numbers right before a forbidden page.
template <class T>
class Guarded {
 public:
  explicit Guarded(std::int64_t size) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    length_ = (bytes + page_ - 1) / page_ * page_ + page_;
    memory_ = static_cast<char*>(
        mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED || mprotect(memory_ + length_ - page_, page_, PROT_NONE) != 0) {
      throw std::bad_alloc();
    }
    data_ = reinterpret_cast<T*>(memory_ + length_ - page_ - bytes);
    for (std::int64_t i = 0; i < size; ++i) data_[i] = static_cast<T>(i % 7);
  }
  ~Guarded() { munmap(memory_, length_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  T* data() const { return data_; }

 private:
  std::size_t page_, length_;
  char* memory_;
  T* data_;
};

class Bounds : public testing::TestWithParam<SimdLevel> {
 protected:
  template <class T>
  static void run_all(std::int64_t count, std::int64_t d) {
    const EigenFunctions<T>& eigen = Table<EigenKernels>::at(GetParam()).of<T>();
    const PcaFunctions<T>& pca = Table<PcaKernels>::at(GetParam()).of<T>();
    const Guarded<T> matrices(count * d * d), values(count * d), vectors(count * d * d);
    (d == 2 ? eigen.eigh2 : eigen.eigh3)(count, matrices.data(), values.data(), vectors.data());

    const Guarded<double> axes(count * d * d), centre(count * d), covariance(count * d * d);
    for (const Handedness handedness : {Handedness::kBoth, Handedness::kRightOnly}) {
      const Guarded<T> bases(count * sign_choices(d, handedness) * d * d);
      (d == 2 ? pca.bases2 : pca.bases3)(count, axes.data(), handedness, bases.data());
    }
    for (const std::int64_t n : {1, 2, 5}) {
      const Guarded<T> points(count * n * d), weights(count * n);
      for (const T* w : {static_cast<const T*>(nullptr), static_cast<const T*>(weights.data())}) {
        (d == 2 ? pca.moments2 : pca.moments3)({points.data(), w, count, n, d, d}, Centre::kMean,
                                               centre.data(), covariance.data());
        EXPECT_EQ(covariance.data()[1], covariance.data()[d]);
      }
    }
  }
};

TEST_P(Bounds, NothingOutsideTheArraysIsTouched) {
  for (std::int64_t count = 1; count <= 40; ++count) {
    for (const std::int64_t d : {2, 3}) {
      run_all<float>(count, d);
      run_all<double>(count, d);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Bounds, testing::ValuesIn(reference::levels()),
                         [](const auto& level) { return std::string(name(level.param)); });

}  // namespace
}  // namespace equiframe::kernels
