"""Near-copies of images: the distance of their perceptual hashes."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_whole
from ..exceptions import InputError, InputTypeError
from ..labels.row_values import list_values, number_hashable
from .file_paths import not_readable, read_path
from .pairs import Pairs, PairSearch

N_BITS = 64
_DEFAULT_AT = 4
# With more bits that may differ, blocks are so short that most pairs agree in one.
_MOST_WITH_BLOCKS = 12
# Pairs of hashes that are compared at a time: 32 MB.
_BLOCK = 1 << 22


class ImageSearch(PairSearch):
    """A search for pairs of images whose perceptual hashes differ in few bits.

    Parameters
    ----------
    hashes : sequence of int or None
        (n_rows,) hashes of 64 bits; None where a row has no image.
    at : int
        The number of bits that may differ.
    """

    kind = "images"
    measure = "perceptual hash distance"
    unit = " bits"
    packages = ("imagehash", "pillow")
    is_distance = True

    def __init__(self, hashes: Sequence[int | None], at: int) -> None:
        self.n_rows = len(hashes)
        self.at = at
        self._hash_of_row, different = number_hashable(hashes)
        self.number_of_row = self._hash_of_row
        self._hashes = np.array(different, np.uint64)

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits, others when the perceptual hash of an image changes."""
        is_there = self._hash_of_row >= 0
        whole = hashlib.sha256(f"evenfold images 1, {self.n_rows} rows".encode())
        whole.update(np.packbits(is_there).tobytes())
        whole.update(self._hashes[self._hash_of_row[is_there]].astype("<u8").tobytes())
        return whole.hexdigest()[:32]

    def find_different(self) -> Iterator[Pairs]:
        """Yield the pairs of different hashes."""
        yield from find_near(self._hashes, int(self.at))


def find_near(hashes: NDArray[np.uint64], most: int) -> Iterator[Pairs]:
    """Yield the pairs of different hashes that differ in `most` bits or fewer.

    The bits are cut into `most` + 1 blocks. Of these, two such hashes have at least one in common,
    so only hashes with an equal block are compared.

    Parameters
    ----------
    hashes : ndarray of uint64
        (n_hashes,) different hashes.
    most : int
        The number of bits that may differ.

    Yields
    ------
    Pairs
        Pairs that agree in one block of bits and in no earlier one.
    """
    masks = _cut_bits(most + 1) if most <= _MOST_WITH_BLOCKS else [np.uint64(0)]
    for block, mask in enumerate(masks):
        order = np.argsort(hashes & mask, kind="stable")
        part = hashes[order] & mask
        starts = np.flatnonzero(np.append(True, part[1:] != part[:-1])[: len(part)])
        stops = np.append(starts[1:], len(order))
        for at in np.flatnonzero(stops - starts > 1).tolist():
            yield from _compare(hashes, order[starts[at] : stops[at]], most, masks[:block])


def _cut_bits(n_blocks: int) -> list[np.uint64]:
    """Return a mask for each of some blocks of bits."""
    bounds = [N_BITS * block // n_blocks for block in range(n_blocks + 1)]
    return [np.uint64((1 << stop) - (1 << start)) for start, stop in itertools.pairwise(bounds)]


def _compare(
    hashes: NDArray[np.uint64], members: NDArray[np.int64], most: int, earlier: list[np.uint64]
) -> Iterator[Pairs]:
    """Yield the near pairs of some hashes which agree in none of the earlier blocks."""
    own = hashes[members]
    n_at_once = max(1, _BLOCK // len(members))
    for start in range(0, len(members), n_at_once):
        # Only pairs with later members, but for those within these rows.
        difference = own[start : start + n_at_once, None] ^ own[None, start:]
        row, column = np.nonzero(np.bitwise_count(difference) <= most)
        is_kept = row < column
        row, column = row[is_kept], column[is_kept]
        changed = difference[row, column]
        is_new = np.ones(len(changed), bool)
        for mask in earlier:
            is_new &= (changed & mask) != 0
        row, column, changed = row[is_new] + start, column[is_new] + start, changed[is_new]
        if len(row):
            one, other = members[row], members[column]
            value = np.bitwise_count(changed).astype(np.float64)
            yield Pairs(np.minimum(one, other), np.maximum(one, other), value)


def make_image_search(
    images: Any, at: float | None = None, n_rows: int | None = None
) -> ImageSearch:
    """Make a search for rows whose images look alike.

    Parameters
    ----------
    images : list, array or column
        (n_rows,) paths, or images of Pillow. Rows without one are in no pair.
    at : int, default=None
        How many of the 64 bits may differ; by default 4.
    n_rows : int, default=None
        The number of rows; by default that of the images.

    Returns
    -------
    ImageSearch
        The search.

    Notes
    -----
    The hash is `imagehash.phash`: whether each of the 64 lowest frequencies of the grey image is
    above their median. It survives other sizes, compression and small changes of colour, but not
    crops, turns and mirrors.
    Images of one colour, such as empty scans, have nearly equal hashes: their rows are linked.
    """
    most = _DEFAULT_AT
    if isinstance(images, list) and any(isinstance(image, np.ndarray) for image in images):
        raise InputTypeError(
            "must hold paths or images of Pillow, got arrays. Use PIL.Image.fromarray.",
            parameter="images",
        )
    if at is not None:
        most = check_whole(at, "at", f"Try at={_DEFAULT_AT}.", least=0, most=N_BITS)
    hash_image = _find_hash()
    listed = list_values(images, n_rows, "images")
    # Pillow releases the lock of Python while it decodes, so that threads use all cores.
    with ThreadPoolExecutor() as pool:
        hashes = list(
            pool.map(lambda row: _hash_row(listed[row], row, hash_image), range(len(listed)))
        )
    return ImageSearch(hashes, most)


def _find_hash() -> Callable[[Any], int]:
    try:
        import imagehash
    except ImportError:
        raise InputError(
            "needs the packages imagehash and Pillow. Install them with: "
            "pip install 'evenfold[images]'",
            parameter="images",
        ) from None

    def hash_image(image: Any) -> int:
        bits = imagehash.phash(_scale_to_bytes(image)).hash
        return int.from_bytes(np.packbits(bits).tobytes(), "big")

    return hash_image


def _scale_to_bytes(image: Any) -> Any:
    """Scale the values of an image of 16 bits or more, such as an X-ray, to those of a byte.

    Otherwise Pillow cuts off what is above 255, and all such images look the same.
    """
    from PIL import Image

    if not image.mode.startswith(("I", "F")):
        return image
    values = np.nan_to_num(np.asarray(image, np.float64))
    low, high = values.min(), values.max()
    return Image.fromarray(
        np.round((values - low) * (255 / max(high - low, 1e-9))).astype(np.uint8)
    )


def _hash_row(value: Any, row: int, hash_image: Callable[[Any], int]) -> int | None:
    from PIL import Image, UnidentifiedImageError

    if isinstance(value, Image.Image):
        return hash_image(value)
    path = read_path(value, row, "images")
    if path is None:
        return None
    try:
        with Image.open(path) as image:
            return hash_image(image)
    # Which types Pillow raises for damaged content differs between the formats of images.
    except Exception as error:
        reason = "it is no image" if isinstance(error, UnidentifiedImageError) else error
        raise not_readable(path, row, reason, "images") from None
