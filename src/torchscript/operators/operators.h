// The operators of the library `equiframe` that LibTorch knows by name, as plain functions. Their
// schemas are in library.cpp; Python and TorchScript reach them as torch.ops.equiframe.NAME.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <c10/util/Optional.h>

#include "equiframe/core/tensor.h"

/// Elements of a group are two tensors with the same leading axes [*batch]:
///   T, O, SO, E, SE of R^d: linear [*batch, d, d] in the type of the data, shift [*batch, d]
///   S(n):                   linear [*batch, n] int64, i -> sigma(i), shift [*batch, 0]
/// Groups, types and frames are texts, as in parse_group, Group::type and make_frame.
namespace equiframe::operators {

using MaybeTensor = c10::optional<Tensor>;

/// F(x) for x [B, N, C] (graphs: [B, n, n, E]): linear [B, K, ...], shift [B, K, ...], weights
/// [B, K] float64 (zero = padding), margin [B] float64 and stratum [B] int64 as in FrameSet.
/// `seed` and `stream` matter only to frames that draw.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> frame(const Tensor& x, const MaybeTensor& mask,
                                                         const std::string& group,
                                                         const std::string& type,
                                                         const std::string& frame, int64_t seed,
                                                         int64_t stream);

/// The same as one list without padding: linear [M, ...], shift [M, ...], weights [M], and the
/// item of each row, [M] int64.
std::tuple<Tensor, Tensor, Tensor, Tensor> frame_rows(const Tensor& x, const MaybeTensor& mask,
                                                      const std::string& group,
                                                      const std::string& type,
                                                      const std::string& frame, int64_t seed,
                                                      int64_t stream);

/// rho(g) x for x [*batch, ..., C]; axes of size one of x's batch are repeated.
Tensor act(const Tensor& x, const Tensor& linear, const Tensor& shift, const std::string& group,
           const std::string& type);
/// rho(g)^-1 x, in one step.
Tensor act_inverse(const Tensor& x, const Tensor& linear, const Tensor& shift,
                   const std::string& group, const std::string& type);

/// The framed copies rho(g_m)^-1 x[items[m]] of x [B, ...], [M, ...].
Tensor framed(const Tensor& x, const Tensor& linear, const Tensor& shift, const Tensor& items,
              const std::string& group, const std::string& type);

/// sum over the rows m of each of `batch` items of w_m rho(g_m) y_m, for y [M, ...] or, where the
/// type has one channel, [M].
Tensor combine(const Tensor& y, const Tensor& linear, const Tensor& shift, const Tensor& weights,
               const Tensor& items, int64_t batch, const std::string& group,
               const std::string& type);

/// `count` random elements; Haar on linear parts, standard normal shifts, uniform permutations.
std::tuple<Tensor, Tensor> sample(const std::string& group, int64_t count, int64_t seed);
/// `count` random elements of O(dim) of determinant -1.
std::tuple<Tensor, Tensor> sample_reflections(int64_t dim, int64_t count, int64_t seed);

/// max |a - b| / max(1, max |b|): the measure of all laws.
double relative_difference(const Tensor& a, const Tensor& b);

/// {d or n, channels of `in`, channels of `out`} (0 where the number is free), after refusing, with
/// the sentence that helps, what does not fit together.
std::vector<int64_t> describe(const std::string& group, const std::string& in,
                              const std::string& out, const std::string& frame);

/// A file of `equiframe wrap` with its frames by these operators, as the bytes of a TorchScript
/// file, uint8 [n].
Tensor wrapped_with_operators(const std::string& path);

/// normals::estimate of points [N, 3]: normals [N, 3] and confidence [N]. `viewpoint` is empty or
/// has three coordinates; `networks` are the files of NormalNetworkFiles in their order, "" =
/// empty.
std::tuple<Tensor, Tensor> normals(const Tensor& points, const std::string& method, int64_t k,
                                   const std::string& orient, const std::vector<double>& viewpoint,
                                   const std::vector<std::string>& networks, int64_t max_memory);

/// runtime::use_fast_blas: its outcome by name, the kernels before and after, and the right one.
/// `overrule` is UsersCore::kOverruled.
std::tuple<std::string, std::string, std::string, std::string> use_fast_blas(bool overrule);

/// Shapes alone, for tensors without data. How many elements a frame has may depend on the data;
/// here it is what a generic input gives.
namespace meta {

decltype(operators::frame) frame;
decltype(operators::frame_rows) frame_rows;
decltype(operators::act) act;
decltype(operators::framed) framed;
decltype(operators::combine) combine;

}  // namespace meta
}  // namespace equiframe::operators
