// The table of the network kernels as compiled for the instruction set of the including source.
#pragma once

#include "nn/kernels/message_backward.h"
#include "nn/kernels/network_kernels.h"
#include "nn/kernels/perceptron_impl.h"

namespace equiframe::kernels::inline nn {
namespace {

template <class T>
constexpr NetworkKernels<T> kNetworkCompiledHere{
    [](const MessageShape& shape, const MessageWeights<T>& weights, const MessageInput<T>& input,
       const MessageOutput<T>& output) { MessageForward<T>(shape, weights, input, output).run(); },
    [](const MessageShape& shape, const MessageWeights<T>& weights, const MessageInput<T>& input,
       const MessageGradients<T>& gradients) {
      MessageBackward<T>(shape, weights, input, gradients).run();
    },
    &perceptron_forward_here<T>,
    [](std::int64_t rows, const std::vector<DenseLayer<T>>& layers,
       const PerceptronGradients<T>& gradients) {
      PerceptronBackward<T>(layers, gradients).run(rows);
    }};

}  // namespace
}  // namespace equiframe::kernels::inline nn
