"""Writing the parts of a file."""

import numpy as np


def write_parts(file, folder, part_of_row, n_parts=2):
    """Write the parts of a file into a folder and return their paths."""
    targets = [folder / f"part{part}" for part in range(n_parts)]
    file.write_parts(targets, np.array(part_of_row, np.int32))
    return targets
