"""Every reader of evenfold, the seeds it is fuzzed with, and the commands that read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from . import fuzz_seeds as seeds


class Seed(NamedTuple):
    """Valid files, which of them are changed, and what reads them.

    Attributes
    ----------
    write : callable
        Writes the files into a folder.
    changed : str
        A pattern of the files of which one is changed.
    commands : tuple of str
        Commands, run beside the folder, which is called `in`.
    may_change : str
        The beginning of paths in the folder that a command may write to.
    """

    write: Callable[[Path], object]
    changed: str
    commands: tuple[str, ...]
    may_change: str = "-"


_SPLIT = "split {data} --folds 2 --method random -o out --indices rows.json"
_TABLE = (
    "info {data} --labels genres --groups patient",
    "info {data} --labels genres --json",
    f"{_SPLIT} --labels genres",
    f"{_SPLIT} --labels genres --groups patient --balance age --manifest split.json",
    "split {data} --labels genres --parts a=30,b=10 --method iterative -o out{suffix} --column new",
    "split {data} --labels genres --folds 3 -o out.parquet --method random --column new",
    "audit {data} --labels genres --part-column patient",
    "link {data} --copies id,genres -o out{suffix}",
    "sample {data} --labels genres -n 9 -o out{suffix}",
)
_PARTED = (
    *_TABLE,
    "check {data} --labels genres --part-column part --id id",
    "extend {data} --labels genres --part-column part --method random -o out{suffix}",
    "audit {data} --part-column part --report out.json",
)
_FLAGS = (
    "info {data} --labels comedy:war",
    "info {data}",
    "split {data} --labels comedy:war --folds 2 --method random -o out.csv --column new",
    "check {data} --labels comedy:war --part-column part --text text",
    "link {data} --text text --similar emb_* --at text=0.9,similar=0.999 -o out.csv",
    "link {data} --files file -o out.csv",
    "split {data} --labels comedy:war --folds 2 --difficulty --features emb_* -o out",
)
_OWN_LABELS = (
    "info {data}",
    _SPLIT,
    f"{_SPLIT} --manifest split.json",
    "info {data} --json",
    "sample {data} -n 9 -o out{suffix}",
)
_IMAGES = (*_OWN_LABELS[:4], f"{_SPLIT} --amounts", f"{_SPLIT} --balance box_area")
_FEATURES = (*_OWN_LABELS, f"{_SPLIT} --difficulty")
_NPZ = (*_FEATURES, "link {data} --copies id -o out.npz", "check {data} --part-column part")


def _seed(write: Callable[[Path], object], data: str, commands: tuple[str, ...]) -> Seed:
    """Return a seed of data in one file, or all files of a folder."""
    suffix = "".join(Path(data.partition("::")[0]).suffixes)
    filled = tuple(command.format(data=f"in/{data}", suffix=suffix) for command in commands)
    return Seed(write, f"{data.partition('::')[0]}{'' if suffix else '/**/*'}", filled)


def _made(name: str, commands: tuple[str, ...] = _TABLE) -> Seed:
    return _seed(seeds.write_made(name), name, commands)


READERS: dict[str, tuple[Seed, ...]] = {
    "csv": (
        _made("data.csv"),
        _seed(seeds.write_flags_csv, "data.csv", _FLAGS),
        _seed(seeds.write_lists_csv, "data.csv", _PARTED),
        _seed(
            seeds.write_long_csv,
            "data.csv",
            ("info {data} --long item,label", f"{_SPLIT} --long item,label"),
        ),
    ),
    "tsv": (_made("data.tsv"),),
    "compressed csv, tsv, jsonl": tuple(
        _made(f"data.{name}") for name in ("csv.gz", "csv.zst", "tsv.gz", "jsonl.gz", "jsonl.zst")
    ),
    "jsonl": (_made("data.jsonl"), _seed(seeds.write_parted_jsonl, "data.jsonl", _PARTED)),
    "json records": (_made("records.json"),),
    "parquet": (
        _made("data.parquet"),
        _seed(seeds.write_odd_parquet(0, compression="zstd"), "data.parquet", _PARTED),
        _seed(seeds.write_odd_parquet(1, version="1.0"), "data.parquet", _PARTED),
        _seed(seeds.write_odd_parquet(2, use_dictionary=False), "data.parquet", _PARTED),
        _seed(seeds.write_odd_parquet(5, data_page_version="2.0"), "data.parquet", _PARTED),
        _seed(seeds.write_odd_parquet(9, store_schema=False), "data.parquet", _PARTED),
    ),
    "parquet folders": (_made("parquet_folder", (*_TABLE[:4], "info {data}/*.parquet")),),
    "feather and arrow": (
        _made("data.feather"),
        *(
            _seed(
                seeds.write_odd_arrow(at, stream=at % 2 == 0, codec="lz4" if at % 3 else None),
                "data.arrow",
                _PARTED,
            )
            for at in range(12)
        ),
    ),
    "arff": (
        _made("data.arff", _OWN_LABELS),
        _seed(seeds.write_meka_arff, "data.arff", _OWN_LABELS),
    ),
    "Mulan xml": (_made("data.arff", _OWN_LABELS)._replace(changed="data.xml"),),
    "svmlight": (
        _made("data.svm", _OWN_LABELS),
        _seed(seeds.write_svmlight_with_comments, "data.svm", _FEATURES),
    ),
    "extreme classification": (_seed(seeds.write_extreme, "data.txt", _FEATURES),),
    "npz": (
        _made("data.npz", _OWN_LABELS),
        _seed(seeds.write_named_npz, "data.npz", _NPZ),
        _seed(seeds.write_sparse_npz, "data.npz", _OWN_LABELS),
    ),
    "coco": (_made("data.json", _IMAGES), _seed(seeds.write_boxed_coco, "data.json", _IMAGES)),
    "labelstudio": (
        _seed(seeds.write_studio, "data.json", _IMAGES),
        _seed(seeds.write_studio_min, "data.json", _IMAGES),
    ),
    "yolo": (
        _seed(seeds.write_yolo, "data", _IMAGES)._replace(changed="data/labels/*.txt"),
        _seed(seeds.write_yolo, "data", (*_IMAGES, "check {data}"))._replace(changed="data/*.*"),
    ),
    "class folders": (
        _seed(seeds.write_classes, "data", (*_IMAGES[:4], "link {data} --files path -o out.csv")),
    ),
    "images": (
        _seed(seeds.write_pictures, "data.csv", ("link {data} --images file -o out.csv",))._replace(
            changed="*.png"
        ),
    ),
    "xlsx": (_made("data.xlsx"),),
    "sqlite": (
        _made("data.sqlite"),
        _seed(seeds.write_odd_sqlite, "data.db::v", ("info {data} --labels genres", _SPLIT)),
        _seed(seeds.write_odd_sqlite, 'data.db::a "b', (_TABLE[1], _TABLE[4], *_PARTED[-3:])),
    ),
    "duckdb": (_made("data.duckdb", _TABLE[1:4]),),
    "Hugging Face datasets": (
        _made("hf_folder", _TABLE[:4]),
        _seed(seeds.write_saved_dict, "data", (_TABLE[1], _SPLIT, "check {data}")),
        _seed(seeds.write_saved_dict, "data", (_TABLE[1], _SPLIT, "audit {data}"))._replace(
            changed="data/**/*.json"
        ),
    ),
    "manifests": (
        Seed(
            seeds.write_manifest,
            "split.json",
            (
                "check in/data.csv --from-manifest in/split.json",
                "check in/data.csv --labels genres --from-manifest in/split.json --report out.json",
                "extend in/data.csv --from-manifest in/split.json --new in/new.csv -o out.csv",
            ),
        ),
        Seed(
            seeds.write_plain_manifest,
            "split.json",
            ("check in/data.jsonl --from-manifest in/split.json",),
        ),
    ),
    "manifests past memory": (
        Seed(
            seeds.write_scaled,
            "out/_manifest.json",
            ("check in/out", "extend in/out --new in/1.parquet"),
            "out",
        ),
    ),
    "parquet past memory": (
        Seed(
            seeds.write_scaled,
            "0.parquet",
            (
                "split in/*.parquet --labels genres --parts train=0.7,test=0.3 --memory 1KB -o out",
                "split in/0.parquet --labels genres --parts train=0.7,test=0.3 --memory 1KB -o out "
                "--fixed fixed",
                "split in/0.parquet --labels genres --folds 2 --engine sync --memory 1KB -o out "
                "--groups patient --balance age",
            ),
        ),
    ),
    "caches of evaluate": (
        Seed(
            seeds.write_cache,
            "cache/*.npz",
            (seeds.EVALUATE.replace("data.csv", "in/data.csv") + " --cache in/cache",),
            "cache",
        ),
    ),
    "hierarchies": tuple(
        Seed(
            seeds.write_hierarchies,
            name,
            (
                f"info in/data.jsonl --labels genres --propagate in/{name}",
                f"split in/data.jsonl --labels genres --propagate in/{name} --folds 2 -o out",
            ),
        )
        for name in ("h.csv", "h.tsv", "h.obo")
    ),
    "pairs": tuple(
        Seed(
            seeds.write_pairs,
            name,
            (
                f"link in/data.csv --pairs in/{name} -o out.csv",
                f"link in/data.csv --pairs in/{name} --id id --at 0.6 -o out.csv",
            ),
        )
        for name in ("p.csv", "p.m8", "p.tsv", "p.parquet", "p.npy")
    ),
    "embeddings": tuple(
        Seed(
            seeds.write_embeddings,
            name,
            (
                f"link in/data.csv --similar in/{name} -o out.csv",
                f"link in/data.csv --similar in/{name} --metric euclidean --at 1 -o out.csv",
            ),
        )
        for name in ("e.npy", "e.npz", "s.npz", "e.parquet", "e.csv")
    ),
    "features": (
        Seed(
            seeds.write_embeddings,
            "e.npz",
            (
                "split in/data.csv --labels genres --folds 2 --difficulty --features in/e.npz "
                "-o out",
            ),
        ),
    ),
    "journals": (
        Seed(
            seeds.write_journal,
            "box/.*.json",
            ("split in/data.csv --labels genres --folds 2 --method random -o in/box/out.csv",),
            "box",
        ),
    ),
}
