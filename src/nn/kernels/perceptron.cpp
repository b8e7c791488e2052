#include "nn/kernels/perceptron.h"

#include <algorithm>
#include <cstddef>

#include "simd/pack.h"

namespace equiframe::kernels::inline nn {
namespace {

constexpr std::int64_t kPerceptronRows = 48;  // rows in flight

template <class T>
std::int64_t widest(const std::vector<DenseLayer<T>>& layers) {
  std::int64_t width = 1;
  for (const DenseLayer<T>& layer : layers) width = std::max({width, layer.in, layer.out});
  return width;
}

/// f(act) with the activation as a pair of functions of a register.
template <class T, class F>
void with_activation(Between activation, const F& f) {
  if (activation == Between::kSilu)
    f([](auto z) { return silu<T>(z); }, [](auto z) { return silu_with_slope<T>(z); });
  else
    f([](auto z) { return relu<T>(z); }, [](auto z) { return relu_with_slope<T>(z); });
}

template <class T>
void forward(std::int64_t rows, const std::vector<DenseLayer<T>>& layers, const T* x, T* y,
             T* tape) {
  const std::size_t depth = layers.size();
  const std::int64_t wide = widest(layers), tape_row = perceptron_tape(layers);
  Scratch<T> scratch;
  std::vector<Rows<T>> weights, biases;
  for (const DenseLayer<T>& layer : layers) {
    weights.push_back(scratch.take(layer.in, layer.out));
    biases.push_back(scratch.take(1, layer.out));
    pack_transposed(layer.weight, {layer.in}, layer.out, layer.in, weights.back());
    if (layer.bias != nullptr) pack(layer.bias, {layer.out}, 1, layer.out, biases.back());
  }
  const Rows<T> active = scratch.take(kPerceptronRows, wide);
  const Rows<T> spare = scratch.take(kPerceptronRows, wide);
  for (std::int64_t first = 0; first < rows; first += kPerceptronRows) {
    const std::int64_t count = std::min(kPerceptronRows, rows - first);
    pack(x + first * layers[0].in, {layers[0].in}, count, layers[0].in, active);
    T* z_data = tape == nullptr ? nullptr : tape + first * tape_row;
    for (std::size_t k = 0; k < depth; ++k) {
      const bool last = k + 1 == depth;
      const Rows<T> z = last || tape == nullptr ? spare : Rows<T>{z_data, tape_row};
      multiply<Start::kRow>(count, layers[k].out, layers[k].in, active.left(),
                            read_only(weights[k]), z, biases[k].data);
      if (last) break;
      with_activation<T>(layers[k].after, [&](auto act, auto) {
        for (std::int64_t r = 0; r < count; ++r)
          for_lanes<T>(layers[k].out,
                       [&](std::int64_t c) { store(active.at(r) + c, act(load(z.at(r) + c))); });
      });
      if (tape != nullptr) z_data += padded(layers[k].out);
    }
    const std::int64_t out = layers.back().out;
    for (std::int64_t r = 0; r < count; ++r)
      std::memcpy(y + (first + r) * out, spare.at(r), sizeof(T) * static_cast<std::size_t>(out));
  }
}

template <class T>
class PerceptronBackward {
 public:
  PerceptronBackward(const std::vector<DenseLayer<T>>& layers, const PerceptronGradients<T>& g)
      : layers_(layers), g_(g), wide_(widest(layers)), tape_row_(perceptron_tape(layers)) {
    for (const DenseLayer<T>& layer : layers) {
      weights_.push_back(scratch_.take(layer.out, layer.in));
      pack(layer.weight, {layer.in}, layer.out, layer.in, weights_.back());
      d_weights_.push_back(scratch_.take(layer.out, layer.in));
      d_biases_.push_back(scratch_.take(1, layer.out));
      active_.push_back(scratch_.take(kPerceptronRows, wide_));
      slope_.push_back(scratch_.take(kPerceptronRows, wide_));
    }
    d_ = scratch_.take(kPerceptronRows, wide_);
    spare_ = scratch_.take(kPerceptronRows, wide_);
  }

  void run(std::int64_t rows) {
    for (std::int64_t first = 0; first < rows; first += kPerceptronRows)
      tile(first, std::min(kPerceptronRows, rows - first));
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const DenseLayer<T>& layer = layers_[k];
      unpack_add(d_weights_[k], layer.out, layer.in, g_.layers[k].weight, {layer.in});
      if (g_.layers[k].bias != nullptr)
        unpack_add(d_biases_[k], 1, layer.out, g_.layers[k].bias, {layer.out});
    }
  }

