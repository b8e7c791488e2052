"""The operators themselves, equiframe.frames, equiframe.check and equiframe.load."""
import copy
import inspect
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import equiframe
import torch
from networks import SetNetwork
from torch.autograd import gradcheck, gradgradcheck

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "nbody-fa-verlet.safetensors"
ops = torch.ops.equiframe


class Frames(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.x = torch.randn(3, 8, 3, dtype=torch.float64)

    def test_sizes_weights_and_reports(self):
        for group, count in (("SE3", 4), ("E3", 8), ("SO3", 4), ("O3", 8)):
            frame = equiframe.frames.pca(self.x, group)
            self.assertEqual(frame.linear.shape, (3, count, 3, 3))
            self.assertEqual(frame.shift.shape, (3, count, 3))
            self.assertTrue(torch.allclose(frame.weights.sum(1), torch.ones(3).double()))
            self.assertTrue((frame.stratum == 0).all())
            self.assertTrue(((frame.margin > 0) & (frame.margin < 1)).all())
        self.assertEqual(equiframe.frames.minimal(self.x).weights.shape, (3, 1))
        self.assertEqual(equiframe.frames.mean(self.x).weights.shape, (3, 1))
        self.assertEqual(equiframe.frames.sampled(self.x, k=2).weights.shape, (3, 2))

    def test_framed_copies_do_not_notice_a_motion(self):
        linear, shift = ops.sample("SE3", 3, 9)
        moved = ops.act(self.x, linear, shift, "SE3", "point")

        def copies(x):
            return equiframe.frames.pca(x, "SE3").act_inverse(x).flatten(2)

        here, there = copies(self.x), copies(moved)
        apart = torch.cdist(here, there).min(2).values.max().item()
        self.assertLess(apart, 1e-10)
        self.assertGreater((moved - self.x).abs().max().item(), 0.1)

    def test_act_undoes_act_inverse_for_every_kind_of_field(self):
        kinds = "point + vector + scalar + pseudoscalar + pseudovector + tensor"
        x = torch.randn(3, 8, 20, dtype=torch.float64)
        frame = equiframe.frames.pca(x, "E3", type=kinds)
        back = frame.act(frame.act_inverse(x))
        self.assertLess((back - x.unsqueeze(1)).abs().max().item(), 1e-12)

    def test_draws_depend_on_seed_and_stream_only(self):
        draw = equiframe.frames.sampled
        one = draw(self.x, group="E3", seed=1, stream=1).linear
        self.assertTrue(torch.equal(one, draw(self.x, group="E3", seed=1, stream=1).linear))
        self.assertTrue(torch.equal(one[1:2], draw(self.x[1:2], group="E3", seed=1,
                                                   stream=1).linear))
        others = [draw(self.x, group="E3", seed=1, stream=s).linear for s in range(2, 8)]
        self.assertFalse(all(torch.equal(one, other) for other in others))

    def test_degenerate_inputs_are_named(self):
        square = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]).unsqueeze(0)
        with self.assertRaisesRegex(RuntimeError, "degenerate=minimal"):
            equiframe.frames.pca(square, "E2")
        exact = equiframe.frames.pca(square, "E2", degenerate="minimal")
        self.assertEqual(int((exact.weights > 0).sum()), 8)
        self.assertEqual(equiframe.frames.STRATA[int(exact.stratum[0])], "isotropic")


class Derivatives(unittest.TestCase):
    def test_frames(self):
        torch.manual_seed(1)
        for group, d in (("SE3", 3), ("O3", 3), ("E2", 2), ("SO4", 4)):
            x = torch.randn(1, d + 1, d, dtype=torch.float64, requires_grad=True)

            def exact(value, group=group):
                frame = equiframe.frames.pca(value, group, gradient="exact")
                return (frame.linear, frame.shift) if group in ("SE3", "E2") else frame.linear

            self.assertTrue(gradcheck(exact, x))
            self.assertTrue(gradgradcheck(exact, x))

    def test_policies(self):
        x = torch.randn(2, 6, 3, dtype=torch.float64, requires_grad=True)
        smooth = equiframe.frames.pca(x)
        self.assertTrue(smooth.shift.requires_grad)
        self.assertFalse(smooth.linear.requires_grad)
        self.assertFalse(equiframe.frames.pca(x, gradient="none").shift.requires_grad)
        with torch.no_grad():
            self.assertFalse(equiframe.frames.pca(x, gradient="exact").linear.requires_grad)

    def test_actions(self):
        torch.manual_seed(1)
        linear, shift = ops.sample("E3", 1, 3)
        x = torch.randn(1, 2, 10, dtype=torch.float64, requires_grad=True)
        for kinds in ("point + vector + 3 scalar + pseudoscalar", "point + 2 vector + scalar"):
            for op in (ops.act, ops.act_inverse):
                def move(value, shift, linear=linear, op=op, kinds=kinds):
                    return op(value, linear, shift, "E3", kinds)

                def turn(value, shift, linear, op=op, kinds=kinds):
                    return op(value, linear, shift, "E3", kinds)

                tracked = (x, shift.clone().requires_grad_())
                self.assertTrue(gradcheck(move, tracked) and gradgradcheck(move, tracked))
                tracked += (linear.clone().requires_grad_(),)
                self.assertTrue(gradcheck(turn, tracked) and gradgradcheck(turn, tracked))


