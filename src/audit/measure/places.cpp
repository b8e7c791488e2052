#include "audit/measure/places.h"

#include <algorithm>

#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "frames/permutation/graph_eigen.h"

namespace equiframe::audit {
namespace {

using Kind = FieldType::Kind;

std::optional<Places> find_kind(const Typing& typing, Kind kind) {
  for (size_t i = 0; i < typing.in.size(); ++i) {
    int64_t channel = 0;
    for (const FieldType::Field& field : typing.in[i].field.fields()) {
      if (field.kind == kind) return Places{i, channel};
      channel += FieldType({field}).channels(typing.dim());
    }
  }
  return std::nullopt;
}

/// [N, count * width] of one field on the cloud.
Tensor field_on(const FieldType::Field& field, const Tensor& cloud) {
  const Tensor centred = cloud - cloud.mean(0, /*keepdim=*/true);
  const int64_t n = cloud.size(0), dim = cloud.size(1);
  std::vector<Tensor> parts;
  parts.reserve(static_cast<size_t>(field.count));
  for (int64_t i = 0; i < field.count; ++i) {
    const double factor = 0.7 + static_cast<double>(i);
    switch (field.kind) {
      case Kind::kPoint:
        parts.push_back(cloud);
        break;
      case Kind::kVector:
        parts.push_back(factor * centred);
        break;
      case Kind::kScalar:
        parts.push_back(factor * centred.norm(2, {1}, /*keepdim=*/true));
        break;
      case Kind::kPseudovector:
        parts.push_back(torch::zeros({n, dim}, torch::kFloat64));
        break;
      case Kind::kPseudoscalar:
        parts.push_back(torch::zeros({n, 1}, torch::kFloat64));
        break;
      case Kind::kTensor:
        parts.push_back(factor *
                        (centred.unsqueeze(-1) * centred.unsqueeze(-2)).reshape({n, dim * dim}));
        break;
    }
  }
  return torch::cat(parts, 1);
}

Tensor slot_on(const Slot& slot, const Tensor& cloud) {
  const int64_t n = cloud.size(0);
  if (slot.layout == Layout::kMask) return torch::ones({1, n}, torch::kBool);
  if (slot.layout == Layout::kUntouched) return {};
  if (slot.layout == Layout::kPair)
    return torch::cdist(cloud, cloud).view({1, n, n, 1}).expand({1, n, n, slot.channels});
  std::vector<Tensor> parts;
  parts.reserve(slot.field.fields().size());
  for (const FieldType::Field& field : slot.field.fields()) parts.push_back(field_on(field, cloud));
  const Tensor whole = torch::cat(parts, 1);
  return slot.layout == Layout::kSet ? whole.narrow(0, 0, 1) : whole.unsqueeze(0);
}

}  // namespace

std::optional<Places> find_places(const Typing& typing) {
  const auto points = find_kind(typing, Kind::kPoint);
  return points ? points : find_kind(typing, Kind::kVector);
}

Tensor places_of(const Typing& typing, const Inputs& inputs) {
  const Places places = find_places(typing).value();
  const Tensor x = inputs[places.slot].narrow(-1, places.channel, typing.dim());
  return x.dim() == 2 ? x.unsqueeze(1) : x;
}

Inputs with_places(const Typing& typing, const Inputs& inputs, const Tensor& places) {
  const Places found = find_places(typing).value();
  Inputs result = inputs;
  Tensor& x = result[found.slot];
  x = x.clone();
  x.narrow(-1, found.channel, typing.dim()).copy_(x.dim() == 2 ? places.squeeze(1) : places);
  return result;
}

Inputs cloud_inputs(const Subject& subject, const Tensor& cloud) {
  const Typing& typing = subject.typing();
  Inputs inputs = random_inputs(subject, 1, cloud.size(0), 0);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor on_cloud = slot_on(typing.in[i], cloud);
    if (on_cloud.defined()) inputs[i] = on_cloud;
  }
  return inputs;
}

Whitened whiten(const Tensor& cloud) {
  const Tensor centre = cloud.mean(0);
  const Tensor centred = cloud - centre;
  const auto count = static_cast<double>(cloud.size(0));
  const auto [values, axes] = symmetric_eigen(centred.t().matmul(centred) / count);
  const Tensor extents = values.clamp_min(1e-12).sqrt();
  return {centred.matmul(axes) / extents, axes, centre};
}

}  // namespace equiframe::audit
