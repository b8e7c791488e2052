# %% [markdown]
# # Make a network symmetric
#
# A small network predicts one vector for each point of a cloud. It is made equivariant to rigid
# motions by frame averaging, measured, trained, and saved. Run it as a script, or open it as a
# notebook in an editor that knows `# %%` cells. It takes a few seconds.

# %%
import io

import equiframe
import torch

torch.manual_seed(0)
torch.set_num_threads(1)


class Backbone(torch.nn.Module):
    """Positions and velocities [M, N, 6] to one vector a point [M, N, 3]: no symmetry at all."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.local = torch.nn.Linear(6, width)
        self.head = torch.nn.Linear(2 * width, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        features = torch.tanh(self.local(x))
        whole = features.mean(dim=1, keepdim=True).expand_as(features)
        return self.head(torch.cat([features, whole], dim=-1))


# %% [markdown]
# ## Before
#
# `check` moves the input by random rotations, reflections, translations and reorderings, and
# compares f(gx) with g f(x). The backbone respects the order of points only by its design.

# %%
backbone = Backbone()
print(equiframe.check(backbone, "SE3", inputs="point + vector", outputs="vector"))

# %% [markdown]
# ## After
#
# The average over the four elements of the PCA frame is exact up to rounding. Reflections are no
# part of SE(3), so the model may still tell a cloud from its mirror image.

# %%
model = equiframe.FrameAverage(backbone, group="SE3", frame="pca", inputs="point + vector",
                               outputs="vector")
result = equiframe.check(model, "SE3", inputs="point + vector", outputs="vector")
print(result)
assert result.rotations.float64 < 1e-12 and result.translations.float64 < 1e-12
assert result.reflections.float64 > 1e-4

# %% [markdown]
# ## Training
#
# The target is the cross product of the position (from the centre) and the velocity: a vector
# that follows rotations. Training with one random element of the frame costs a quarter; the
# evaluated model is exact all the same.

# %%
model.train_frame = "sampled(k=1, base=pca)"


def example(count: int):
    x = torch.randn(count, 8, 6)
    centred = x[..., :3] - x[..., :3].mean(dim=1, keepdim=True)
    return x, torch.cross(centred, x[..., 3:], dim=-1)


optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
losses = []
for step in range(150):
    x, target = example(32)
    loss = (model(x) - target).square().mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    losses.append(loss.item())
model.eval()
print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}")
assert losses[-1] < 0.8 * losses[0]

# %% [markdown]
# ## Scripted and saved
#
# A scripted model runs wherever the operators are loaded: `import equiframe` does it.

# %%
scripted = torch.jit.script(model)
file = io.BytesIO()
torch.jit.save(scripted, file)
file.seek(0)
again = torch.jit.load(file)
x, _ = example(4)
assert torch.allclose(again(x), model(x), atol=1e-6)

# %% [markdown]
# ## Inside: elements, weights, and how safe they are
#
# `margin` is the relative distance to the nearest tie of the principal axes, where the frame would
# jump; `stratum` names the kind of input.

# %%
frame = equiframe.frames.pca(x[..., :3], group="SE3")
print("elements", tuple(frame.linear.shape), "weights", frame.weights[0].tolist())
print("smallest margin", f"{frame.margin.min().item():.3f}",
      [equiframe.frames.STRATA[s] for s in frame.stratum.tolist()])
