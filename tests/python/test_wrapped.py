"""Files written by `equiframe wrap`, used from plain PyTorch, and with our operators."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch

PROGRAM = os.environ.get("EQUIFRAME_PROGRAM", "")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(6, 16)
        self.last = torch.nn.Linear(16, 3)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        return self.last(self.drop(h + h.mean(1, keepdim=True)))


def moved(x, turn, shift):
    return torch.cat([x[..., :3] @ turn.T + shift, x[..., 3:] @ turn.T], -1)


@unittest.skipUnless(PROGRAM, "EQUIFRAME_PROGRAM is not set")
class WrappedFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.manual_seed(1)
        cls.folder = tempfile.TemporaryDirectory()
        cls.bare = os.path.join(cls.folder.name, "model.pt")
        torch.jit.script(Net()).save(cls.bare)
        cls.file = cls.wrap("wrapped.pt")
        cls.turn = torch.linalg.qr(torch.randn(3, 3, dtype=torch.float64))[0]
        cls.shift = torch.tensor([3.0, -2.0, 5.0], dtype=torch.float64)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def wrap(cls, name, *more, model=None):
        file = os.path.join(cls.folder.name, name)
        subprocess.run([PROGRAM, "wrap", model or cls.bare, "--group", "E3", "--in", "point + vector",
                        "--out", "point", "-o", file, *more], check=True, capture_output=True)
        return file

    def error(self, model):
        x = torch.randn(4, 7, 6, dtype=torch.float64)
        there = model(moved(x, self.turn, self.shift))
        return (there - (model(x) @ self.turn.T + self.shift)).abs().max().item()

    def test_is_equivariant_frozen_saved_again_and_in_any_batch(self):
        model = torch.jit.load(self.file).double().eval()
        self.assertGreater(self.error(torch.jit.load(self.bare).double().eval()), 0.1)
        self.assertLess(self.error(model), 1e-11)
        self.assertLess(self.error(torch.jit.freeze(model)), 1e-11)
        again = os.path.join(self.folder.name, "again.pt")
        model.save(again)
        self.assertLess(self.error(torch.jit.load(again)), 1e-11)
        for batch in (1, 5):
            self.assertEqual(model(torch.randn(batch, 9, 6).double()).shape, (batch, 9, 3))

    def test_trains(self):
        model = torch.jit.load(self.file).train()
        optimizer = torch.optim.Adam(model.parameters(), 1e-2)
        x = torch.randn(8, 7, 6)
        losses = []
        for _ in range(60):
            optimizer.zero_grad()
            loss = (model(x) - 2 * x[..., :3]).square().mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        self.assertLess(sum(losses[-5:]), 0.7 * sum(losses[:5]))
        self.assertLess(self.error(model.double().eval()), 1e-9)

    def test_gradients_of_gradients(self):
        model = torch.jit.load(self.file).double().eval()
        x = torch.randn(2, 5, 6, dtype=torch.float64, requires_grad=True)
        (force,) = torch.autograd.grad(model(x).square().sum(), x, create_graph=True)
        weight = next(model.parameters())
        (slope,) = torch.autograd.grad(force.square().sum(), weight)
        step = torch.randn_like(weight)

        def size(scale):
            with torch.no_grad():
                weight.add_(step * scale)
            (g,) = torch.autograd.grad(model(x).square().sum(), x)
            with torch.no_grad():
                weight.sub_(step * scale)
            return g.square().sum().item()

        expected = (size(1e-6) - size(-1e-6)) / 2e-6
        self.assertAlmostEqual((slope * step).sum().item() / expected, 1, places=5)

    def test_card_survives_saving_again(self):
        extra = {"equiframe.json": ""}
        model = torch.jit.load(self.file, _extra_files=extra)
        self.assertEqual(extra["equiframe.json"].decode(), model.card)
        card = json.loads(model.card)
        self.assertEqual(card["group"], "E3")
        self.assertGreater(card["error"]["rotation"]["before"]["float64"], 1e-2)
        self.assertLess(card["error"]["rotation"]["after"]["float64"], 1e-11)
        again = os.path.join(self.folder.name, "resaved.pt")
        model.save(again)
        self.assertEqual(torch.jit.load(again).card, model.card)
        shown = subprocess.run([PROGRAM, "model", "show", again, "--json"], check=True,
                               capture_output=True, text=True)
        self.assertEqual(json.loads(shown.stdout), card)

    def test_needs_nothing_of_equiframe(self):
        """In an interpreter that cannot find the package, and with no library but PyTorch's."""
        for frame in ("pca(degenerate=minimal)", "minimal", "sampled(k=1, base=pca)"):
            self.wrap("alone.pt", "--frame", frame)
            self.alone("""
import sys, torch
model = torch.jit.load('alone.pt')
for dtype in (torch.float32, torch.float64):
    x = torch.randn(2, 5, 6, dtype=dtype, requires_grad=True)
    y = model.to(dtype).train()(x)
    y.square().sum().backward()
    assert y.dtype == dtype and bool(torch.isfinite(x.grad).all())
    assert all(p.grad is not None for p in model.parameters())
assert 'equiframe' not in sys.modules
assert 'libequiframe' not in open('/proc/self/maps').read()
""")

    def alone(self, script):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("PYTHON", "EQUIFRAME", "LD_"))}
        subprocess.run([sys.executable, "-I", "-c", script], check=True, cwd=self.folder.name,
                       env=environment)

    def test_traced_models(self):
        file = os.path.join(self.folder.name, "traced.pt")
        torch.jit.trace(Net().eval(), torch.randn(3, 16, 6)).save(file)
        wrapped = self.wrap("traced-wrapped.pt", model=file)
        self.assertLess(self.error(torch.jit.load(wrapped).double()), 1e-11)

    def test_operators_give_the_same(self):
        import equiframe
        corners = torch.cartesian_prod(*[torch.tensor([-1.0, 1.0])] * 3)
        cube = torch.cat([corners, corners], -1).unsqueeze(0)
        for frame in ("pca(degenerate=minimal)", "minimal"):
            plain = torch.jit.load(self.wrap("plain.pt", "--frame", frame))
            loaded = equiframe.load_wrapped(self.wrap("plain.pt", "--frame", frame))
            asked = torch.jit.load(self.wrap("fast.pt", "--frame", frame, "--operators"))
            for fast in (loaded, asked):
                self.assertIn("equiframe.frame_rows", fast.frame.code)
                for x in (torch.randn(3, 8, 6), cube):
                    self.assertLess((fast(x) - plain(x)).abs().max().item(), 1e-4)
                    apart = fast.double()(x.double()) - plain.double()(x.double())
                    self.assertLess(apart.abs().max().item(), 1e-11)
                    fast.float(), plain.float()
            self.assertEqual(loaded.card, plain.card)
            x = torch.randn(2, 8, 6, dtype=torch.float64, requires_grad=True)
            slopes = [torch.autograd.grad(model.double()(x).square().sum(), x)[0]
                      for model in (plain, loaded)]
            self.assertLess((slopes[0] - slopes[1]).abs().max().item(), 1e-9)
        with self.assertRaisesRegex(RuntimeError, "has no card"):
            equiframe.load_wrapped(self.bare)
        with self.assertRaisesRegex(RuntimeError, "use equiframe.load_wrapped"):
            equiframe.load(self.file)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = equiframe.check(loaded, "E3", "point + vector", "point")
        self.assertLess(result.rotations.float64, 1e-12)


if __name__ == "__main__":
    unittest.main()
