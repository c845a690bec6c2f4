"""Label files of YOLO against a slow reader."""

import numpy as np
import pytest

from evenfold.files.vision import yolo_lines


def read_slowly(content, label_of_class):
    """Return label and area of each line, one word after the other."""
    found = []
    for line in content.decode().splitlines():
        numbers = [float(word) for word in line.split()]
        if len(numbers) == 5:
            found.append((label_of_class[int(numbers[0])], numbers[3] * numbers[4]))
        elif numbers:
            xs, ys = numbers[1::2], numbers[2::2]
            area = (max(xs) - min(xs)) * (max(ys) - min(ys))
            found.append((label_of_class[int(numbers[0])], area))
    return found


def make_line(rng):
    """Return a box or a polygon."""
    n_numbers = int(rng.choice([4, 6, 8, 30]))
    return " ".join([str(rng.choice([0, 3, 8])), *(f"{own:.4f}" for own in rng.random(n_numbers))])


@pytest.mark.parametrize("seed", range(3))
def test_boxes_are_those_of_a_slow_reader(tmp_path, monkeypatch, seed):
    """However many files are read at a time, and however many bytes."""
    rng = np.random.default_rng(seed)
    for name, value in (("_FILES_AT_ONCE", 7), ("_FILES_OF_THREAD", 2), ("_BYTES_AT_ONCE", 64)):
        monkeypatch.setattr(yolo_lines, name, value)
    label_of_class = {0: 0, 3: 1, 8: 2}
    paths, expected = [], []
    for at in range(20):
        lines = [make_line(rng) for _ in range(rng.integers(0, 5))]
        content = str(rng.choice(["\n", "\r\n", "\n\n"])).join(lines).encode()
        (tmp_path / f"{at}.txt").write_bytes(content)
        paths.append(str(tmp_path / f"{at}.txt"))
        expected += [(at, *own) for own in read_slowly(content, label_of_class)]
    boxes = yolo_lines.read_label_files(paths, label_of_class, None)
    assert [(row, label) for row, label, _ in expected] == list(
        zip(boxes.row.tolist(), boxes.label.tolist(), strict=True)
    )
    assert np.allclose(boxes.area, [area for *_, area in expected])
    assert (boxes.weight == 1).all()


def test_no_files_have_no_boxes(tmp_path):
    """Nor have empty ones."""
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf\n")
    for paths in ([], [str(tmp_path / "a.txt")]):
        assert len(yolo_lines.read_label_files(paths, {0: 0}, None).row) == 0
