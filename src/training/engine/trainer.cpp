#include "training/engine/trainer.h"

#include <cmath>
#include <numeric>

#include "equiframe/core/error.h"
#include "training/config/train_options.h"
#include "training/engine/session.h"

namespace equiframe::inline training {

std::string to_string(StopReason reason) {
  switch (reason) {
    case StopReason::kEpochs:
      return "epochs";
    case StopReason::kPatience:
      return "patience";
    case StopReason::kTime:
      return "time";
    case StopReason::kInterrupted:
      break;
  }
  return "interrupted";
}

Tensor epoch_order(int64_t size, uint64_t seed, int64_t epoch) {
  constexpr uint64_t kShuffle = 0x73687566666c65;  // the key that sets these draws apart
  const Rng rng{seed, static_cast<uint64_t>(epoch)};
  Tensor order = torch::arange(size);
  auto* items = order.data_ptr<int64_t>();
  for (int64_t i = size - 1; i > 0; --i) {  // Fisher-Yates
    const auto n = static_cast<uint64_t>(i);
    std::swap(items[i], items[rng.below(n + 1, kShuffle, n)]);
  }
  return order;
}

FitResult fit(Model& model, const Splits& splits, const TrainOptions& options,
              const FitContext& context) {
  validate(options);
  TORCH_CHECK(splits.train && splits.valid && splits.test, "fit: a split is missing");
  return Session(model, splits, options, context).run();
}

}  // namespace equiframe::inline training
