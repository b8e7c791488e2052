/// The C interface from eight threads at once.
#include <cstdlib>

#include "tests/bindings/c/c_handles.h"
#include "tests/support/at_once.h"

namespace equiframe::capi_test {
namespace {

using test_support::at_once;
using test_support::kThreads;

/// All numbers of a life with handles of its own.
struct Life {
  std::vector<float> single, normals;
  std::vector<double> exact;
  bool operator==(const Life&) const = default;
};

Life live(const std::vector<double>& numbers) {
  Life life;
  constexpr int64_t kItems = 6, kNodes = 5, kPoints = 70;
  equiframe_model* network = nullptr;
  equiframe_normals* estimator = nullptr;
  const std::string gnn = shipped("nbody-fa-gnn"), patches = shipped("normals-fa-patch"),
                    votes = shipped("normals-votes"), choice = shipped("normals-choice");
  if (equiframe_model_load(gnn.c_str(), &network) != EQUIFRAME_OK) return life;
  const CModel model(network);
  if (equiframe_normals_load(patches.c_str(), votes.c_str(), choice.c_str(), &estimator) !=
      EQUIFRAME_OK)
    return life;
  const CNormals normals(estimator);
  const std::vector<float> floats(numbers.begin(), numbers.end());
  life.single.resize(kItems * kNodes * 3);
  life.exact.resize(kItems * kNodes * 3);
  life.normals.resize(kPoints * 3);
  const bool well =
      run(network, kItems, kNodes, floats.data(), life.single.data()) == EQUIFRAME_OK &&
      run(network, kItems, kNodes, numbers.data(), life.exact.data()) == EQUIFRAME_OK &&
      equiframe_normals_run(estimator, kPoints, numbers.data(), life.normals.data(), nullptr,
                            nullptr) == EQUIFRAME_OK;
  return well ? life : Life{};
}

/// Numbers made without LibTorch, so that the threads are the first to use it.
std::vector<double> some_numbers() {
  std::vector<double> numbers(210);
  uint32_t state = 1;
  for (double& number : numbers) {
    state = state * 1664525U + 1013904223U;
    number = static_cast<double>(state) / 2147483648.0 - 1;
  }
  return numbers;
}

/// 0 if eight threads, the first in the process to touch the library, give the bits of one.
int first_use() {
  const std::vector<double> numbers = some_numbers();
  std::vector<Life> lives(kThreads);
  at_once([&](int t) { lives[static_cast<size_t>(t)] = live(numbers); });
  const Life alone = live(numbers);
  if (alone.single.empty()) return 2;
  for (const Life& life : lives)
    if (life != alone) return 1;
  return 0;
}

TEST(CThreadsDeathTest, MayBeTheFirstToUseTheLibrary) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own
  EXPECT_EXIT(std::_Exit(first_use()), ::testing::ExitedWithCode(0), "");
}

TEST(CThreads, MayShareAHandle) {
  const ModelFile file = small_model();
  const CModel model = load(file.path());
  const Tensor x = particles(4, 5);
  std::vector<std::vector<float>> single(kThreads);
  std::vector<std::vector<double>> exact(kThreads);
  at_once([&](int t) {  // the first call in the other type converts the weights
    single[static_cast<size_t>(t)] = output<float>(model.get(), x);
    exact[static_cast<size_t>(t)] = output<double>(model.get(), x);
  });
  const CModel own = load(file.path());
  EXPECT_EQ(single, std::vector(kThreads, output<float>(own.get(), x)));
  EXPECT_EQ(exact, std::vector(kThreads, output<double>(own.get(), x)));
}

TEST(CThreads, KeepTheirErrorsApart) {
  const ModelFile file = small_model();
  at_once([&](int t) {
    const CModel model = load(file.path());
    for (int again = 0; again < 20; ++again) {
      std::vector<float> in(7, NAN), out(3);
      EXPECT_EQ(run(model.get(), -t, 1, in.data(), out.data()), EQUIFRAME_WRONG_INPUT);
      EXPECT_NE(std::string(equiframe_last_error()).find("got " + std::to_string(-t)),
                std::string::npos);
    }
  });
}

}  // namespace
}  // namespace equiframe::capi_test
