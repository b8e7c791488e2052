#!/usr/bin/env python3
"""Fails on an include that points up the layer diagram of docs/architecture.md, and on a plug-in
with a header: plug-ins are reached by name. Usage: check_layers.py [ROOT]"""
import pathlib
import re
import sys

# Bottom to top; a file may include its own layer and those before it.
LAYERS = ["kernels", "runtime", "core", "geometry", "groups", "frames", "averaging", "testing",
          "models", "data", "cad", "datasets", "report", "training", "script",
          "operators", "audit", "capi", "experiments", "app"]
TORCH_FREE = {"kernels", "runtime"}
PLUG_IN = re.compile(r"^const bool k\w*Registered\b", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def layer_of(path):
    """The layer of a file, or None for those above all layers, such as the umbrella header."""
    parts = path.parts
    if parts[0] == "app":
        return "app"
    folder = parts[2] if parts[0] == "include" else parts[1]
    return folder if folder in LAYERS else None


def faults(root, path):
    layer = layer_of(path)
    text = (root / path).read_text()
    header = path.with_suffix(".h")
    if path.parts[0] == "src" and path.suffix == ".cpp" and PLUG_IN.search(text) and (
            (root / header).exists()
            or (root / "include/equiframe" / header.relative_to("src")).exists()):
        yield f"{path}: a plug-in must not have a header"
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match or layer is None:
            continue
        target = match.group(1)
        where = f"{path}:{number}: {layer} must not include {target}"
        if target == "equiframe/equiframe.h" and layer != "app":
            yield f"{where} (the umbrella is for users)"
        upper = re.match(r"equiframe/(\w+)/", target)
        if upper and upper.group(1) not in LAYERS[:LAYERS.index(layer) + 1]:
            yield f"{where} (order: {' < '.join(LAYERS)})"
        if layer in TORCH_FREE and re.match(r"(torch|ATen|c10)/", target):
            yield f"{where} ({' and '.join(sorted(TORCH_FREE))} are free of LibTorch)"
        if target.startswith(".."):
            yield f"{where} (private headers are reached inside their own layer only)"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = [path.relative_to(root) for folder in ("include/equiframe", "src", "app")
             for path in sorted((root / folder).rglob("*")) if path.suffix in {".h", ".cpp"}]
    found = [fault for path in files for fault in faults(root, path)]
    print("\n".join(found) if found else f"{len(files)} files, no include points up")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
