"""The strategies draw what they promise, refuse what has no meaning, and shrink well."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction as Fr

import pytest
from hypothesis import find, given
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.privacy.finite import finite
from lapdp.testing.strategies import alphas, channels, finite_pairs


@given(st.data(), st.sampled_from([None, "forward", "backward", "both", "neither"]))
def test_pairs_are_as_asked(data, continuity):
    pair = data.draw(finite_pairs(min_size=2, max_size=3, absolutely_continuous=continuity,
                                  max_weight=5))
    assert finite(pair.P, pair.Q) == pair
    assert 2 <= len(pair.masses) <= 3
    assert all(p or q for p, q in pair.masses)
    forward, backward = pair.absolutely_continuous, pair.reverse_absolutely_continuous
    assert {None: True, "forward": forward, "backward": backward, "both": forward and backward,
            "neither": not forward and not backward}[continuity]


@given(channels(3, min_out=2, max_out=3))
def test_channels_are_stochastic(channel):
    assert len(channel) == 3 and 2 <= len(channel[0]) <= 3
    assert all(sum(row) == 1 and min(row) >= 0 for row in channel)


@given(alphas())
def test_alphas_are_positive(alpha):
    assert isinstance(alpha, Fr) and alpha > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: finite_pairs(min_size=0), "min_size=0 must be an integer >= 1"),
        (lambda: finite_pairs(min_size=3, max_size=2), "min_size=3 is larger than max_size=2"),
        (lambda: finite_pairs(max_weight=0), "max_weight=0 must be an integer >= 1"),
        (lambda: finite_pairs(max_size=1.5), "max_size=1.5 must be an integer >= 1"),
        (lambda: finite_pairs(absolutely_continuous="yes"), "absolutely_continuous='yes' must be"),
        (lambda: finite_pairs(absolutely_continuous="neither", max_size=1), "needs max_size >= 2"),
        (lambda: channels(0), "min_in=0 must be an integer >= 1"),
        (lambda: channels(1, min_out=5), "min_out=5 is larger than max_out=4"),
        (lambda: alphas(max_value=0), "max_value=0 must be an integer >= 1"),
    ],
)
def test_bad_arguments_are_invalid(make, message):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert message in str(caught.value)


def test_failures_shrink_to_readable_pairs():
    assert find(finite_pairs(), lambda pair: True) == finite([1], [1])
    assert find(finite_pairs(absolutely_continuous="forward"), lambda pair: pair.P != pair.Q) == (
        finite([0, 1], ["1/2", "1/2"]))
    assert find(finite_pairs(), lambda pair: pair.mass_at_infinity > 0) == finite([0, 1], [1, 0])
    both = find(finite_pairs(absolutely_continuous="both"), lambda pair: pair.P != pair.Q)
    assert both == finite(["1/2", "1/2"], ["1/3", "2/3"])


def test_a_missing_extra_is_one_clear_error():
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import lapdp.testing\n"
        "try:\n    import lapdp.testing.strategies\n"
        "except ModuleNotFoundError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "lapdp.testing.strategies needs hypothesis: pip install \"lapdp[testing]\"\n")
