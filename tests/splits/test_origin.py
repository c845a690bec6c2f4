"""Origin: the call that makes a split again."""

import numpy as np

import evenfold

Y = np.random.default_rng(0).random((240, 9)) < np.geomspace(0.5, 0.01, 9)
GROUPS = np.arange(240) // 4
AGE = np.arange(240) % 83


def test_the_call_makes_the_same_split_again():
    """The call of a split whose only data is labels makes an equal split."""
    for keywords in (
        {"parts": 4},
        {"parts": [0.5, 0.3, 0.2], "random_state": 7, "effort": "fast"},
        {"parts": {"a": 0.5, "b": 0.5}, "order": 2},
        {"parts": 3, "holdout": 0.25, "method": "labelset"},
        {
            "parts": [0.7, 0.3],
            "names": ["mine", "yours"],
            "method": evenfold.methods.Random(tries=3),
        },
    ):
        s = evenfold.split(Y, **keywords)
        call = s.origin.write_call(s.names)
        assert eval(call, {"evenfold": evenfold, "y": Y}) == s


def test_the_call_names_the_data_that_went_in():
    """Groups, balance and start are open places of the call."""
    s = evenfold.split(Y, 2, groups=GROUPS, balance={"age": AGE}, start=GROUPS % 2)
    assert s.origin.write_call(s.names) == (
        "evenfold.split(y, parts=2, groups=…, start=…, balance={'age': …}, "
        "method='even', order='auto', random_state=0)"
    )
    more = evenfold.extend(s, Y)
    assert more.origin.write_call(more.names).startswith("evenfold.extend(s, y_all, method='even'")
