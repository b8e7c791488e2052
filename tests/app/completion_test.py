#!/usr/bin/env python3
"""completion_test.py PROGRAM ROOT: completions/ is up to date, and what bash offers with it."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, ROOT = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()

# What readline would do: the words so far, and the function that `complete` names.
ASK = """
source "$1"; shift
[[ $(complete -p equiframe) == "complete -F _equiframe equiframe" ]] || exit 3
compopt() { :; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_equiframe
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Completion(unittest.TestCase):
    def offered(self, *words, cwd=None):
        answer = subprocess.run(
            ["bash", "-uc", ASK, "bash", ROOT / "completions/equiframe.bash", "equiframe", *words],
            capture_output=True, text=True, check=True, cwd=cwd)
        self.assertEqual(answer.stderr, "")
        return sorted(answer.stdout.split())

    def test_is_what_the_program_has(self):
        made = subprocess.run([sys.executable, ROOT / "tools/make_completion.py", PROGRAM,
                               ROOT / "completions", "--check"], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)

    def test_commands_of_each_level(self):
        self.assertIn("reproduce", self.offered(""))
        self.assertEqual(self.offered("reproduce", "n"), ["nbody", "normals"])

    def test_options_of_the_command(self):
        self.assertEqual(self.offered("data", "cad", "--ex"), ["--export"])
        self.assertEqual(self.offered("data", "nbody", "--ex"), [])

    def test_choices_after_an_option(self):
        self.assertEqual(self.offered("normals", "a.ply", "--orient", "v"), ["viewpoint"])
        self.assertEqual(self.offered("normals", "a.ply", "--orient", "=", "v"), ["viewpoint"])
        self.assertEqual(self.offered("data", "cad", "--seed", ""), [])

    def test_choices_depend_on_the_command(self):
        self.assertEqual(self.offered("reproduce", "nbody", "--budget", "h"), ["hour"])
        self.assertEqual(self.offered("reproduce", "separation", "--budget", "h"), [])

    def test_files_and_folders(self):
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / "run").mkdir()
            (pathlib.Path(name) / "run.toml").touch()
            self.assertEqual(self.offered("train", "r", cwd=name), ["run", "run.toml"])
            self.assertEqual(self.offered("data", "cad", "--out", "r", cwd=name), ["run"])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_reads_its_file(self):
        subprocess.run(["zsh", "-n", ROOT / "completions/_equiframe"], check=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
