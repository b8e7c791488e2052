"""Which matrix kernels OpenBLAS runs, and their repair."""
import warnings
from typing import NamedTuple

import torch


class BlasRepair(NamedTuple):
    """What became of OpenBLAS's kernel, e.g. "Prescott" before and "SkylakeX" after.

    outcome: "not-needed", "repaired", "turned-off" (EQUIFRAME_BLAS_FIX=0), "users-choice"
    (OPENBLAS_CORETYPE is set), "too-late" (other threads ran already) or "impossible".
    expected: the right kernel for this processor, "" if that is OpenBLAS's own business.
    """

    outcome: str
    before: str
    after: str
    expected: str


def use_fast_blas(overrule: bool = False) -> BlasRepair:
    """Has OpenBLAS choose the kernel this processor needs; `import equiframe` does it.

    Nothing is switched once other threads run, for they may be inside a product. A kernel that
    OPENBLAS_CORETYPE asks for stays, unless `overrule` says otherwise."""
    return BlasRepair(*torch.ops.equiframe.use_fast_blas(overrule))


def repair_at_import() -> None:
    """Warns where OpenBLAS has the wrong kernel and it cannot be helped."""
    repair = use_fast_blas()
    if repair.outcome not in ("too-late", "impossible"):
        return
    reason = ("because threads ran before; import equiframe first" if repair.outcome == "too-late"
              else "because this OpenBLAS cannot switch")
    warnings.warn(
        f"OpenBLAS runs its {repair.after} kernel where this processor needs {repair.expected}: "
        "products are slow, and after one with NaN torch.linalg.eigh of float32 matrices may fail. "
        f"Equiframe left it alone {reason}, or start Python with "
        f"OPENBLAS_CORETYPE={repair.expected}", RuntimeWarning, stacklevel=3)
