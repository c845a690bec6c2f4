"""Tensors, such as those of torch, as NumPy arrays; torch is not imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..exceptions import InputTypeError

# What tensors have and arrays have not.
_METHODS = ("detach", "cpu", "element_size", "is_floating_point")


def is_tensor(value: Any) -> bool:
    """Tell whether a value is a tensor of torch, or of a class made from it."""
    return all(hasattr(value, method) for method in _METHODS)


def to_array(value: Any, parameter: str) -> Any:
    """Return a tensor as an array, and all else as it is.

    Parameters
    ----------
    value : Any
        A tensor of any type of numbers, on any device, with or without a gradient; or anything
        else.
    parameter : str
        The name of the argument, for errors.

    Returns
    -------
    Any
        The numbers of the tensor as an ndarray; the value itself if it is no tensor.

    Raises
    ------
    InputTypeError
        If the tensor is sparse, or has no numbers.
    """
    if not is_tensor(value):
        return value
    try:
        plain = value.detach().cpu()
        # NumPy has no bfloat16, nor floats of 8 bits.
        if plain.is_floating_point() and plain.element_size() < 4:
            plain = plain.float()
        return plain.numpy()
    except (TypeError, RuntimeError) as error:
        first_line = str(error).partition("\n")[0].rstrip(".")
        raise InputTypeError(
            f"must be a tensor that NumPy can read, got a {type(value).__name__} that it cannot: "
            f"{first_line}. Make it dense with .to_dense(), or pass an array.",
            parameter=parameter,
        ) from error


def unpack_tensors(values: Sequence[Any]) -> Sequence[Any]:
    """Return a sequence with numbers, or lists of numbers, in place of tensors, if it has some."""
    if not any(map(is_tensor, values[:1])):
        return values
    return [value.tolist() if is_tensor(value) else value for value in values]