 private:
  /// Inputs of every layer again, and the slopes of the activations between them.
  void recall(std::int64_t first, std::int64_t count) {
    pack(g_.x + first * layers_[0].in, {layers_[0].in}, count, layers_[0].in, active_[0]);
    std::int64_t offset = 0;
    for (std::size_t k = 1; k < layers_.size(); ++k) {
      const std::int64_t width = layers_[k].in;
      with_activation<T>(layers_[k - 1].after, [&](auto, auto act_with_slope) {
        for (std::int64_t r = 0; r < count; ++r)
          for_lanes<T>(width, [&](std::int64_t c) {
            const auto act = act_with_slope(load(g_.tape + (first + r) * tape_row_ + offset + c));
            store(active_[k].at(r) + c, act.value);
            store(slope_[k].at(r) + c, act.slope);
          });
      });
      offset += padded(width);
    }
  }

  void tile(std::int64_t first, std::int64_t count) {
    recall(first, count);
    const std::int64_t out = layers_.back().out;
    Rows<T> d = d_, next = spare_;
    pack(g_.dy + first * out, {out}, count, out, d);
    for (std::size_t k = layers_.size(); k-- > 0;) {
      const DenseLayer<T>& layer = layers_[k];
      multiply<Start::kSelf>(layer.out, layer.in, count, d.left_transposed(), read_only(active_[k]),
                             d_weights_[k]);
      add_rows(d, count, layer.out, d_biases_[k].data);
      if (k == 0 && g_.dx == nullptr) return;
      multiply<Start::kZero>(count, layer.in, layer.out, d.left(), read_only(weights_[k]), next);
      std::swap(d, next);
      if (k == 0) break;
      for (std::int64_t r = 0; r < count; ++r)
        for_lanes<T>(layer.in, [&](std::int64_t c) {
          store(d.at(r) + c, load(d.at(r) + c) * load(slope_[k].at(r) + c));
        });
    }
    const std::int64_t in = layers_[0].in;
    for (std::int64_t r = 0; r < count; ++r)
      std::memcpy(g_.dx + (first + r) * in, d.at(r), sizeof(T) * static_cast<std::size_t>(in));
  }

  const std::vector<DenseLayer<T>>& layers_;
  const PerceptronGradients<T>& g_;
  std::int64_t wide_, tape_row_;
  Scratch<T> scratch_;
  std::vector<Rows<T>> weights_, d_weights_, d_biases_, active_, slope_;
  Rows<T> d_, spare_;
};

template <class T>
void backward(std::int64_t rows, const std::vector<DenseLayer<T>>& layers,
              const PerceptronGradients<T>& gradients) {
  PerceptronBackward<T>(layers, gradients).run(rows);
}

template <class T>
constexpr PerceptronFunctions<T> kPerceptron{&forward<T>, &backward<T>};

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(PerceptronKernels, {kPerceptron<float>, kPerceptron<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

template <class T>
std::int64_t perceptron_tape(const std::vector<DenseLayer<T>>& layers) {
  std::int64_t numbers = 0;
  for (std::size_t k = 0; k + 1 < layers.size(); ++k) numbers += padded(layers[k].out);
  return numbers;
}

template <class T>
void perceptron_forward(std::int64_t rows, const std::vector<DenseLayer<T>>& layers, const T* x,
                        T* y, T* tape) {
  Table<PerceptronKernels>::chosen().of<T>().forward(rows, layers, x, y, tape);
}

template <class T>
void perceptron_backward(std::int64_t rows, const std::vector<DenseLayer<T>>& layers,
                         const PerceptronGradients<T>& gradients) {
  Table<PerceptronKernels>::chosen().of<T>().backward(rows, layers, gradients);
}

template std::int64_t perceptron_tape(const std::vector<DenseLayer<float>>&);
template std::int64_t perceptron_tape(const std::vector<DenseLayer<double>>&);
template void perceptron_forward(std::int64_t, const std::vector<DenseLayer<float>>&, const float*,
                                 float*, float*);
template void perceptron_forward(std::int64_t, const std::vector<DenseLayer<double>>&,
                                 const double*, double*, double*);
template void perceptron_backward(std::int64_t, const std::vector<DenseLayer<float>>&,
                                  const PerceptronGradients<float>&);
template void perceptron_backward(std::int64_t, const std::vector<DenseLayer<double>>&,
                                  const PerceptronGradients<double>&);

}  // namespace equiframe::kernels::inline nn
#endif
