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


@kernel
def weigh_pieces(indptr, neighbours, weight, order, work, largest_piece):
    """Find how much weight the largest piece of a connected graph has without each of its nodes.

    IN: the graph as CSR, each edge in both directions and none twice; `weight` (n_nodes,). WORK:
    `order` (n_nodes,) zeros, `work` (6, n_nodes). OUT: `largest_piece` (n_nodes,). Cost
    O(n_edges). A depth-first search from node 0 (Tarjan 1972): a child from whose subtree no edge
    leads above the node is a piece of its own without the node.
    """
    parent, lowest, next_edge, below, cut_off, path = work
    largest_piece[:] = 0
    below[:] = weight
    cut_off[:] = 0
    next_edge[:] = indptr[:-1]
    order[0] = 1
    lowest[0] = 1
    parent[0] = -1
    path[0] = 0
    n_visited = 1
    depth = 1
    while depth > 0:
        node = path[depth - 1]
        if next_edge[node] < indptr[node + 1]:
            other = neighbours[next_edge[node]]
            next_edge[node] += 1
            if order[other] == 0:
                n_visited += 1
                order[other] = n_visited
                lowest[other] = n_visited
                parent[other] = node
                path[depth] = other
                depth += 1
            elif other != parent[node] and order[other] < lowest[node]:
                lowest[node] = order[other]
            continue
        depth -= 1
        above = parent[node]
        if above < 0:
            continue
        below[above] += below[node]
        if lowest[node] < lowest[above]:
            lowest[above] = lowest[node]
        if lowest[node] >= order[above]:
            cut_off[above] += below[node]
            if below[node] > largest_piece[above]:
                largest_piece[above] = below[node]
    for node in range(weight.shape[0]):
        rest = below[0] - weight[node] - cut_off[node]
        if rest > largest_piece[node]:
            largest_piece[node] = rest
