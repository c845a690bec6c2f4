"""Tensors of torch, of every type of numbers, with and without a gradient."""

import re

import numpy as np
import pytest

import evenfold
from evenfold.exceptions import InputTypeError
from evenfold.model_selection import MultilabelStratifiedKFold, train_test_split

from .labels import EXPECTED, GROUP, IN_GROUPS, Y, check_same

torch = pytest.importorskip("torch", reason="torch is not installed")
pytestmark = pytest.mark.slow

FLOATS = ["float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float32", "float64"]
KINDS = ["bool", "uint8", "int8", "int16", "int32", "int64", *FLOATS]
DEVICES = [
    "cpu",
    pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA")),
]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_every_type_give_the_same_split(kind, device):
    """As a matrix, as a view of one, and as a list of rows."""
    tensor = torch.tensor(Y).to(getattr(torch, kind)).to(device)
    for given in (tensor, tensor.T.contiguous().T, list(tensor)):
        check_same(evenfold.split(given, 3))
    if kind in FLOATS and "8" not in kind:
        check_same(evenfold.split(tensor.requires_grad_(), 3))
        check_same(evenfold.split(list(tensor), 3))


def test_other_arguments_may_be_tensors():
    """Groups, balanced numbers, embeddings, and the parts of a split that exists."""
    group = torch.tensor(GROUP)
    for given in (group, group.to(torch.bfloat16), list(group), {"patient": group}):
        check_same(evenfold.split(Y, 3, groups=given), IN_GROUPS)
    amount = torch.linspace(0, 1, 60).to(torch.bfloat16).requires_grad_()
    expected = evenfold.split(Y, 3, balance={"age": amount.detach().float().numpy()})
    check_same(evenfold.split(Y, 3, balance={"age": amount}), expected)
    part_of_row = torch.tensor(EXPECTED.part_of_row)
    assert evenfold.measure(Y, part_of_row).rld == EXPECTED.quality.rld
    points = torch.eye(30).repeat_interleave(2, dim=0).to(torch.bfloat16).requires_grad_()
    assert evenfold.link(similar=points).n_groups == 30


def test_scikit_learns_tools_take_tensors():
    """Splitters, and arrays that are cut into parts of their own type."""
    x, y = torch.arange(120.0).reshape(60, 2), torch.tensor(Y).to(torch.bfloat16)
    folds = MultilabelStratifiedKFold(3).split(x, y)
    assert np.array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(60))
    pieces = train_test_split(x, y, test_size=0.25)
    assert [tuple(piece.shape) for piece in pieces] == [(45, 2), (15, 2), (45, 4), (15, 4)]
    assert all(isinstance(piece, torch.Tensor) for piece in pieces)


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta state")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda y: y.to_sparse(), "can't convert Sparse layout tensor to numpy"),
        (lambda y: y.to_sparse_csr(), "can't convert SparseCsr layout tensor to numpy"),
        (lambda y: y.to("meta"), "Cannot copy out of meta tensor; no data!"),
    ],
)
def test_a_tensor_that_cannot_be_read_is_refused(change, reason):
    """The message has the reason."""
    message = f"'y' must be a tensor that NumPy can read, got a Tensor that it cannot: {reason}"
    with pytest.raises(InputTypeError, match=re.escape(message)):
        evenfold.split(change(torch.tensor(Y)), 3)
