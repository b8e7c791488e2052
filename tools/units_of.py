#!/usr/bin/env python3
"""What clang-tidy has to read to see the files named on standard input: the unit that a source is
compiled in, and for a header a unit that includes it. A file that no unit reads is named, and that
is a failure. Usage: units_of.py compile_commands.json < FILES"""
import json
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
ROOTS = ("include", "src", "app", "bench", "")  # of the paths in includes
ELSEWHERE = ("tests/install/", "tests/kernels_alone/")  # projects of their own


def includes(path):
    """The files of ours that a file includes itself."""
    for name in INCLUDE.findall(path.read_text()):
        for place in (path.parent / name, *(pathlib.Path(root) / name for root in ROOTS)):
            if place.is_file():
                yield place.resolve()
                break


def main():
    here = pathlib.Path.cwd()
    reads, read_by = {}, {}  # unit -> sources; file -> first unit that reads it
    for entry in json.loads(pathlib.Path(sys.argv[1]).read_text()):
        unit = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if unit.is_file():
            reads[unit] = [path for path in includes(unit)] if "Unity" in unit.parts else [unit]
    for unit, sources in reads.items():
        waiting = list(sources)
        while waiting:
            path = waiting.pop()
            if path in read_by and path != unit:
                continue
            read_by.setdefault(path, unit)
            waiting += includes(path)
        for source in sources:  # its own unit, whoever else reads it
            read_by[source] = unit
    wanted, lost = set(), []
    for name in filter(None, sys.stdin.read().split()):
        path = (here / name).resolve()
        if path in read_by:
            wanted.add(str(read_by[path]))
        elif not name.startswith(ELSEWHERE):
            lost.append(name)
    print("\n".join(sorted(wanted)))
    for name in lost:
        print(f"no unit reads {name}", file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
