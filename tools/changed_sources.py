#!/usr/bin/env python3
"""The C++ files that differ from a commit, committed or not, one a line; those that were only moved
are counted on stderr instead: nothing but includes, namespaces and blank lines differs in them.
Usage: changed_sources.py COMMIT"""
import re
import subprocess
import sys

FOLDERS = ("include/", "src/", "app/", "tests/", "bench/", "examples/")
OF_PLACE = re.compile(r"[+-]\s*(#\s*(include|pragma)\b.*|(\}\s*)?(// )?namespace\b.*|\}\s*// namespace.*|)$")
START = re.compile(r"diff --git a/\S+ b/(\S+)")


def git(*words):
    return subprocess.run(("git", *words), check=True, capture_output=True, text=True).stdout


def main():
    changed, moved, name = {}, set(), None
    for line in git("diff", "--find-renames=50%", "-l0", "--unified=0", "--diff-filter=d",
                    sys.argv[1]).splitlines():
        start = START.match(line)
        if start:
            name = start.group(1)
            changed[name] = False
        elif name and re.match(r"new file mode", line):
            changed[name] = True
        elif name and line[:1] in "+-" and not re.match(r"(\+\+\+|---) ", line):
            changed[name] = changed[name] or not OF_PLACE.match(line)
    for name in git("ls-files", "--others", "--exclude-standard").splitlines():
        changed[name] = True
    sources = [name for name in sorted(changed)
               if name.startswith(FOLDERS) and name.endswith((".cpp", ".h"))]
    moved = [name for name in sources if not changed[name]]
    print("\n".join(name for name in sources if changed[name]))
    if moved:
        print(f"{len(moved)} files were only moved", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
