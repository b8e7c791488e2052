#include "equiframe/groups/field_type.h"

#include <array>
#include <cctype>
#include <utility>

#include <torch/types.h>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "groups/move_rows.h"

namespace equiframe::inline groups {
namespace {

using Kind = FieldType::Kind;

constexpr std::array<std::pair<Kind, const char*>, 6> kNames{{{Kind::kScalar, "scalar"},
                                                              {Kind::kPseudoscalar, "pseudoscalar"},
                                                              {Kind::kVector, "vector"},
                                                              {Kind::kPseudovector, "pseudovector"},
                                                              {Kind::kPoint, "point"},
                                                              {Kind::kTensor, "tensor"}}};

bool is_scalar(Kind kind) {
  return kind == Kind::kScalar || kind == Kind::kPseudoscalar;
}

int64_t width(Kind kind, int64_t dim) {
  if (is_scalar(kind)) return 1;
  return kind == Kind::kTensor ? dim * dim : dim;
}

FieldType::Field parse_field(const std::string& piece, const std::string& whole) {
  size_t digits = 0;
  while (digits < piece.size() && std::isdigit(static_cast<unsigned char>(piece[digits])) != 0)
    ++digits;
  if (digits > 9)
    throw UserError("field type '" + whole + "': the count in '" + piece + "' is too large");
  const int64_t count = digits == 0 ? 1 : std::stoll(piece.substr(0, digits));
  std::string word = text::trim(piece.substr(digits));
  if (!word.empty() && word.back() == 's') word.pop_back();
  if (count < 1)
    throw UserError("field type '" + whole + "': the count in '" + piece + "' must be at least 1");
  std::vector<std::string> known;
  for (const auto& [kind, name] : kNames) {
    if (word == name) return {kind, count};
    known.emplace_back(name);
  }
  throw UserError("field type '" + whole + "': " + text::unknown_name("field", word, known) +
                  "; write a sum such as 'point + 2 vector + 3 scalar'");
}

}  // namespace

std::string to_string(Kind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  TORCH_CHECK(false, "unknown field kind");
}

FieldType::FieldType(std::vector<Field> fields) : fields_(std::move(fields)) {
  for (const Field& field : fields_)
    TORCH_CHECK(field.count > 0, "FieldType: counts must be positive, got ", field.count);
}

FieldType FieldType::parse(const std::string& text) {
  std::vector<Field> fields;
  for (const std::string& piece : text::split(text, '+'))
    fields.push_back(parse_field(piece, text));
  return FieldType(std::move(fields));
}

std::string FieldType::str() const {
  std::vector<std::string> pieces;
  for (const auto& [kind, count] : fields_)
    pieces.push_back((count == 1 ? "" : std::to_string(count) + " ") + to_string(kind));
  return text::join(pieces, " + ");
}

int64_t FieldType::channels(int64_t dim) const {
  int64_t total = 0;
  for (const auto& [kind, count] : fields_) total += count * width(kind, dim);
  return total;
}

bool FieldType::has(Kind kind) const {
  for (const Field& field : fields_) {
    if (field.kind == kind) return true;
  }
  return false;
}

void FieldType::require_channels(int64_t dim, int64_t actual) const {
  const int64_t expected = channels(dim);
  if (expected == actual) return;
  throw UserError(
      c10::str("type '", str(), "' in ", dim, " dimensions has ", expected,
               " channels, but the tensor's last axis has ", actual,
               actual > expected
                   ? c10::str("; add '+ ", actual - expected, " scalar' if the rest is invariant")
                   : std::string("; drop a field or supply the missing channels")));
}

Tensor FieldType::select(Kind wanted, int64_t dim, const Tensor& x) const {
  std::vector<Tensor> parts;
  int64_t offset = 0;
  for (const auto& [kind, count] : fields_) {
    const int64_t size = count * width(kind, dim);
    if (kind == wanted) {
      const Tensor part = x.narrow(-1, offset, size);
      parts.push_back(is_scalar(kind) ? part : part.unflatten(-1, {count, width(kind, dim)}));
    }
    offset += size;
  }
  TORCH_CHECK(!parts.empty(), "FieldType::select: no ", to_string(wanted), " in '", str(), "'");
  return parts.size() == 1 ? parts[0] : torch::cat(parts, is_scalar(wanted) ? -1 : -2);
}

namespace {

/// part [*batch, M, count, d] of R^d values; linear [*batch, d, d].
Tensor rotate(const Tensor& part, const Tensor& linear, Direction direction) {
  if (!linear.defined()) return part;
  const Tensor r = linear.to(part.dtype());
  const Tensor rows = part.flatten(-3, -2);  // [*batch, M * count, d]
  const Tensor moved = rows.matmul(direction == Direction::kForward ? r.transpose(-1, -2) : r);
  return moved.unflatten(-2, {part.size(-3), part.size(-2)});
}

Tensor translate(const Tensor& part, const Tensor& shift, Direction direction) {
  if (!shift.defined()) return part;
  const Tensor offset = shift.to(torch::kFloat64).unsqueeze(-2).unsqueeze(-2);
  const Tensor wide = part.to(torch::kFloat64);
  return (direction == Direction::kForward ? wide + offset : wide - offset).to(part.dtype());
}

Tensor determinant(const Tensor& linear, const Tensor& like) {
  return torch::linalg_det(linear.detach().to(torch::kFloat64)).round().to(like.dtype());
}

Tensor move_point(const Tensor& part, const AffineMap& map, Direction direction) {
  if (direction == Direction::kInverse)
    return rotate(translate(part, map.shift, direction), map.linear, direction);
  return translate(rotate(part, map.linear, direction), map.shift, direction);
}

/// part [*batch, M, count, d * d] -> R M R^T.
Tensor move_tensor(const Tensor& part, int64_t dim, const Tensor& linear, Direction direction) {
  if (!linear.defined()) return part;
  const auto count = part.size(-2);
  const auto turn = [&](const Tensor& rows) {  // rotates the last index of [*, M, count, d, d]
    return rotate(rows.flatten(-3, -2), linear, direction).unflatten(-2, {count, dim});
  };
  const Tensor once = turn(part.unflatten(-1, {dim, dim}));
  return turn(once.transpose(-1, -2)).transpose(-1, -2).flatten(-2);
}

/// part [*batch, M, count * width] of one field.
Tensor move_field(const FieldType::Field& field, int64_t dim, const AffineMap& map,
                  const Tensor& part, Direction direction) {
  if (field.kind == Kind::kScalar) return part;
  if (field.kind == Kind::kPseudoscalar) {
    if (!map.linear.defined()) return part;
    return part * determinant(map.linear, part).unsqueeze(-1).unsqueeze(-1);
  }
  const Tensor values = part.unflatten(-1, {field.count, width(field.kind, dim)});
  if (field.kind == Kind::kPoint) return move_point(values, map, direction).flatten(-2);
  if (field.kind == Kind::kTensor)
    return move_tensor(values, dim, map.linear, direction).flatten(-2);
  const Tensor turned = rotate(values, map.linear, direction).flatten(-2);
  if (field.kind == Kind::kVector || !map.linear.defined()) return turned;
  return turned * determinant(map.linear, turned).unsqueeze(-1).unsqueeze(-1);
}

Tensor move(const FieldType& rho, int64_t dim, const AffineMap& map, const Tensor& x,
            Direction direction) {
  rho.require_channels(dim, x.size(-1));
  const int64_t batch_dims = map.linear.defined()  ? map.linear.dim() - 2
                             : map.shift.defined() ? map.shift.dim() - 1
                                                   : 0;
  TORCH_CHECK(x.dim() > batch_dims, "a tensor of shape ", x.sizes(),
              " is too small for elements of ", batch_dims, " batch axes");
  // [*batch, M, C]: every axis between the batch and the channels lists independent features.
  const bool bare = x.dim() == batch_dims + 1;
  const Tensor flat = bare ? x.unsqueeze(-2) : x.flatten(batch_dims, -2);
  const auto whole = [&](const Tensor& moved) {
    if (bare) return moved.squeeze(-2);
    auto shape = moved.sizes().slice(0, static_cast<size_t>(batch_dims)).vec();
    for (int64_t axis = batch_dims; axis < x.dim(); ++axis) shape.push_back(x.size(axis));
    return moved.reshape(shape);
  };
  if (can_move_rows(rho, map, x)) return whole(move_rows(rho, dim, map, flat, direction));
  std::vector<Tensor> parts;
  int64_t offset = 0;
  for (const FieldType::Field& field : rho.fields()) {
    const int64_t size = field.count * width(field.kind, dim);
    parts.push_back(move_field(field, dim, map, flat.narrow(-1, offset, size), direction));
    offset += size;
  }
  return whole(parts.size() == 1 ? parts[0] : torch::cat(parts, -1));
}

}  // namespace

Tensor transform(const FieldType& rho, int64_t dim, const AffineMap& map, const Tensor& x) {
  return move(rho, dim, map, x, Direction::kForward);
}

Tensor transform_inverse(const FieldType& rho, int64_t dim, const AffineMap& map, const Tensor& x) {
  return move(rho, dim, map, x, Direction::kInverse);
}

}  // namespace equiframe::inline groups
