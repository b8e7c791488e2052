"""FrameAverage: its symmetry, its gradients, and what users do with a module."""
import copy
import io
import unittest

import equiframe
import torch
from networks import MaskedNetwork, OrderedNetwork, SetNetwork
from torch.autograd import gradcheck, gradgradcheck


def point_vector_model(group: str = "SE3", frame: str = "pca", **options) -> torch.nn.Module:
    torch.manual_seed(7)
    return equiframe.FrameAverage(SetNetwork(6, 3), group=group, frame=frame,
                                  inputs="point + vector", outputs="vector", **options)


class Symmetry(unittest.TestCase):
    def test_average_has_the_symmetry_of_its_group_and_no_more(self):
        result = equiframe.check(point_vector_model(), "SE3", "point + vector", "vector")
        for kind in ("rotations", "translations", "permutations"):
            self.assertLess(getattr(result, kind).float64, 1e-13, kind)
            self.assertLess(getattr(result, kind).float32, 1e-5, kind)
        self.assertGreater(result.reflections.float64, 1e-3)
        full = equiframe.check(point_vector_model("E3"), "E3", "point + vector", "vector")
        self.assertLess(full.reflections.float64, 1e-13)

    def test_bare_backbone_is_caught(self):
        result = equiframe.check(SetNetwork(6, 3), "SE3", "point + vector", "vector")
        self.assertGreater(result.rotations.float64, 1e-2)
        self.assertGreater(result.translations.float64, 1e-2)
        self.assertLess(result.permutations.float64, 1e-13)

    def test_other_dimensions_and_frames(self):
        for group, frame, d in (("E2", "pca", 2), ("SO(4)", "pca", 4), ("T5", "mean", 5),
                                ("E3", "minimal", 3)):
            with self.subTest(group=group, frame=frame):
                torch.manual_seed(1)
                model = equiframe.FrameAverage(SetNetwork(d, d), group, frame)
                result = equiframe.check(model, group, "point", "point")
                measured = result.translations if group != "SO(4)" else result.rotations
                self.assertLess(measured.float64, 1e-12)

    def test_symmetric_input_stays_exact_with_minimal_frame(self):
        corners = torch.cartesian_prod(*[torch.tensor([-1.0, 1.0])] * 3).double()
        model = equiframe.FrameAverage(SetNetwork(3, 3), "E3", "pca(degenerate=minimal)")
        result = equiframe.check(model, "E3", "point", "point", corners.unsqueeze(0))
        self.assertLess(result.rotations.float64, 1e-10)
        self.assertLess(result.reflections.float64, 1e-10)

    def test_mask_and_further_arguments(self):
        torch.manual_seed(3)
        model = equiframe.FrameAverage(MaskedNetwork(3, 2, 3), "E3", inputs=("point", "copy"),
                                       outputs="vector").double()
        x, extra = torch.randn(2, 6, 3).double(), torch.randn(2, 6, 2).double()
        mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
        y = model(x, extra, mask=mask)
        changed = torch.where(mask.unsqueeze(-1), x, x + 5)
        self.assertLess((model(changed, extra, mask=mask) - y).abs().max().item(), 1e-12)
        alone = model(x[1:, :4], extra[1:, :4])
        self.assertLess((alone - y[1:]).abs().max().item(), 1e-12)

    def test_second_argument_that_moves(self):
        class Both(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.net = SetNetwork(6, 3)

            def forward(self, x, v):
                return self.net(torch.cat([x, v], -1))

        torch.manual_seed(7)
        both = equiframe.FrameAverage(Both(), "SE3", inputs=("point", "vector"), outputs="vector")
        x, v = torch.randn(3, 8, 3), torch.randn(3, 8, 3)
        one = point_vector_model()
        both.backbone.net.load_state_dict(one.backbone.state_dict())
        self.assertTrue(torch.allclose(both(x, v), one(torch.cat([x, v], -1)), atol=1e-6))

    def test_permutations_of_graphs(self):
        torch.manual_seed(5)
        n = 5
        pair = torch.rand(3, n, n, 1).double()
        pair = pair + pair.transpose(1, 2)
        x = torch.randn(3, n, 2).double()
        model = equiframe.FrameAverage(OrderedNetwork(n, 1, 2, 4).double(), "S(5)",
                                       "canonical(stabilizer=list)", inputs=("pair", "node"),
                                       outputs="node")
        sigma = torch.tensor([2, 0, 4, 1, 3])
        y = model(pair, x)
        moved = model(pair[:, sigma][:, :, sigma], x[:, sigma])
        self.assertLess((moved - y[:, sigma]).abs().max().item(), 1e-12)
        self.assertGreater((model.backbone(pair[:, sigma][:, :, sigma], x[:, sigma])
                            - model.backbone(pair, x)[:, sigma]).abs().max().item(), 1e-3)

    def test_chunks_change_nothing(self):
        model = point_vector_model("E3")
        x = torch.randn(3, 9, 6)
        whole = model(x)
        for copies in (1, 5, 8, 100):
            model.max_copies = copies
            self.assertLess((model(x) - whole).abs().max().item(), 1e-6)


class Gradients(unittest.TestCase):
    def test_exact_frame_has_true_first_and_second_derivatives(self):
        torch.manual_seed(2)
        for group in ("SE3", "E2"):
            d = int(group[-1])
            model = equiframe.FrameAverage(SetNetwork(d, d, 4).double(), group,
                                           "pca(gradient=exact)")
            x = torch.randn(2, 4, d, dtype=torch.float64, requires_grad=True)
            self.assertTrue(gradcheck(model, x))
            self.assertTrue(gradgradcheck(model, x))

    def test_translation_frame_has_true_derivatives(self):
        torch.manual_seed(2)
        model = equiframe.FrameAverage(SetNetwork(3, 3, 4).double(), "T3", "mean")
        x = torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True)
        self.assertTrue(gradcheck(model, x))
        self.assertTrue(gradgradcheck(model, x))

    def test_parameters_have_true_derivatives_in_every_frame(self):
        x = torch.randn(2, 5, 6, dtype=torch.float64)
        for frame in ("pca", "pca(gradient=none)", "minimal"):
            model = point_vector_model(frame=frame).double()
            weight = model.backbone.first.weight

            def loss(value):
                with torch.no_grad():
                    weight.copy_(value)
                return model(x).square().sum()

            start = weight.detach().clone()
            loss(start).backward()
            step = torch.zeros_like(start)
            step[0, 0] = 1e-6
            numeric = ((loss(start + step) - loss(start - step)) / 2e-6).item()
            self.assertAlmostEqual(weight.grad[0, 0].item(), numeric, places=6)

    def test_energy_model_trains_on_forces(self):
        torch.manual_seed(4)
        energy = equiframe.FrameAverage(MaskedNetwork(3, 1, 1).double(), "E3",
                                        "pca(gradient=exact)", inputs=("point", "copy"),
                                        outputs="scalar")
        x = torch.randn(4, 6, 3, dtype=torch.float64, requires_grad=True)
        charge = torch.ones(4, 6, 1, dtype=torch.float64)
        target = 0.3 * (x.mean(1, keepdim=True) - x).detach()  # springs to the centre
        optimiser = torch.optim.Adam(energy.parameters(), lr=0.02)
        losses = []
        for _ in range(40):
            optimiser.zero_grad()
            force, = torch.autograd.grad(-energy(x, charge).sum(), x, create_graph=True)
            loss = (force - target).square().mean()
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.6 * losses[0])
        self.assertLess(force.detach().sum(1).abs().max().item(), 1e-12)  # no net force