class Check(unittest.TestCase):
    def test_numbers_and_text(self):
        torch.manual_seed(1)
        result = equiframe.check(SetNetwork(3, 3), "E3")
        self.assertGreater(result.rotations.float64, 1e-2)
        self.assertIn("permutations", str(result))
        torch.manual_seed(1)
        self.assertEqual(result, equiframe.check(SetNetwork(3, 3), "E3"))  # draws are seeded

    def test_nan_is_not_symmetry(self):
        class Nan(torch.nn.Module):
            def forward(self, x):
                return x * float("nan")

        self.assertEqual(equiframe.check(Nan(), "E3").rotations.float64, float("inf"))

    def test_known_maps(self):
        identity = equiframe.check(torch.nn.Identity(), "E3")
        self.assertLess(max(e.float64 for e in identity), 1e-14)
        as_vector = equiframe.check(torch.nn.Identity(), "E3", "point", "vector")
        self.assertLess(as_vector.rotations.float64, 1e-14)
        self.assertGreater(as_vector.translations.float64, 0.1)


class Load(unittest.TestCase):
    def setUp(self):
        self.model = equiframe.load(MODEL)
        self.x = self.model.reference_input()

    def test_card_and_symmetry(self):
        card = self.model.card()
        self.assertEqual(card["architecture"]["name"], "fa-verlet")
        result = equiframe.check(self.model, "E3", "point + vector + scalar", "point", self.x)
        self.assertLess(max(e.float64 for e in result), 1e-12)
        self.assertLess(max(e.float32 for e in result), 1e-4)

    def test_converts_scripts_and_saves(self):
        y = self.model(self.x)
        wide = copy.deepcopy(self.model).double()
        self.assertEqual(wide(self.x).dtype, torch.float64)
        self.assertTrue(torch.allclose(wide(self.x).float(), y, atol=1e-5))
        file = io.BytesIO()
        torch.jit.save(torch.jit.script(self.model), file)
        file.seek(0)
        self.assertTrue(torch.equal(torch.jit.load(file)(self.x), y))
        file = io.BytesIO()
        torch.save(self.model, file)
        file.seek(0)
        self.assertTrue(torch.equal(torch.load(file)(self.x), y))

    def test_trains(self):
        target = self.model(self.x).detach() + 0.1 * self.x[..., 3:6]
        optimiser = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        losses = []
        for _ in range(10):
            optimiser.zero_grad()
            loss = (self.model(self.x) - target).square().mean()
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], losses[0])

    def test_refuses_what_is_no_model(self):
        with self.assertRaisesRegex(RuntimeError, "cannot read '/nowhere'"):
            equiframe.load("/nowhere")
        with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
            file.write(b"not a model")
            file.flush()
            with self.assertRaises(RuntimeError) as caught:
                equiframe.load(file.name)
            self.assertNotIn("\n", str(caught.exception))


class Types(unittest.TestCase):
    def test_everything_public_is_explained_and_typed(self):
        """`py.typed` promises annotations to type checkers."""
        self.assertTrue((pathlib.Path(equiframe.__file__).parent / "py.typed").exists())
        functions = {}
        for module in (equiframe, equiframe.frames):
            for name, value in vars(module).items():
                if name.startswith("_") or not str(getattr(value, "__module__", "")) \
                        .startswith("equiframe"):
                    continue
                self.assertTrue(value.__doc__, name)
                members = vars(value).items() if inspect.isclass(value) else [("", value)]
                functions.update({f"{name}.{member}": function for member, function in members
                                  if inspect.isfunction(function)
                                  and (member in ("__init__", "") or not member.startswith("_"))
                                  and function.__module__.startswith("equiframe")})
        self.assertGreater(len(functions), 12)
        for name, function in functions.items():
            signature = inspect.signature(function)
            self.assertIsNot(signature.return_annotation, inspect.Signature.empty, name)
            for parameter in list(signature.parameters.values()):
                if parameter.name != "self":
                    self.assertIsNot(parameter.annotation, inspect.Parameter.empty,
                                     f"{name}({parameter.name})")


class Import(unittest.TestCase):
    def test_says_where_it_looked(self):
        environment = dict(os.environ, EQUIFRAME_LIBRARY="/nowhere/libequiframe.so",
                           PYTHONPATH=str(ROOT / "python"))
        result = subprocess.run([sys.executable, "-c", "import equiframe"], env=environment,
                                capture_output=True, text=True, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("EQUIFRAME_LIBRARY names '/nowhere/libequiframe.so'", result.stderr)


if __name__ == "__main__":
    unittest.main()
