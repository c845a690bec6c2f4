"""AnnData: its tables are read, and the error names them."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import evenfold
from evenfold.exceptions import InputTypeError

from .labels import GROUP, IN_GROUPS, NAMES, Y, check_same

anndata = pytest.importorskip("anndata", reason="anndata is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture
def cells():
    """Return cells with labels in obs and in obsm."""
    names = [f"cell {row}" for row in range(len(Y))]
    obs = pd.DataFrame(Y, columns=NAMES, index=names)
    obs["donor"] = pd.Categorical([f"donor {group}" for group in GROUP])
    for name in NAMES[:2]:
        obs[name] = pd.Categorical(obs[name].astype(str))
    obsm = {"dense": Y, "sparse": sparse.csr_matrix(Y)}
    return anndata.AnnData(np.zeros((len(Y), 2)), obs=obs, obsm=obsm)


def test_the_whole_object_is_refused(cells):
    """The message says which parts of it are tables."""
    message = r"got AnnData of anndata. Pass a table of it, such as adata.obs\[\['a', 'b'\]\] or "
    for arguments in ({"y": cells}, {"y": Y, "groups": cells}):
        with pytest.raises(InputTypeError, match=message):
            evenfold.split(**arguments, parts=3)


def test_tables_of_it_are_read(cells):
    """Also those of a view; 0 and 1 as categories are 0 and 1."""
    for own in (cells, cells[:, :1]):
        for y in (own.obs[NAMES], own.obsm["dense"], own.obsm["sparse"]):
            check_same(evenfold.split(y, 3))
        check_same(evenfold.split(own.obs[NAMES], 3, groups=own.obs["donor"]), IN_GROUPS)
    s = evenfold.split(cells.obs[NAMES], 3)
    cells.obs["part"] = s.to_frame()["part"]
    assert cells.obs["part"].tolist() == [s.names[part] for part in s.part_of_row]
