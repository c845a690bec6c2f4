"""Average precision and ROC AUC of ranked lists of cells, for many samples of the rows at once."""

from .compiler import kernel


@kernel
def measure_samples(starts, row, is_true, ends_tie, counts, n_drawn, areas, work, values):
    """Compute the average precision of each list in each sample, or the area under its ROC curve.

    A list is `row[starts[i]:starts[i + 1]]`, by decreasing score. Each cell counts as often as the
    sample has its row, `counts` (n_rows, n_samples). Row -1 stands for all false cells that are not
    in the list; `n_drawn` (n_samples,) is the length of a list with them.

    OUT: `values` (n_lists, n_samples), NaN where undefined. INOUT: `work` (5, n_samples), any
    numbers. All counts are whole numbers in float64, so they are exact up to 2 ** 53.
    Cost O(n_cells · n_samples).
    """
    # Rows of `work`: true and false cells so far, true cells of the tie, false cells before the
    # tie, cells not in the list. `values` has the sum over true cells until the list ends.
    n_samples = counts.shape[1]
    for place in range(starts.shape[0] - 1):
        for sample in range(n_samples):
            work[0, sample] = 0.0
            work[1, sample] = 0.0
            work[2, sample] = 0.0
            values[place, sample] = 0.0
        begins_tie = True
        has_true = False
        is_single = True
        for cell in range(starts[place], starts[place + 1]):
            if begins_tie:
                is_single = ends_tie[cell]
                if areas and not is_single:
                    for sample in range(n_samples):
                        work[3, sample] = work[1, sample]
            own = row[cell]
            if is_true[cell]:
                has_true = True
                for sample in range(n_samples):
                    work[2, sample] += counts[own, sample]
            elif own >= 0:
                for sample in range(n_samples):
                    work[1, sample] += counts[own, sample]
            else:
                for sample in range(n_samples):
                    work[4, sample] = n_drawn[sample]
                for listed in range(starts[place], starts[place + 1]):
                    other = row[listed]
                    if other >= 0:
                        for sample in range(n_samples):
                            work[4, sample] -= counts[other, sample]
                for sample in range(n_samples):
                    work[1, sample] += work[4, sample]
            begins_tie = ends_tie[cell]
            if begins_tie and has_true:
                has_true = False
                if areas and is_single:
                    for sample in range(n_samples):
                        values[place, sample] += 2.0 * work[2, sample] * work[1, sample]
                        work[0, sample] += work[2, sample]
                        work[2, sample] = 0.0
                elif areas:
                    for sample in range(n_samples):
                        n_before = work[3, sample] + work[1, sample]
                        values[place, sample] += work[2, sample] * n_before
                        work[0, sample] += work[2, sample]
                        work[2, sample] = 0.0
                else:
                    for sample in range(n_samples):
                        n_true = work[0, sample] + work[2, sample]
                        # Where nothing is drawn yet, 0 / 1.
                        n_ranked = max(1.0, n_true + work[1, sample])
                        values[place, sample] += work[2, sample] * (n_true / n_ranked)
                        work[0, sample] = n_true
                        work[2, sample] = 0.0
        for sample in range(n_samples):
            n_true = work[0, sample]
            if areas:
                # `values` has twice the number of pairs in the wrong order.
                n_pairs = 2.0 * n_true * work[1, sample]
                defined = n_pairs > 0.0
                total = n_pairs - values[place, sample]
                values[place, sample] = total / n_pairs if defined else float("nan")
            else:
                defined = n_true > 0.0
                values[place, sample] = values[place, sample] / n_true if defined else float("nan")
