#include "nn/kernels/adam.h"
#include "nn/kernels/batch_norm.h"
#include "nn/kernels/edge_pool.h"
#include "nn/kernels/perceptron.h"
#include "nn/kernels/vector_relu.h"
#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

template <class T>
std::vector<Output> adam(SimdLevel level) {
  const AdamFunctions<T>& kernels = Table<AdamKernels>::at(level).of<T>();
  const std::size_t count = 203;
  Draws draws(11);
  const auto numbers = [&] { return draws.numbers<T>(static_cast<std::int64_t>(count)); };
  const std::vector<T> gradient = numbers();
  std::vector<T> weight = numbers(), mean = numbers(), variance = numbers(), average = numbers();
  for (T& v : variance) v *= v;
  const AdamStep step{.rate = 1e-2, .root_scale = 1.1, .l2 = 1e-3, .keep = 0.999};
  kernels.update(step, count, gradient.data(), weight.data(), mean.data(), variance.data());
  kernels.move(0.01, count, weight.data(), average.data());
  return {output("weight", weight), output("mean", mean), output("variance", variance),
          output("average", average)};
}

template <class T>
std::vector<Output> batch_norm(SimdLevel level) {
  const BatchNormFunctions<T>& kernels = Table<BatchNormKernels>::at(level).of<T>();
  const std::int64_t rows = 523, cols = 37;
  Draws draws(12);
  const std::vector<T> x = draws.numbers<T>(rows * cols), dy = draws.numbers<T>(rows * cols);
  const std::vector<T> pivot = draws.numbers<T>(cols, 0.1), scale = draws.numbers<T>(cols);
  const std::vector<T> shift = draws.numbers<T>(cols), slant = draws.numbers<T>(cols);
  const Activation<T> leaky{scale.data(), shift.data(), T(0.2)};
  std::vector<double> sum(cols), squares(cols), d_sum(cols), moment(cols);
  std::vector<T> y(x.size()), dx(x.size());
  kernels.column_sums(rows, cols, x.data(), pivot.data(), sum.data(), squares.data());
  kernels.activate(rows, cols, x.data(), leaky, y.data());
  kernels.activation_sums(rows, cols, x.data(), dy.data(), leaky, pivot.data(), d_sum.data(),
                          moment.data());
  kernels.activation_backward(rows, cols, x.data(), dy.data(), leaky, shift.data(), slant.data(),
                              dx.data());
  // The sums of a block are of type T.
  const auto rounded = [](const std::vector<double>& from) {
    return std::vector<T>(from.begin(), from.end());
  };
  return {output("sum", rounded(sum)),
          output("squares", rounded(squares)),
          output("d sum", rounded(d_sum)),
          output("moment", rounded(moment)),
          output("y", y),
          output("dx", dx)};
}

template <class T>
std::vector<Output> vector_relu(SimdLevel level) {
  const VectorReluFunctions<T>& kernels = Table<VectorReluKernels>::at(level).of<T>();
  const std::int64_t rows = 19, cols = 21, all = rows * 3 * cols;
  Draws draws(13);
  const std::vector<T> v = draws.numbers<T>(all), d = draws.numbers<T>(all);
  const std::vector<T> ratio = draws.numbers<T>(rows * cols), g = draws.numbers<T>(all);
  std::vector<T> lengths(ratio.size()), d_lengths(v.size());
  kernels.vector_lengths(rows, cols, {v.data(), cols}, T(1e-3), lengths.data());
  kernels.add_lengths_gradient(rows, cols, {v.data(), cols}, ratio.data(),
                               {d_lengths.data(), cols});
  std::vector<Output> outputs{output("lengths", lengths), output("d lengths", d_lengths)};
  for (const std::int64_t direction : {0, 1}) {
    const std::int64_t stride = direction == 0 ? 1 : cols;
    const VectorReluInput<T> input{{v.data(), cols}, ratio.data(), {d.data(), stride},
                                   direction,        T(0.2),       T(1e-3)};
    std::vector<T> y(v.size()), d_v(v.size()), d_ratio(ratio.size()), d_d(v.size());
    kernels.vector_relu(rows, cols, input, y.data());
    kernels.vector_relu_backward(
        rows, cols, input, {g.data(), {d_v.data(), cols}, d_ratio.data(), {d_d.data(), stride}});
    for (const Output& one : {output("y", y), output("d v", d_v), output("d ratio", d_ratio),
                              output("d direction", d_d)})
      outputs.push_back(one);
  }
  return outputs;
}

