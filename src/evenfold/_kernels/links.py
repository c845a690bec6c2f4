"""link: join units along links, the strongest first."""

from .compiler import kernel, shared


@shared
def _find_root(parent, unit):
    """Return the root of a unit, and shorten the way to it."""
    while parent[unit] != unit:
        parent[unit] = parent[parent[unit]]
        unit = parent[unit]
    return unit


@kernel
def join_units(first, second, most_rows, n_rows_of_root, parent, is_used):
    """Join the units at both ends of each link, unless they would have more than `most_rows`.

    IN: `first` and `second`, (n_links,) units, the strongest link first. INOUT: `n_rows_of_root`,
    (n_units,) rows of the units joined so far, kept at their root; `parent`, (n_units,) of a
    union-find, every unit its own at the start. OUT: `is_used`, (n_links,) 1 where a link joined
    two units. Cost O(n_links · log n_units).
    """
    for link in range(first.shape[0]):
        is_used[link] = 0
        a = _find_root(parent, first[link])
        b = _find_root(parent, second[link])
        if a == b or n_rows_of_root[a] + n_rows_of_root[b] > most_rows:
            continue
        if n_rows_of_root[a] < n_rows_of_root[b] or (
            n_rows_of_root[a] == n_rows_of_root[b] and b < a
        ):
            a, b = b, a
        parent[b] = a
        n_rows_of_root[a] += n_rows_of_root[b]
        is_used[link] = 1
    for unit in range(parent.shape[0]):
        parent[unit] = _find_root(parent, unit)
