"""Order: what is kept even besides single labels."""

from __future__ import annotations

from typing import Any, Literal

from ..exceptions import InputError

Order = Literal["auto", 1, 2]


def check_order(order: Any) -> Order:
    """Return the order if it is one."""
    if isinstance(order, bool) or order not in ("auto", 1, 2):
        raise InputError(
            f"must be 1, 2 or 'auto', got {order!r}. Leave it out for what suits the method.",
            parameter="order",
        )
    return order  # type: ignore[no-any-return]
