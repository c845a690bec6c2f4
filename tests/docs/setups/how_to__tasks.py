"""Made data of the shapes that the tasks have."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import evenfold

FINDINGS = ["Atelectasis", "Cardiomegaly", "Effusion", "Infiltration", "Mass", "Pneumothorax"]
SHARES = [0.1, 0.02, 0.12, 0.18, 0.05, 0.01]


def prepare(folder, command):
    """Write all of it."""
    make_chest_images(folder)
    make_proteins(folder)
    make_frames(folder)
    make_shards(folder)
    assert command("demo -o movies.csv").code == 0


def make_chest_images(folder):
    """Write a table with a line for each image, several for each patient, as in ChestX-ray14."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(300), rng.integers(1, 6, 300))
    n_rows = len(patient)
    held = rng.random((n_rows, len(FINDINGS))) < np.array(SHARES)
    frame = pd.DataFrame(
        {
            "Image Index": [f"{own:08d}_{at:03d}.png" for at, own in enumerate(patient)],
            "Follow-up #": np.arange(n_rows) - np.searchsorted(patient, patient),
            "Patient ID": patient,
            "Patient Age": rng.integers(20, 90, n_rows),
            "Patient Gender": rng.choice(["F", "M"], n_rows),
            **{name: held[:, at].astype(int) for at, name in enumerate(FINDINGS)},
            "No Finding": (~held.any(axis=1)).astype(int),
        }
    )
    frame.to_csv(folder / "chest.csv", index=False)


def make_proteins(folder):
    """Write an ontology, a line for each protein and term, and clusters of similar proteins."""
    rng = np.random.default_rng(1)
    parent = [None, *(int(rng.integers(0, at)) for at in range(1, 80))]
    stanzas = [
        f"[Term]\nid: GO:{at:07d}\nname: term {at}\n"
        + ("" if up is None else f"is_a: GO:{up:07d} ! term {up}\n")
        for at, up in enumerate(parent)
    ]
    (folder / "go.obo").write_text("format-version: 1.2\n\n" + "\n".join(stanzas))
    lines = ["protein\tterm\tcluster"]
    for protein in range(400):
        for term in rng.choice(80, rng.integers(1, 5), replace=False):
            lines.append(f"P{protein:05d}\tGO:{term:07d}\tc{protein // 3}")
    (folder / "annotations.tsv").write_text("\n".join(lines) + "\n")


def make_frames(folder):
    """Write COCO annotations of the frames of thirty videos."""
    rng = np.random.default_rng(2)
    images = [
        {
            "id": at,
            "file_name": f"video{at // 10:02d}/frame{at % 10}.jpg",
            "width": 640,
            "height": 480,
        }
        for at in range(300)
    ]
    annotations = [
        {
            "id": 10 * at + box,
            "image_id": at,
            "category_id": int(rng.integers(1, 6)),
            "area": 900,
            "bbox": [box, box, 30, 30],
            "iscrowd": 0,
        }
        for at in range(300)
        for box in range(int(rng.integers(0, 4)))
    ]
    names = ["person", "car", "dog", "bicycle", "bus"]
    categories = [{"id": at, "name": name} for at, name in enumerate(names, 1)]
    record = {"images": images, "annotations": annotations, "categories": categories}
    (folder / "instances.json").write_text(json.dumps(record))


def make_shards(folder):
    """Write fifty parquet files with lists of labels, and three that come later."""
    rng = np.random.default_rng(3)
    for name, numbers in (("shards", range(50)), ("later", range(50, 53))):
        (folder / name).mkdir()
        for at in numbers:
            movies = evenfold.datasets.make_movies(60, random_state=at)
            table = pa.table(
                {
                    "id": np.arange(60) + 60 * at,
                    "labels": pa.array(movies.genres, pa.list_(pa.string())),
                    "score": rng.random(60),
                }
            )
            pq.write_table(table, folder / name / f"part-{at:03d}.parquet")
