"""Units: what even, iterative and optisplit place."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Units(NamedTuple):
    """Units × criteria as CSR, and the rows of each unit; `amounts` empty: 1 row each.

    One class for all kernels: with a class of this name in each of their files, Numba found the
    types of all arguments again at every call, which took .2 ms.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32] | NDArray[np.uint32]
    amounts: NDArray[np.int64]
    rows_of_unit: NDArray[np.int64]
