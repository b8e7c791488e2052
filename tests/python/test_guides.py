"""The guides of `wrap` and `audit`, walked as a new user would."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("EQUIFRAME_PROGRAM", "")
GUIDES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guides"


@unittest.skipUnless(PROGRAM, "EQUIFRAME_PROGRAM is not set")
class Guides(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "equiframe").symlink_to(PROGRAM)
        (programs / "python3").symlink_to(sys.executable)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("PYTHON", "EQUIFRAME"))}
        self.environment["PATH"] = f"{programs}:{os.environ['PATH']}"

    def run_shell(self, command: str) -> str:
        result = subprocess.run(["bash", "-euc", command], cwd=self.folder, env=self.environment,
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, command + result.stdout + result.stderr)
        return result.stdout

    def test_wrap(self):
        text = (GUIDES / "wrap.md").read_text()
        blocks = re.findall(r"```(sh|python)\n(.*?)```", text, re.DOTALL)
        self.assertGreater(len(blocks), 2)
        said = ""
        for language, block in blocks:
            if language == "python":
                block = f"python3 -c '{block}'"
            said += self.run_shell(block)
        self.assertIn("wrote wrapped.pt", said)
        self.assertIn("wrote audit.html", said)
        self.assertIn("<svg", (self.folder / "audit.html").read_text())

    def test_audit(self):
        text = (GUIDES / "audit.md").read_text()
        model = re.search(r"as `(\w+\.py)`.*?```python\n(.*?)```", text, re.DOTALL)
        (self.folder / model[1]).write_text(model[2])
        commands = re.findall(r"^    \$ (.*)$", text, re.MULTILINE)
        self.assertEqual(len(commands), 2)
        said = "".join(self.run_shell(command) for command in commands)
        shown = text[text.index("      symmetry  "):text.index("Take the bias out")]
        for line in (line.strip() for line in shown.splitlines()):
            if line.startswith(("fault:", "The error", "Set bias", "rotation", "reflection")):
                self.assertIn(line, said)  # what the guide shows is what comes
        (self.folder / model[1]).write_text(model[2].replace(" + self.bias", ""))
        said = "".join(self.run_shell(command) for command in commands)
        self.assertTrue(said.endswith("no findings\n"), said)


if __name__ == "__main__":
    unittest.main()