template <class T>
std::vector<Output> edge_pool(SimdLevel level) {
  const EdgePoolFunctions<T>& kernels = Table<EdgePoolKernels>::at(level).of<T>();
  std::vector<Output> outputs;
  for (const bool weighted : {false, true}) {
    const EdgeShape shape{23, 7, 32, weighted ? 48 : 32};
    Draws draws(14);
    const std::vector<T> sender = draws.numbers<T>(shape.nodes * shape.hidden);
    const std::vector<T> receiver = draws.numbers<T>(shape.nodes * shape.hidden);
    const std::vector<T> weight = draws.numbers<T>(shape.width * shape.hidden, 0.3);
    std::vector<std::int64_t> neighbours(static_cast<std::size_t>(shape.nodes * shape.degree));
    for (std::int64_t& j : neighbours) j = draws.below(shape.nodes);
    const EdgeInput<T> input{sender.data(), receiver.data(), neighbours.data(),
                             weighted ? weight.data() : nullptr, T(0.2)};
    const std::vector<T> scale = draws.numbers<T>(shape.width),
                         shift = draws.numbers<T>(shape.width);
    const Activation<T> leaky{scale.data(), shift.data(), T(0.2)};

    const auto cells = static_cast<std::size_t>(shape.nodes * shape.width);
    std::vector<double> sum(static_cast<std::size_t>(shape.width)), squares(sum.size());
    std::vector<T> largest(cells), place(cells), mean(cells), slope(cells), value(cells);
    kernels.edge_sums(shape, input, shift.data(), sum.data(), squares.data());
    kernels.edge_max(shape, input, largest.data(), place.data());
    kernels.edge_mean(shape, input, leaky, {mean.data(), slope.data(), value.data()});
    std::vector<T> d_sender(sender.size()), d_receiver(receiver.size()), d_weight(weight.size());
    for (const T* at : {static_cast<const T*>(nullptr), static_cast<const T*>(place.data())})
      kernels.edge_backward(shape, input,
                            {shift.data(), scale.data(), mean.data(), at, leaky, d_sender.data(),
                             d_receiver.data(), weighted ? d_weight.data() : nullptr});
    for (const Output& one :
         {output("sum", std::vector<T>(sum.begin(), sum.end())),
          output("squares", std::vector<T>(squares.begin(), squares.end())),
          output("largest", largest), output("place", place), output("mean", mean),
          output("slope", slope), output("value", value), output("d sender", d_sender),
          output("d receiver", d_receiver), output("d weight", d_weight)})
      outputs.push_back(one);
  }
  return outputs;
}

template <class T>
std::vector<Output> perceptron(SimdLevel level) {
  const PerceptronFunctions<T>& kernels = Table<PerceptronKernels>::at(level).of<T>();
  std::vector<Output> outputs;
  for (const Between between : {Between::kSilu, Between::kRelu}) {
    const std::int64_t rows = 53, widths[] = {5, 33, 16, 3};
    Draws draws(15);
    std::vector<std::vector<T>> memory;
    std::vector<DenseLayer<T>> layers;
    std::vector<DenseLayerGradient<T>> gradients;
    memory.reserve(12);
    for (int k = 0; k < 3; ++k) {
      const std::int64_t in = widths[k], out = widths[k + 1];
      const T* weight = memory.emplace_back(draws.numbers<T>(in * out, 0.4)).data();
      const T* bias = memory.emplace_back(draws.numbers<T>(out)).data();
      layers.push_back({weight, k == 1 ? nullptr : bias, in, out, between});
      T* d_weight = memory.emplace_back(static_cast<std::size_t>(in * out)).data();
      T* d_bias = memory.emplace_back(static_cast<std::size_t>(out)).data();
      gradients.push_back({d_weight, k == 1 ? nullptr : d_bias});
    }
    const std::vector<T> x = draws.numbers<T>(rows * 5), dy = draws.numbers<T>(rows * 3);
    std::vector<T> y(dy.size()), dx(x.size());
    std::vector<T> tape(static_cast<std::size_t>(rows * perceptron_tape(layers)));
    kernels.forward(rows, layers, x.data(), y.data(), tape.data());
    kernels.backward(rows, layers, {x.data(), dy.data(), tape.data(), dx.data(), gradients});
    outputs.push_back(output("y", y));
    outputs.push_back(output("dx", dx));
    for (std::size_t k = 2; k < memory.size(); k += 4) {
      outputs.push_back(output("d weight", memory[k]));
      outputs.push_back(output("d bias", memory[k + 1]));
    }
  }
  return outputs;
}

}  // namespace

std::vector<Case> nn_cases() {
  return {{"adam", 0, {adam<float>, adam<double>}},
          {"batch_norm", 32, {batch_norm<float>, batch_norm<double>}},
          {"vector_relu", 32, {vector_relu<float>, vector_relu<double>}},
          {"edge_pool", 32, {edge_pool<float>, edge_pool<double>}},
          {"perceptron", 32, {perceptron<float>, perceptron<double>}}};
}

}  // namespace equiframe::kernels::levels
