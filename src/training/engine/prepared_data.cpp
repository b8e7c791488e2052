#include "training/engine/prepared_data.h"

#include <algorithm>
#include <vector>

#include <torch/types.h>

#include "training/engine/metrics.h"

namespace equiframe::inline training {
namespace {

constexpr int64_t kTogether = 64;  // items prepared in one call
constexpr int64_t kMaxBytes = int64_t{1} << 30;

class PreparedData final : public Dataset {
 public:
  explicit PreparedData(std::vector<Example> items) : items_(std::move(items)) {}

  int64_t size() const override { return static_cast<int64_t>(items_.size()); }

  Example get(const Tensor& indices) const override {
    std::vector<Batch> inputs;
    std::vector<Tensor> targets;
    inputs.reserve(static_cast<size_t>(indices.size(0)));
    targets.reserve(static_cast<size_t>(indices.size(0)));
    const auto rows = indices.accessor<int64_t, 1>();
    for (int64_t k = 0; k < rows.size(0); ++k) {
      const Example& item = items_.at(static_cast<size_t>(rows[k]));
      inputs.push_back(item.input);
      targets.push_back(item.target);
    }
    return {concat(inputs), torch::cat(targets)};
  }

 private:
  std::vector<Example> items_;  // a batch of one each
};

int64_t bytes(const Batch& batch) {
  int64_t sum = 0;
  batch.map([&](const Tensor& part) {
    sum += static_cast<int64_t>(part.nbytes());
    return part;
  });
  return sum;
}

/// Null if there is nothing to prepare, too much, or something else at each step.
std::shared_ptr<const Dataset> prepared(const Model& model, const Dataset& data,
                                        c10::ScalarType type) {
  if (data.augments()) return nullptr;
  std::vector<Example> items;
  for (int64_t start = 0; start < data.size(); start += kTogether) {
    const int64_t count = std::min(kTogether, data.size() - start);
    const Example raw = to_type(data.get(torch::arange(start, start + count)), type);
    const Batch ready = model.prepare(raw.input);
    if (ready.x.is_same(raw.input.x) && ready.pair.is_same(raw.input.pair)) return nullptr;
    if (bytes(ready) / count * data.size() > kMaxBytes) return nullptr;
    for (int64_t k = 0; k < count; ++k) {
      const auto own = [&](const Tensor& part) { return part.narrow(0, k, 1).clone(); };
      items.push_back({ready.map(own), own(raw.target)});
    }
  }
  return std::make_shared<PreparedData>(std::move(items));
}

}  // namespace

Splits prepared(const Model& model, const Splits& splits, c10::ScalarType type) {
  Splits result = splits;
  for (auto* data : {&result.train, &result.valid, &result.test}) {
    const auto ready = prepared(model, **data, type);
    if (ready != nullptr) *data = ready;
  }
  return result;
}

}  // namespace equiframe::inline training
