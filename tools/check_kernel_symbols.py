#!/usr/bin/env python3
"""Fails if an object compiled for one instruction set defines a symbol that other objects can see,
but for the table of its family, or runs code when the program starts. The linker keeps one copy of a
function for the whole program; if it keeps the one for AVX-512, other processors end in an illegal
instruction. Usage: check_kernel_symbols.py OBJECT..."""
import pathlib
import re
import subprocess
import sys

TABLE = re.compile(r"equiframe::kernels::simd::Table<.*>::kCompiled<.*>")
# A pointer that exceptions need, of the same value in every object.
HARMLESS = re.compile(r"DW\.ref\.\w+")
AT_START = re.compile(r"_GLOBAL__sub_I_.*|__static_initialization_and_destruction_0.*")


def symbols(path):
    """Type and name of each symbol that the object defines."""
    listing = subprocess.run(["nm", "--demangle", "--defined-only", path], check=True,
                             capture_output=True, text=True).stdout
    for line in listing.splitlines():
        _, kind, name = line.split(maxsplit=2)
        yield kind, name


def faults(path):
    tables = 0
    for kind, name in symbols(path):
        seen_by_others = kind.isupper() or kind in "uvw"
        if AT_START.fullmatch(name):
            yield f"runs when the program starts: {name}"
        elif seen_by_others and TABLE.fullmatch(name):
            tables += 1
        elif seen_by_others and not HARMLESS.fullmatch(name):
            yield f"shares {name}"
    if tables != 1:
        yield f"defines {tables} tables (EQUIFRAME_KERNELS, src/simd/table.h) instead of one"


def main():
    paths = [pathlib.Path(argument) for argument in sys.argv[1:]]
    if not paths:
        sys.exit("check_kernel_symbols.py: no objects to look at")
    found = [f"{path.name}: {fault}" for path in paths for fault in faults(path)]
    print("\n".join(found) if found else f"{len(paths)} objects share their tables only")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