class AsAModule(unittest.TestCase):
    def test_scripts_saves_and_loads(self):
        x = torch.randn(3, 7, 6)
        model = point_vector_model("E3", train_frame="sampled(k=1)").eval()
        scripted = torch.jit.script(model)
        file = io.BytesIO()
        torch.jit.save(scripted, file)
        file.seek(0)
        loaded = torch.jit.load(file)
        for other in (scripted, loaded):
            for _ in range(3):  # the executor specialises after the first calls
                self.assertTrue(torch.allclose(other(x), model(x), atol=1e-6))
        whole = io.BytesIO()
        torch.save(model, whole)
        whole.seek(0)
        self.assertTrue(torch.equal(torch.load(whole)(x), model(x)))
        fresh = point_vector_model("E3", train_frame="sampled(k=1)").eval()
        with torch.no_grad():
            fresh.backbone.first.weight.zero_()
        fresh.load_state_dict(model.state_dict())
        self.assertTrue(torch.equal(fresh(x), model(x)))

    def test_scripted_gradient_equals_eager(self):
        model = point_vector_model(frame="pca(gradient=exact)").double()
        scripted = torch.jit.script(copy.deepcopy(model))
        x = torch.randn(2, 5, 6, dtype=torch.float64, requires_grad=True)
        expected, = torch.autograd.grad(model(x).square().sum(), x)
        for _ in range(3):
            got, = torch.autograd.grad(scripted(x).square().sum(), x)
            self.assertLess((got - expected).abs().max().item(), 1e-12)

    def test_scripts_with_mask_and_extra_and_around_scripted_backbones(self):
        x, extra = torch.randn(2, 6, 3), torch.randn(2, 6, 2)
        mask = torch.ones(2, 6, dtype=torch.bool)
        mask[0, 4:] = False
        backbone = MaskedNetwork(3, 2, 3)
        model = equiframe.FrameAverage(backbone, "E3", inputs=("point", "copy"), outputs="vector")
        scripted = torch.jit.script(model)
        self.assertTrue(torch.allclose(scripted(x, extra, mask=mask), model(x, extra, mask=mask)))
        around = equiframe.FrameAverage(torch.jit.script(backbone), "E3",
                                        inputs=("point", "copy"), outputs="vector")
        self.assertTrue(torch.allclose(around(x, extra, mask=mask), model(x, extra, mask=mask)))

    def test_training_draws_anew_each_step_and_evaluation_does_not(self):
        model = point_vector_model("E3", train_frame="sampled(k=1)", seed=5)
        x = torch.randn(4, 8, 6)
        first, second = model(x), model(x)
        self.assertGreater((first - second).abs().max().item(), 1e-4)
        self.assertEqual(int(model.stream), 2)
        again = point_vector_model("E3", train_frame="sampled(k=1)", seed=5)
        self.assertTrue(torch.equal(again(x), first))
        model.eval()
        self.assertTrue(torch.equal(model(x), model(x)))

    def test_meta_tensors_give_shapes(self):
        model = point_vector_model("E3").to("meta")
        self.assertEqual(model.eval()(torch.empty(5, 9, 6, device="meta")).shape, (5, 9, 3))

    def test_one_value_an_item_needs_no_channel_axis(self):
        class Sum(torch.nn.Module):
            def forward(self, x):
                return x.square().sum((1, 2))

        model = equiframe.FrameAverage(Sum(), "T3", "mean", outputs="scalar")
        self.assertEqual(model(torch.randn(4, 5, 3)).shape, (4,))


