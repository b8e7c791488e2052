"""Files written by `equiframe wrap`, used from plain PyTorch: nothing of Equiframe is imported,
except where a file was asked to use our operators."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

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
    def wrap(cls, name, *more):
        file = os.path.join(cls.folder.name, name)
        subprocess.run([PROGRAM, "wrap", cls.bare, "--group", "E3", "--in", "point + vector",
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

    def test_card(self):
        extra = {"equiframe.json": ""}
        torch.jit.load(self.file, _extra_files=extra)
        card = json.loads(extra["equiframe.json"])
        self.assertEqual(card["group"], "E3")
        self.assertLess(card["error"]["rotation"]["after"]["float64"], 1e-11)

    def test_operators_give_the_same(self):
        fast = self.wrap("fast.pt", "--operators")
        x = torch.randn(3, 7, 6)
        torch.save((x, torch.jit.load(self.file).eval()(x)), os.path.join(self.folder.name, "io.pt"))
        script = ("import equiframe, torch\n"
                  "x, expected = torch.load('io.pt')\n"
                  "found = torch.jit.load('fast.pt').eval()(x)\n"
                  "assert (found - expected).abs().max() < 1e-4\n")
        subprocess.run([sys.executable, "-c", script], check=True, cwd=self.folder.name)
        self.assertTrue(os.path.exists(fast))


if __name__ == "__main__":
    unittest.main()
