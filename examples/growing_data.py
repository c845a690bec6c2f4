"""Data that grows each month: new rows join the split, old rows never move.

Run it in an empty folder: python growing_data.py
"""

import argparse

import evenfold


def main():
    """Split the first month, extend the split twice, and save it each time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3000)
    n_rows = parser.parse_args().rows
    movies = evenfold.datasets.make_movies(n_rows)

    known = n_rows // 2
    s = evenfold.split(movies.genres[:known], parts=[0.8, 0.1, 0.1], groups=movies.director[:known])
    s.save("month_1.json")
    print(f"month 1: {s.sizes.tolist()} rows, rLD {s.quality.rld:.4f}")
    for month, end in ((2, n_rows * 3 // 4), (3, n_rows)):
        old = evenfold.load_split(f"month_{month - 1}.json", movies.genres[:known])
        s = evenfold.extend(old, movies.genres[:end], groups=movies.director[:end])
        if not (s.part_of_row[:known] == old.part_of_row).all():
            raise SystemExit("an old row has moved")
        evenfold.check(s, groups=movies.director[:end])
        s.save(f"month_{month}.json")
        print(f"month {month}: {s.sizes.tolist()} rows, rLD {s.quality.rld:.4f}")
        known = end


if __name__ == "__main__":
    main()
