"""Tensors of any type are read as arrays. A stand-in is used: torch is not needed for tests."""

import re

import numpy as np
import pytest

import evenfold
from evenfold.exceptions import InputTypeError
from evenfold.labels import from_classes, make_labels
from evenfold.metrics import coverage, hamming_loss

Y = (np.random.default_rng(2).random((30, 4)) < 0.4).astype(np.int64)


class Tensor:
    """Numbers that NumPy gets only as torch allows it."""

    def __init__(self, array, kind="int64", device="cpu", needs_gradient=False, layout="dense"):
        self.array, self.kind, self.device = np.asarray(array), kind, device
        self.needs_gradient, self.layout = needs_gradient, layout
        self.shape = self.array.shape

    def __len__(self):
        return len(self.array)

    def __getitem__(self, at):
        return Tensor(self.array[at], self.kind, self.device, self.needs_gradient, self.layout)

    def __iter__(self):
        return (self[at] for at in range(len(self)))

    def __array__(self, dtype=None, copy=None):
        return self.numpy()

    def detach(self):
        """Return the same numbers without a gradient."""
        return Tensor(self.array, self.kind, self.device, False, self.layout)

    def cpu(self):
        """Return the same numbers in memory."""
        if self.device == "meta":
            raise NotImplementedError("Cannot copy out of meta tensor; no data!")
        return Tensor(self.array, self.kind, "cpu", self.needs_gradient, self.layout)

    def is_floating_point(self):
        """Tell whether the numbers have fractions."""
        return "float" in self.kind

    def element_size(self):
        """Return how many bytes a number has."""
        return {"bfloat16": 2, "float8": 1, "float16": 2, "bool": 1}.get(self.kind, 8)

    def float(self):
        """Return numbers of 32 bits."""
        return Tensor(self.array, "float32", self.device, self.needs_gradient, self.layout)

    def tolist(self):
        """Return Python numbers, which torch allows for every tensor."""
        kind = float if "float" in self.kind else bool if self.kind == "bool" else int
        return self.array.astype(kind).tolist()

    def numpy(self):
        """Return the array, if torch would."""
        if self.needs_gradient:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.device != "cpu" or self.layout != "dense":
            raise TypeError(f"can't convert {self.layout} tensor on {self.device} to numpy.\nMore")
        if self.kind in ("bfloat16", "float8"):
            raise TypeError(f"Got unsupported ScalarType {self.kind}")
        return self.array.astype(self.kind)


KINDS = ["bool", "int64", "float16", "bfloat16", "float8", "float64"]


@pytest.mark.parametrize("needs_gradient", [False, True])
@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_every_type_and_device_are_read(kind, device, needs_gradient):
    """As a matrix, as a list of rows, and as the classes of rows."""
    tensor = Tensor(Y, kind, device, needs_gradient)
    for given in (tensor, list(tensor), tuple(tensor)):
        labels = make_labels(given)
        assert np.array_equal(labels.to_csr().toarray(), Y)
    for one in (tensor[:, 0], list(tensor[:, 0])):
        assert from_classes(one).count_of_label.tolist() == np.bincount(Y[:, 0]).tolist()
    assert from_classes(tensor).n_labels == 8


@pytest.mark.parametrize("kind", ["bfloat16", "float64"])
def test_other_arguments_may_be_tensors(kind):
    """Groups, balanced numbers, parts, embeddings, copies and scores are those of the array."""

    def wrap(array):
        return Tensor(array, kind, "cuda", needs_gradient=True)

    group, amount = np.arange(30) // 2, np.arange(60.0).reshape(30, 2)
    s = evenfold.split(Y, 3, groups=group, balance=amount)
    for groups in (wrap(group), list(wrap(group)), wrap(np.column_stack((group, group)))):
        again = evenfold.split(Y, 3, groups=groups, balance=wrap(amount))
        assert np.array_equal(again.part_of_row, s.part_of_row)
    named = evenfold.split(Y, 3, balance={"size": amount[:, 0]})
    for column in (wrap(amount[:, 0]), list(wrap(amount[:, 0]))):
        again = evenfold.split(Y, 3, balance={"size": column})
        assert np.array_equal(again.part_of_row, named.part_of_row)
    assert evenfold.measure(Y, wrap(s.part_of_row)).rld == evenfold.measure(Y, s.part_of_row).rld
    points = np.repeat(np.random.default_rng(0).normal(size=(15, 4)), 2, axis=0)
    for source in ("similar", "copies"):
        found = evenfold.link(**{source: wrap(points)}).group_of_row
        assert np.array_equal(found, evenfold.link(**{source: points}).group_of_row)
    assert hamming_loss(wrap(Y), Y) == 0
    scores = np.arange(120.0).reshape(30, 4)
    assert coverage(Y, wrap(scores)) == coverage(Y, scores)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"layout": "sparse"}, "can't convert sparse tensor on cpu to numpy"),
        ({"device": "meta"}, "Cannot copy out of meta tensor; no data!"),
    ],
)
def test_a_tensor_that_cannot_be_read_is_refused(options, reason):
    """The message has the reason and the name of the argument."""
    message = (
        f"must be a tensor that NumPy can read, got a Tensor that it cannot: {reason}. "
        "Make it dense with .to_dense(), or pass an array."
    )
    with pytest.raises(InputTypeError, match=re.escape(f"'y' {message}")):
        evenfold.split(Tensor(Y, **options), 3)
    with pytest.raises(InputTypeError, match=re.escape(f"'groups' {message}")):
        evenfold.split(Y, 3, groups=Tensor(Y[:, 0], **options))
