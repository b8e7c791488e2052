"""Every example runs from beginning to end, and so does the Python of the guide."""
import contextlib
import io
import os
import pathlib
import re
import runpy
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Examples(unittest.TestCase):
    def test_examples_run(self):
        examples = sorted((ROOT / "python" / "examples").glob("*.py"))
        self.assertTrue(examples)
        for example in examples:
            with self.subTest(example=example.name):
                with contextlib.redirect_stdout(io.StringIO()) as output:
                    runpy.run_path(str(example), run_name="__main__")
                self.assertIn("rotations", output.getvalue())

    def test_guide_runs(self):
        """All blocks in one name space, in the source folder's place for models/."""
        text = (ROOT / "docs" / "guides" / "python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertGreater(len(blocks), 3)
        names: dict = {}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "models", pathlib.Path(folder) / "models")
            os.chdir(folder)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    for block in blocks:
                        exec(compile(block, "python.md", "exec"), names)  # pylint: disable=W0122
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()
