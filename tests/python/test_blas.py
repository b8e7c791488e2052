"""`import equiframe` sees to the kernel of OpenBLAS, and says so where it cannot."""
import os
import subprocess
import sys
import unittest

IMPORT = "import equiframe; print(*equiframe.use_fast_blas())"
IMPORT_BESIDE_A_THREAD = """
import threading
end = threading.Event()
threading.Thread(target=end.wait).start()
try:
    import equiframe
    print(*equiframe.use_fast_blas())
finally:
    end.set()
"""
EIGH_AFTER_NAN = """
import torch, equiframe
a = torch.full((300, 300), float("nan"))
a @ a
for n in range(2, 20):
    b = torch.randn(n, n)
    assert torch.linalg.eigh(b + b.T)[0].isfinite().all(), n
print("finite")
"""


def run(code: str, **variables: str) -> subprocess.CompletedProcess:
    """Code in an interpreter of its own, OpenBLAS loaded with the kernel Prescott."""
    environment = {name: value for name, value in os.environ.items()
                   if name != "EQUIFRAME_BLAS_FIX"}
    environment.update(variables, OPENBLAS_CORETYPE="Prescott")
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True,
                          text=True, check=True)


class WrongKernel(unittest.TestCase):
    def setUp(self):
        outcome, before, _, self.expected = run(IMPORT).stdout.rstrip("\n").split(" ")
        if before != "Prescott" or not self.expected:
            self.skipTest("no OpenBLAS here that could run the wrong kernel")
        self.assertEqual(outcome, "users-choice")

    def test_import_repairs_it(self):
        done = run(IMPORT, EQUIFRAME_BLAS_FIX="force")
        self.assertEqual(done.stdout.split(),
                         ["repaired", "Prescott", self.expected, self.expected])
        self.assertEqual(done.stderr, "")
        self.assertEqual(run(EIGH_AFTER_NAN, EQUIFRAME_BLAS_FIX="force").stdout, "finite\n")

    def test_import_warns_where_threads_run(self):
        done = run(IMPORT_BESIDE_A_THREAD, EQUIFRAME_BLAS_FIX="force")
        self.assertEqual(done.stdout.split()[:3], ["too-late", "Prescott", "Prescott"])
        self.assertIn("RuntimeWarning", done.stderr)
        self.assertIn(f"OPENBLAS_CORETYPE={self.expected}", done.stderr)

    def test_the_users_choice_can_be_overruled(self):
        done = run("import equiframe; print(equiframe.use_fast_blas(overrule=True).after)")
        self.assertEqual(done.stdout.strip(), self.expected)


if __name__ == "__main__":
    unittest.main()
