#!/usr/bin/env python3
"""Fails where a file is written by other means than write_file_atomically (io/bytes/atomic_file.h),
which alone keeps the old file when the disk is full. Usage: check_outputs.py [ROOT]"""
import pathlib
import re
import sys

FOLDERS = ("include", "src", "app", "bench", "examples")
# C++ streams and C files, descriptors that create or cut a file, and LibTorch's own writers.
WRITES = re.compile(r"\b(ofstream|fstream(?=\s+\w+\s*[({])|fopen|freopen|creat\s*\(|O_CREAT|O_TRUNC"
                    r"|torch::save|module(?:\(\))?\.save\((?!archive))")
# Each with its reason.
ALLOWED = {
    "src/io/bytes/atomic_file.cpp": "the writer itself",
    "src/io/bytes/cache.cpp": "a lock",
    "src/training/engine/run_folder.cpp": "a lock, and journals that grow line by line",
    "app/child_pool.cpp": "logs of other processes",
}
PROC = re.compile(r'"/proc/')  # settings of the kernel, no files


def code(text):
    """The text without comments; strings stay, line numbers too."""
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found.group().count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def faults(root, path):
    if path.as_posix() in ALLOWED:
        return
    for number, line in enumerate(code((root / path).read_text()).splitlines(), 1):
        match = WRITES.search(line)
        if match and not line.lstrip().startswith("#include") and not PROC.search(line):
            yield f"{path}:{number}: '{match.group()}': write files by write_file_atomically"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = [path.relative_to(root) for folder in FOLDERS
             for path in sorted((root / folder).rglob("*")) if path.suffix in {".h", ".cpp", ".c"}]
    found = [fault for path in files for fault in faults(root, path)]
    print("\n".join(found) if found else f"{len(files)} files, all outputs are atomic")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
