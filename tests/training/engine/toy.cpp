#include "tests/training/engine/toy.h"

#include <fstream>
#include <sstream>

#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>
#include <unistd.h>

#include "equiframe/core/rng.h"
#include "equiframe/models/model.h"

namespace equiframe::training_test {
namespace {

class ToyLinear : public Model {
 public:
  explicit ToyLinear(const Options& options)
      : t_(register_parameter(
            "t", torch::tensor({options.get_double("start", 0.0)}, torch::kFloat32))) {}
  Signature signature() const override {
    Signature signature;
    signature.group = "E(3)";
    return signature;
  }
  Tensor forward(const Batch& batch) override {
    return batch.x.narrow(2, 0, 3) + t_ * batch.x.narrow(2, 3, 3);
  }

 private:
  Tensor t_;
};

class ToyMlp final : public Model {
 public:
  explicit ToyMlp(const Options& options) {
    const int64_t width = options.get_int("width", 16);
    in_ = register_module("in", torch::nn::Linear(7, width));
    out_ = register_module("out", torch::nn::Linear(width, 3));
    drop_ = register_module("drop", torch::nn::Dropout(options.get_double("drop", 0.1)));
    calls_ = register_buffer("calls", torch::zeros({1}));
  }
  Signature signature() const override { return {}; }
  void set_rng(const Rng& rng) override { rng_ = rng; }
  Tensor forward(const Batch& batch) override {
    if (is_training()) calls_.add_(1);
    const double jitter =
        is_training() ? 1e-3 * static_cast<double>(rng_.below(1000, 7, 7)) / 1000 : 0;
    const Tensor hidden = drop_->forward(torch::tanh(in_->forward(batch.x)));
    return batch.x.narrow(2, 0, 3) + out_->forward(hidden) + jitter;
  }

 private:
  torch::nn::Linear in_{nullptr}, out_{nullptr};
  torch::nn::Dropout drop_{nullptr};
  Tensor calls_;
  Rng rng_;
};

class ToyLiar final : public ToyLinear {
 public:
  using ToyLinear::ToyLinear;
  Tensor forward(const Batch& batch) override {
    return ToyLinear::forward(batch) + torch::tensor({1.0F, 0.0F, 0.0F}).to(batch.x.dtype());
  }
};

class ToyData final : public Dataset {
 public:
  ToyData(Batch input, Tensor target) : input_(std::move(input)), target_(std::move(target)) {}
  int64_t size() const override { return target_.size(0); }
  Example get(const Tensor& indices) const override {
    const auto pick = [&](const Tensor& t) { return t.index_select(0, indices); };
    return {input_.map(pick), pick(target_)};
  }

 private:
  Batch input_;
  Tensor target_;
};

class ToySource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const int64_t size = request.options.get_int("size", 40);
    const auto seed = static_cast<uint64_t>(request.options.get_int("seed", 1));
    const bool masked = request.options.get_bool("masked", false);
    request.options.refuse_unread("dataset toy");
    return {toy_data(size, seed, masked), toy_data(20, seed + 1, masked),
            toy_data(20, seed + 2, masked), "0123", "points that move on"};
  }
};

template <class Toy>
bool add(const std::string& name) {
  return Models::instance().add(
      name, "for tests", [](const Options& options) { return std::make_unique<Toy>(options); });
}

const bool kModels =
    add<ToyLinear>("toy-linear") && add<ToyMlp>("toy-mlp") && add<ToyLiar>("toy-liar");
const bool kData =
    Datasets::instance().add("toy", "for tests", [] { return std::make_unique<ToySource>(); });

}  // namespace

std::shared_ptr<const Dataset> toy_data(int64_t size, uint64_t seed, bool masked) {
  auto generator = make_generator(seed);
  Batch input(torch::randn({size, 4, 7}, generator));
  Tensor target = input.x.narrow(2, 0, 3) + 0.7 * input.x.narrow(2, 3, 3) +
                  0.1 * torch::sin(input.x.narrow(2, 1, 3));
  if (masked) {
    input.mask = torch::ones({size, 4}, torch::kBool);
    for (int64_t i = 1; i < size; i += 2) {
      input.mask[i][3] = false;
      target[i][3] = 1e6;
    }
  }
  input.id = torch::arange(size);
  return std::make_shared<ToyData>(std::move(input), target);
}

Splits toy_splits(int64_t size) {
  return {toy_data(size, 1), toy_data(20, 2), toy_data(20, 3), "0123", "points that move on"};
}

RunConfig toy_config() {
  RunConfig config;
  config.data = {"toy", {}};
  config.model = {"toy-mlp", {}};
  config.train.epochs = 6;
  config.train.batch = 8;
  config.train.lr = 1e-2;
  config.train.evaluate_every = 2;
  return config;
}

}  // namespace equiframe::training_test
