#include "groups/move_rows.h"

#include <algorithm>
#include <array>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace equiframe::inline groups {
namespace {

using Kind = FieldType::Kind;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kMaxDimensions = 16;

bool stays_as_it_is(Kind kind) {
  return kind == Kind::kScalar;
}

/// Where a point's shift is added.
enum class Shift { kNone, kBefore, kAfter };

/// One item: y = A x + b or A (x - b) for rows [M, C], the shift taken in float64. `Dim` > 0 is d,
/// known to the compiler.
template <int Dim, class T>
class Mover {
 public:
  /// `linear` [d, d] row-major; `shift` [d] or null.
  Mover(const FieldType& rho, int64_t dim, const T* linear, const double* shift,
        Direction direction)
      : rho_(rho), dim_(dim), moves_(Shift::kNone) {
    for (int64_t i = 0; i < d(); ++i)
      for (int64_t j = 0; j < d(); ++j)
        map_.matrix[at(i * d() + j)] =
            linear[direction == Direction::kForward ? i * d() + j : j * d() + i];
    if (shift == nullptr) return;
    moves_ = direction == Direction::kForward ? Shift::kAfter : Shift::kBefore;
    const double sign = direction == Direction::kForward ? 1 : -1;
    for (int64_t i = 0; i < d(); ++i) map_.shift[at(i)] = sign * shift[i];
  }

  /// x with a stride between rows, y dense. Field by field, so that the map stays in registers.
  void rows(const T* x, int64_t x_row, int64_t count, T* y) const {
    const int64_t y_row = rho_.channels(d());
    for (const FieldType::Field& field : rho_.fields()) {
      if (stays_as_it_is(field.kind)) {
        for (int64_t m = 0; m < count; ++m) std::copy_n(x + m * x_row, field.count, y + m * y_row);
        x += field.count;
        y += field.count;
        continue;
      }
      const Shift shift = field.kind == Kind::kPoint ? moves_ : Shift::kNone;
      for (int64_t n = 0; n < field.count; ++n, x += d(), y += d()) {
        if (shift == Shift::kNone)
          column<Shift::kNone>(x, x_row, count, y, y_row);
        else if (shift == Shift::kBefore)
          column<Shift::kBefore>(x, x_row, count, y, y_row);
        else
          column<Shift::kAfter>(x, x_row, count, y, y_row);
      }
    }
  }

 private:
  static constexpr size_t kMax = Dim > 0 ? Dim : kMaxDimensions;
  using Value = std::array<T, kMax>;
  struct Map {
    std::array<T, kMax * kMax> matrix;
    std::array<double, kMax> shift{};
  };

  static constexpr size_t at(int64_t k) { return static_cast<size_t>(k); }
  int64_t d() const { return Dim > 0 ? Dim : dim_; }

  template <Shift kShift>
  void column(const T* x, int64_t x_row, int64_t count, T* y, int64_t y_row) const {
    const Map map = map_;  // a store to y might otherwise change it
    for (int64_t m = 0; m < count; ++m, x += x_row, y += y_row) {
      Value in;
      for (int64_t i = 0; i < d(); ++i)
        in[at(i)] = kShift == Shift::kBefore ? shifted(x[i], map.shift[at(i)]) : x[i];
      for (int64_t i = 0; i < d(); ++i) {
        T sum = 0;
        for (int64_t j = 0; j < d(); ++j) sum += map.matrix[at(i * d() + j)] * in[at(j)];
        y[i] = kShift == Shift::kAfter ? shifted(sum, map.shift[at(i)]) : sum;
      }
    }
  }

  static T shifted(T value, double shift) {
    return static_cast<T>(static_cast<double>(value) + shift);
  }

