"""Finds libequiframe.so and loads its operators into PyTorch."""
import os
from pathlib import Path
from typing import Iterator, List

import torch

NAME = "libequiframe.so"


def candidates() -> Iterator[Path]:
    """Where the library may be: beside the package, in the build tree, in the installed tree."""
    package = Path(__file__).resolve().parent
    yield package / NAME
    yield package.parents[1] / "build" / NAME
    above = package.parents[2]  # PREFIX/lib, above pythonX.Y/dist-packages
    if above.name == "lib":
        yield above / NAME
        yield from sorted(above.glob(f"*/{NAME}"))


def load() -> None:
    """Loads the first library found; EQUIFRAME_LIBRARY names another one."""
    named = os.environ.get("EQUIFRAME_LIBRARY")
    if named:
        if not Path(named).is_file():
            raise ImportError(f"EQUIFRAME_LIBRARY names '{named}', which is not a file")
        torch.ops.load_library(named)
        return
    looked: List[str] = []
    for path in candidates():
        if path.is_file():
            torch.ops.load_library(str(path))
            return
        looked.append(str(path.parent))
    try:
        torch.ops.load_library(NAME)  # wherever the dynamic linker looks
    except OSError:
        raise ImportError(
            f"{NAME} was not found (looked in {', '.join(dict.fromkeys(looked))}); "
            "run 'make python', or name the file in EQUIFRAME_LIBRARY"
        ) from None
