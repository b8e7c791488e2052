#include "tests/audit/broken_models.h"

#include <torch/script.h>
#include <torch/types.h>

#include "runtime/threads.h"

namespace equiframe::audit_test {
namespace {

/// Some numbers without symmetry, the same every time.
Tensor weights(at::IntArrayRef shape, double phase) {
  int64_t count = 1;
  for (const int64_t n : shape) count *= n;
  return (torch::arange(count, torch::kFloat64) * 1.7 + phase)
      .sin()
      .view(shape)
      .to(torch::kFloat32);
}

/// Principal axes `v` [B, 3, 3] of the centred cloud `c` [B, N, 3].
const char* const kAxes = R"(
def forward(self, x):
    c = x - x.mean(1, True)
    cov = torch.matmul(c.transpose(1, 2), c)
    values, v = torch.linalg_eigh(cov)
)";

/// A network of framed coordinates `y` [B, N, 3] that tells every sign: [B, 1].
const char* const kNetwork = R"(
    h = torch.tanh(torch.matmul(y, self.w1) + self.b1)
    return torch.matmul(h, self.w2).mean(1)
)";

}  // namespace

torch::jit::Module module_of(const ScriptCase& script) {
  runtime::set_blas_threads(1);  // small matrices; OpenBLAS stalls where threads have to wait
  torch::jit::Module module("audited");
  module.register_buffer("w1", weights({3, 8}, 0.3));
  module.register_buffer("b1", weights({8}, 0.9));
  module.register_buffer("w2", weights({8, 1}, 1.1));
  module.register_buffer("b", torch::tensor({0.3, -0.1, 0.2}));
  module.define(script.source);
  return module;
}

std::unique_ptr<audit::Subject> subject_of(const ScriptCase& script) {
  TypedCall call;
  call.group = script.group;
  call.in = {{"", script.in}};
  call.out = {{"", script.out}};
  return audit::script_subject(ScriptModel(module_of(script)), call);
}

ScriptCase sound_scalar() {
  return {R"(
def forward(self, x):
    d = x.unsqueeze(2) - x.unsqueeze(1)
    r = (d * d).sum(-1)
    return torch.exp(-r).sum([1, 2]) + torch.exp(-0.3 * r).sum([1, 2])
)"};
}

ScriptCase sound_vector() {
  return {R"(
def forward(self, x):
    d = x.unsqueeze(2) - x.unsqueeze(1)
    r = (d * d).sum(-1, True)
    return (d * torch.exp(-r)).sum(2) + (d * torch.exp(-0.2 * r)).sum(2)
)",
          "E3", "point", "vector"};
}

ScriptCase sound_chiral() {
  return {R"(
def forward(self, x):
    c = x - x.mean(1, True)
    r = (c * c).sum(-1, True)
    u = (c * torch.exp(-r)).sum(1)
    v = (c * torch.exp(-0.3 * r)).sum(1)
    w = (c * torch.exp(-0.1 * r)).sum(1)
    return (torch.linalg_cross(u, v) * w).sum(1, True) + r.sum(1)
)",
          "SE3"};
}

ScriptCase sound_graph() {
  return {R"(
def forward(self, a):
    m = a.squeeze(-1)
    l = torch.diag_embed(m.sum(-1)) - m
    n = l.size(1)
    l = l / n
    l2 = torch.matmul(l, l)
    l3 = torch.matmul(l2, l)
    return torch.stack([(l * l).sum([1, 2]), (l2 * l).sum([1, 2]), (l3 * l).sum([1, 2])], 1)
)",
          "S_n", "pair", "set"};
}

ScriptCase sound_frame() {
  return {std::string(kAxes) + R"(
    z = torch.matmul(c, v)
    total = torch.zeros_like(x[:, 0, :1])
    for i in range(8):
        s = torch.stack([x.new_ones([1]) * (1 - 2 * (i % 2)),
                         x.new_ones([1]) * (1 - 2 * (i // 2 % 2)),
                         x.new_ones([1]) * (1 - 2 * (i // 4 % 2))], 1)
        y = z * s.unsqueeze(0)
        h = torch.tanh(torch.matmul(y, self.w1) + self.b1)
        total = total + torch.matmul(h, self.w2).mean(1)
    return total / 8
)"};
}

ScriptCase sign_in_lab_frame() {
  return {std::string(kAxes) + R"(
    first = v[:, :1, :]
    v = v * torch.where(first >= 0, torch.ones_like(first), -torch.ones_like(first))
    y = torch.matmul(c, v)
)" + kNetwork};
}

ScriptCase handedness_not_fixed() {
  // The signs follow the skewness of the cloud, which is equivariant; nobody looks at det(v).
  return {std::string(kAxes) + R"(
    y = torch.matmul(c, v)
    skew = (y * y * y).sum(1, True)
    y = y * torch.where(skew >= 0, torch.ones_like(skew), -torch.ones_like(skew))
)" + kNetwork,
          "SE3"};
}

ScriptCase one_sign_for_the_batch() {
  return {std::string(kAxes) + R"(
    s = torch.where(torch.rand([1, 1, 3]) < 0.5, -torch.ones([1, 1, 3]), torch.ones([1, 1, 3]))
    y = torch.matmul(c, v) * s.to(x)
)" + kNetwork};
}

ScriptCase truncated_neighbours() {
  return {R"(
def forward(self, x):
    d = x.unsqueeze(2) - x.unsqueeze(1)
    r = (d * d).sum(-1)
    near = r < 9.0
    kept = torch.logical_and(near, torch.cumsum(near.to(x), -1) <= 5).to(x)
    return (kept * torch.exp(-r)).sum([1, 2])
)"};
}

ScriptCase bias_on_vectors() {
  ScriptCase script = sound_vector();
  script.source.replace(script.source.rfind("sum(2)"), 6, "sum(2) + self.b");
  return script;
}

ScriptCase multiplicity_by_equality() {
  // A signature of each node for every eigenvalue: the diagonal of the projector on its eigenspace,
  // the eigenspaces told apart by comparing rounded eigenvalues. The nodes are ordered by it.
  return {R"(
def forward(self, a):
    m = a.squeeze(-1)
    l = torch.diag_embed(m.sum(-1)) - m
    values, u = torch.linalg_eigh(l)
    same = (values.unsqueeze(2) == values.unsqueeze(1)).to(a)
    p = torch.matmul(u * u, same)
    key = (p * p * (1 + values.unsqueeze(1))).sum(-1)
    order = torch.argsort(key, -1)
    ordered = torch.gather(key, 1, order)
    place = torch.arange(ordered.size(1)).to(a)
    return (ordered * torch.cos(place)).sum(1, True)
)",
          "S_n", "pair", "set"};
}

ScriptCase detached_frame() {
  ScriptCase script = sound_frame();
  const std::string axes = "torch.linalg_eigh(cov)";
  script.source.replace(script.source.find(axes), axes.size(), "torch.linalg_eigh(cov.detach())");
  return script;
}

ScriptCase plain_coordinates() {
  return {std::string(R"(
def forward(self, x):
    y = x
)") + kNetwork};
}

}  // namespace equiframe::audit_test
