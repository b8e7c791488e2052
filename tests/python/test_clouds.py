"""Normals of point clouds from Python."""
import math
import unittest

import torch

import equiframe


def sphere(count: int, centre=(0.0, 0.0, 0.0)) -> torch.Tensor:
    x = torch.randn(count, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    return x / x.norm(dim=1, keepdim=True) + torch.tensor(centre, dtype=torch.float64)


class Clouds(unittest.TestCase):
    def test_every_method_points_out_of_a_sphere(self):
        cloud = sphere(800)
        for method in ("fa", "pca", "jet"):
            normals, confidence = equiframe.normals(cloud, method, orient="outward")
            self.assertEqual(normals.shape, (800, 3))
            self.assertEqual(normals.dtype, torch.float32)
            self.assertEqual(confidence.shape, (800,))
            worst = (normals.double() * cloud).sum(1).min().item()
            self.assertGreater(worst, math.cos(math.radians(12)), method)
            self.assertGreater(confidence.min().item(), 0)
            self.assertLessEqual(confidence.max().item(), 1)

    def test_turns_with_the_cloud(self):
        cloud = torch.randn(300, 3, dtype=torch.float64,
                            generator=torch.Generator().manual_seed(3))
        turn = torch.linalg.qr(torch.randn(3, 3, dtype=torch.float64))[0]
        here, there = (equiframe.normals(x).normals.double() for x in (cloud, cloud @ turn.T))
        self.assertGreater(((here @ turn.T) * there).sum(1).abs().min().item(), 1 - 1e-5)

    def test_takes_the_options_of_the_program(self):
        cloud = sphere(500, (50.0, 0.0, 0.0))
        inward = equiframe.normals(cloud, "pca", k=12, orient="viewpoint", viewpoint=(50, 0, 0))
        centre = torch.tensor([50.0, 0.0, 0.0], dtype=torch.float64)
        self.assertLess((inward.normals.double() * (cloud - centre)).sum(1).max().item(), -0.9)
        single = equiframe.normals(cloud.float(), "pca", k=12).normals
        self.assertGreater((single * inward.normals).sum(1).abs().min().item(), 1 - 1e-4)
        alone = equiframe.normals(cloud, votes="none", choice="none").normals
        self.assertFalse(torch.equal(alone, equiframe.normals(cloud).normals))

    def test_is_the_same_in_pieces(self):
        cloud = sphere(200_000)
        whole = equiframe.normals(cloud, "pca", k=10)
        pieces = equiframe.normals(cloud, "pca", k=10, max_memory=20_000_000)
        self.assertLess((whole.normals - pieces.normals).abs().max().item(), 1e-6)

    def test_refuses_in_one_sentence(self):
        cloud = sphere(20)
        hole = cloud.clone()
        hole[7, 1] = math.nan
        for call, words in [
                (lambda: equiframe.normals(cloud, "plane"), "known: fa, pca, jet"),
                (lambda: equiframe.normals(cloud, k=9), "192 neighbours"),
                (lambda: equiframe.normals(cloud, "pca", k=2), "from 3 to 512"),
                (lambda: equiframe.normals(cloud, orient="up"), "no orientation named 'up'"),
                (lambda: equiframe.normals(cloud, orient="viewpoint"), "needs a place"),
                (lambda: equiframe.normals(cloud, viewpoint=(1, 2)), "three coordinates"),
                (lambda: equiframe.normals(cloud, model="none.safetensors"), "none.safetensors"),
                (lambda: equiframe.normals(cloud, "jet", max_memory=10), "raise it"),
                (lambda: equiframe.normals(cloud[:2]), "a cloud of 2 points"),
                (lambda: equiframe.normals(hole), "row 7"),
                (lambda: equiframe.normals(cloud.T), "[N, 3]")]:
            with self.assertRaises(RuntimeError) as refused:
                call()
            self.assertIn(words, str(refused.exception))
            self.assertNotIn("\n", str(refused.exception).strip())


if __name__ == "__main__":
    unittest.main()