class Sentences(unittest.TestCase):
    def sentence(self, make) -> str:
        with self.assertRaises(RuntimeError) as caught:
            make()
        text = str(caught.exception)
        self.assertNotIn("\n", text)
        self.assertNotIn("Exception raised from", text)
        return text

    def test_names_are_refused_when_the_model_is_made(self):
        net = SetNetwork(3, 3)
        make = equiframe.FrameAverage
        self.assertIn("did you mean 'pca'", self.sentence(lambda: make(net, frame="pcaa")))
        self.assertIn("no group named 'X3'", self.sentence(lambda: make(net, group="X3")))
        self.assertIn("no field named 'pint'", self.sentence(lambda: make(net, inputs="pint")))
        self.assertIn("not C(4)", self.sentence(lambda: make(net, group="C4")))
        self.assertIn("use 'mean'", self.sentence(lambda: make(net, group="T3", frame="pca")))

    def test_data_are_refused_with_the_way_out(self):
        model = point_vector_model()
        self.assertIn("has 6 channels", self.sentence(lambda: model(torch.randn(2, 5, 4))))
        self.assertIn("degenerate=minimal", self.sentence(lambda: model(torch.zeros(2, 5, 6))))
        self.assertIn("must be [B, N, C]", self.sentence(lambda: model(torch.randn(5, 6))))
        nan = torch.full((1, 5, 6), float("nan"))
        self.assertIn("NaN", self.sentence(lambda: model(nan)))

    def test_backbone_that_returns_something_else(self):
        class Wrong(torch.nn.Module):
            def __init__(self, result):
                super().__init__()
                self.result = result

            def forward(self, x):
                return self.result

        x = torch.randn(2, 5, 3)
        text = self.sentence(lambda: equiframe.FrameAverage(Wrong(torch.ones(3, 3)))(x))
        self.assertIn("was given 8 inputs", text)
        with self.assertRaises(TypeError):
            equiframe.FrameAverage(Wrong((x, x)))(x)


if __name__ == "__main__":
    unittest.main()
