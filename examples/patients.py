"""Images of patients: csv, split by patient, report, check, and what a moved image does.

Run it in an empty folder: python patients.py
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

import evenfold

PARTS = {"train": 0.7, "val": 0.1, "test": 0.2}


def make_images(n_images):
    """Return made-up images with a patient, an age and columns of findings."""
    y, patient = evenfold.datasets.make_patients(n_images, n_groups=n_images // 3, n_labels=6)
    age = np.random.default_rng(0).integers(18, 90, patient.max() + 1)[patient]
    images = pd.DataFrame({"image": np.arange(n_images), "patient": patient, "age": age})
    return images.join(pd.DataFrame(y.toarray()).add_prefix("finding_"))


def main():
    """Make the images, split them, write everything and check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5000)
    images = make_images(parser.parse_args().rows)
    findings = images.filter(like="finding_")

    s = evenfold.split(
        findings, parts=PARTS, groups={"patient": images["patient"]}, balance={"age": images["age"]}
    )
    print(s)
    images["part"] = s.to_frame()["part"]
    images.to_csv("images.csv", index=False)
    s.save("split.json")
    s.report("split.html")
    print("Written:", ", ".join(sorted(path.name for path in Path().glob("*.*"))))

    # Somebody else reads the files: the labels must be those of the saved split.
    table = pd.read_csv("images.csv")
    evenfold.load_split("split.json", table.filter(like="finding_"))
    print(evenfold.check(table["part"], groups={"patient": table["patient"]}))

    # One image of a patient with several images moves to another part.
    n_images = table.groupby("patient")["image"].transform("size")
    moved = table.index[n_images > 1][0]
    table.loc[moved, "part"] = "test" if table.loc[moved, "part"] == "train" else "train"
    try:
        evenfold.check(table["part"], groups=table["patient"])
    except evenfold.exceptions.LeakError as leak:
        print(f"After image {moved} has moved:", leak)


if __name__ == "__main__":
    main()
