"""A split of six rows that is small enough to measure by hand."""

# Labels a b c; parts of 4 and 2 rows.
Y = [
    [1, 1, 1],  # part 0
    [1, 0, 1],  # part 0
    [0, 1, 1],  # part 0
    [0, 0, 1],  # part 0
    [1, 0, 1],  # part 1
    [0, 0, 1],  # part 1
]
PART = [0, 0, 0, 0, 1, 1]