  const FieldType& rho_;
  int64_t dim_;
  Shift moves_;
  Map map_;
};

/// x [*batch, M, C] with any strides but a dense last axis, linear [*batch, d, d] dense.
template <class T>
void move_items(const FieldType& rho, int64_t dim, const AffineMap& map, const Tensor& x,
                Direction direction, T* y) {
  const int64_t axes = x.dim() - 2, rows = x.size(-2), channels = x.size(-1);
  const int64_t items = map.linear.numel() / (dim * dim);
  const T* linear = map.linear.data_ptr<T>();
  const double* shift = map.shift.numel() > 0 ? map.shift.data_ptr<double>() : nullptr;
  for (int64_t item = 0; item < items; ++item) {
    int64_t offset = 0, rest = item;
    for (int64_t axis = axes - 1; axis >= 0; --axis) {
      offset += rest % x.size(axis) * x.stride(axis);
      rest /= x.size(axis);
    }
    const auto run = [&]<int Dim>(std::integral_constant<int, Dim>) {
      const Mover<Dim, T> mover(rho, dim, linear + item * dim * dim,
                                shift == nullptr ? nullptr : shift + item * dim, direction);
      mover.rows(x.data_ptr<T>() + offset, x.stride(-2), rows, y + item * rows * channels);
    };
    if (dim == 3)
      run(std::integral_constant<int, 3>{});
    else if (dim == 2)
      run(std::integral_constant<int, 2>{});
    else
      run(std::integral_constant<int, 0>{});
  }
}

Tensor move_values(const FieldType& rho, int64_t dim, const AffineMap& map, const Tensor& x,
                   Direction direction) {
  const Tensor dense = x.stride(-1) == 1 ? x : x.contiguous();
  const Tensor y = torch::empty(x.sizes(), x.options().requires_grad(false));
  if (x.numel() == 0) return y;
  if (x.scalar_type() == torch::kFloat)
    move_items<float>(rho, dim, map, dense, direction, y.data_ptr<float>());
  else
    move_items<double>(rho, dim, map, dense, direction, y.data_ptr<double>());
  return y;
}

/// rho as numbers, which an autograd context can keep.
std::vector<int64_t> encode(const FieldType& rho) {
  std::vector<int64_t> numbers;
  for (const FieldType::Field& field : rho.fields())
    numbers.insert(numbers.end(), {static_cast<int64_t>(field.kind), field.count});
  return numbers;
}

FieldType decode(const std::vector<int64_t>& numbers) {
  std::vector<FieldType::Field> fields;
  for (size_t k = 0; k < numbers.size(); k += 2)
    fields.push_back({static_cast<Kind>(numbers[k]), numbers[k + 1]});
  return FieldType(std::move(fields));
}

/// The sum over all points of g [*batch, M, C], [*batch, d].
Tensor sum_of_points(const FieldType& rho, int64_t dim, const Tensor& g) {
  return rho.select(Kind::kPoint, dim, g).sum({-3, -2});
}

/// The adjoint of R is what `inverse` applies, of R^T what `forward` does.
class MoveFunction final : public torch::autograd::Function<MoveFunction> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& shift,
                        const Tensor& linear, const FieldType& rho, int64_t dim,
                        Direction direction) {
    context->save_for_backward({linear});
    context->saved_data["rho"] = encode(rho);
    context->saved_data["dim"] = dim;
    context->saved_data["forward"] = direction == Direction::kForward;
    context->saved_data["shift"] = shift.requires_grad();
    return move_values(rho, dim, {linear, shift}, x, direction);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const bool forward = context->saved_data["forward"].toBool();
    const FieldType rho = decode(context->saved_data["rho"].toIntVector());
    const int64_t dim = context->saved_data["dim"].toInt();
    const AffineMap map{context->get_saved_variables()[0], {}};
    const Tensor& g = gradients[0];
    const Tensor d_x =
        move_rows(rho, dim, map, g, forward ? Direction::kInverse : Direction::kForward);
    Tensor d_shift;  // of R x + t, or of R^T (x - t)
    if (context->saved_data["shift"].toBool() && rho.has(Kind::kPoint))
      d_shift = forward ? sum_of_points(rho, dim, g) : -sum_of_points(rho, dim, d_x);
    return {d_x, d_shift, Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

bool can_move_rows(const FieldType& rho, const AffineMap& map, const Tensor& x) {
  const auto kind_fits = [](const FieldType::Field& field) {
    return stays_as_it_is(field.kind) || field.kind == Kind::kPoint || field.kind == Kind::kVector;
  };
  return map.linear.defined() && map.linear.size(-1) <= kMaxDimensions && x.is_cpu() &&
         (x.scalar_type() == torch::kFloat || x.scalar_type() == torch::kDouble) &&
         !map.linear.requires_grad() && (rho.has(Kind::kPoint) || rho.has(Kind::kVector)) &&
         std::all_of(rho.fields().begin(), rho.fields().end(), kind_fits);
}

Tensor move_rows(const FieldType& rho, int64_t dim, const AffineMap& map, const Tensor& x,
                 Direction direction) {
  auto shape = map.linear.sizes().slice(0, static_cast<size_t>(map.linear.dim() - 2)).vec();
  shape.insert(shape.end(), {x.size(-2), x.size(-1)});
  const Tensor all = x.sizes() == at::IntArrayRef(shape) ? x : x.expand(shape);
  const AffineMap dense{map.linear.to(x.dtype()).contiguous(),  // no numbers: no shift
                        map.shift.defined() ? map.shift.to(torch::kDouble).contiguous()
                                            : torch::empty({0}, torch::kDouble)};
  if (torch::GradMode::is_enabled() && (x.requires_grad() || dense.shift.requires_grad()))
    return MoveFunction::apply(all, dense.shift, dense.linear, rho, dim, direction);
  return move_values(rho, dim, dense, all, direction);
}

}  // namespace equiframe::inline groups
