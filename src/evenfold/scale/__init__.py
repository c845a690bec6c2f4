"""Data past memory or past one machine: the same even splits, partition by partition."""

from .extend_split import extend
from .make_split import split
from .scaled_split import ScaledSplit, load

__all__ = ["ScaledSplit", "extend", "load", "split"]
