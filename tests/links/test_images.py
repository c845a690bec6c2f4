"""Near-copies of images: those whose perceptual hashes differ in few bits."""

import itertools
import sys

import imagehash
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import evenfold
from evenfold.exceptions import InputError, InputTypeError
from evenfold.links.images import ImageSearch, make_image_search

from .pair_dicts import collect


def make_image(seed):
    """Return a smooth random image."""
    noise = np.random.default_rng(seed).integers(0, 256, (8, 8, 3), np.uint8)
    return Image.fromarray(noise).resize((96, 80), Image.Resampling.BICUBIC)


def find_slowly(hashes, at):
    """Return the pairs of hashes that differ in few bits."""
    pairs = itertools.combinations(range(len(hashes)), 2)
    distance = {
        (one, other): (hashes[one] ^ hashes[other]).bit_count()
        for one, other in pairs
        if hashes[one] is not None and hashes[other] is not None
    }
    return {pair: bits for pair, bits in distance.items() if bits <= at}


@st.composite
def hash_columns(draw):
    """Return hashes with few and many changed bits, equal ones and missing ones."""
    base = draw(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=4))
    changes = st.lists(st.integers(0, 63), max_size=20)
    hashes = []
    for _ in range(draw(st.integers(0, 12))):
        value = draw(st.sampled_from(base))
        for bit in draw(changes):
            value ^= 1 << bit
        hashes.append(draw(st.sampled_from([value, value, value, None])))
    return hashes


@given(hash_columns(), st.integers(0, 64))
def test_all_near_hashes_are_found(hashes, at):
    """At every threshold, each pair once."""
    assert collect(ImageSearch(hashes, at)) == find_slowly(hashes, at)


@pytest.mark.parametrize("at", [0, 1, 4, 12, 13, 30])
def test_near_hashes_of_many_are_found(at, monkeypatch):
    """More hashes than are compared at a time."""
    monkeypatch.setattr("evenfold.links.images._BLOCK", 100)
    rng = np.random.default_rng(at)
    base = rng.integers(0, 2**62, 40).tolist()
    hashes = [base[number % 40] ^ (1 << int(rng.integers(64))) for number in range(150)]
    assert collect(ImageSearch(hashes, at)) == find_slowly(hashes, at)


def test_images_of_other_sizes_and_formats_are_near(tmp_path):
    """A small JPEG of a PNG is near it, other images are not; a missing path joins nothing."""
    for seed in (0, 1):
        make_image(seed).save(tmp_path / f"{seed}.png")
    make_image(0).resize((48, 40)).save(tmp_path / "small.jpg", quality=80)
    paths = [tmp_path / "0.png", None, str(tmp_path / "1.png"), tmp_path / "small.jpg", ""]
    search = make_image_search(paths, n_rows=5)
    assert list(collect(search)) == [(0, 3)]
    assert search.describe() == "perceptual hash distance of 4 bits or less (exact search)"
    assert (search.at, search.is_distance, search.kind) == (4, True, "images")


def test_distance_is_that_of_imagehash():
    """Images of Pillow are hashed as files are."""
    images = [make_image(seed) for seed in range(4)]
    hashes = [imagehash.phash(image) for image in images]
    expected = {
        (one, other): hashes[one] - hashes[other]
        for one, other in itertools.combinations(range(4), 2)
    }
    assert collect(make_image_search(images, 64)) == expected


def test_fingerprint_names_the_hashes():
    """Another image, order or missing row has another."""
    columns = [[1, 2], [2, 1], [1, 2, None], [1, None, 2], [None, 1, 2], [1, 3]]
    prints = {ImageSearch(hashes, 4).fingerprint for hashes in columns}
    assert len(prints) == 6
    assert ImageSearch([1, 2], 0).fingerprint in prints
    assert {len(name) for name in prints} == {32}


def test_images_that_cannot_be_read_are_refused(tmp_path):
    """Files that are absent, no images or damaged: the error has the path and the row."""
    make_image(0).save(tmp_path / "good.png")
    (tmp_path / "text.png").write_text("no image")
    data = (tmp_path / "good.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(data[: len(data) // 2])
    good = tmp_path / "good.png"
    with pytest.raises(InputError, match=r"'images' must name images .*gone' at row 1: No such"):
        make_image_search([good, tmp_path / "gone"])
    with pytest.raises(InputError, match=r"text\.png' at row 1: it is no image\. Correct the path"):
        make_image_search([good, tmp_path / "text.png"])
    with pytest.raises(InputError, match=r"cut\.png' at row 2: .*truncated"):
        make_image_search([good, good, tmp_path / "cut.png"])
    make_image(0).save(tmp_path / "good.dds")
    data = bytearray((tmp_path / "good.dds").read_bytes())
    data[80:88] = b"\4\0\0\0????"
    (tmp_path / "odd.dds").write_bytes(data)
    with pytest.raises(InputError, match=r"odd\.dds' at row 0: Unimplemented pixel format"):
        make_image_search([tmp_path / "odd.dds"])
    with pytest.raises(InputTypeError, match="'images' must hold paths of files, got 3 at row 0"):
        make_image_search([3])


def test_wrong_thresholds_are_refused():
    """It is a number of bits."""
    with pytest.raises(InputError, match=r"'at' must be from 0 to 64, got 65\. Try at=4\."):
        make_image_search([], at=65)
    with pytest.raises(InputTypeError, match=r"'at' must be a whole number, got 0\.9\. Try at=4\."):
        make_image_search([], at=0.9)
    with pytest.raises(InputError, match="'images' must have one entry for each of the 3 rows"):
        make_image_search(["a"], n_rows=3)


def test_missing_package_is_named(monkeypatch):
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, "imagehash", None)
    with pytest.raises(InputError, match=r"'images' needs .*: pip install 'evenfold\[images\]'"):
        make_image_search([])


@pytest.mark.parametrize("kind", [np.uint16, np.int32, np.float32])
def test_images_of_more_than_eight_bits_differ(kind):
    """Their values are scaled, so that an image of 8 bits and its copy of 16 bits are alike."""
    rng = np.random.default_rng(0)
    bytes_of = [np.kron(rng.integers(0, 256, (8, 8)), np.ones((8, 8))) for _ in range(4)]
    images = [Image.fromarray(values.astype(np.uint8)) for values in bytes_of]
    images += [Image.fromarray((257 * values).astype(kind)) for values in bytes_of]
    links = evenfold.link(images=images)
    assert links.group_of_row.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


def test_arrays_are_refused():
    """Which channel is which is not clear in an array."""
    with pytest.raises(TypeError, match="'images' must hold paths or images of Pillow"):
        evenfold.link(images=[np.zeros((8, 8), np.uint8)] * 2)
