"""Equiframe for PyTorch: networks that are exactly equivariant, by frame averaging.

    model = equiframe.FrameAverage(backbone, group="SE3", frame="pca",
                                   inputs="point + vector", outputs="vector")

All mathematics is done by the C++ library, through operators in `torch.ops.equiframe`.
"""
from . import _library

_library.load()

from .blas import BlasRepair, repair_at_import, use_fast_blas  # noqa: E402

repair_at_import()

from . import frames  # noqa: E402  (the operators must be there first)
from .checking import Check, Errors, check  # noqa: E402
from .clouds import Normals, normals  # noqa: E402
from .frame_average import FrameAverage  # noqa: E402
from .frames import FrameSet  # noqa: E402
from .loading import LoadedModel, load, load_wrapped  # noqa: E402

__all__ = ["BlasRepair", "Check", "Errors", "FrameAverage", "FrameSet", "LoadedModel", "Normals",
           "check", "frames", "load", "load_wrapped", "normals", "use_fast_blas"]
