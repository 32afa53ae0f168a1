"""The strategies draw what they promise, refuse what has no meaning, and shrink well."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction as Fr
from pathlib import Path

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.privacy.finite import finite
from lapdp.testing import strategies
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


CONTINUITY = [None, "forward", "backward", "both", "neither"]


@given(st.data(), st.sampled_from(CONTINUITY), st.sampled_from([None, True, False]),
       st.integers(1, 5), st.integers(0, 3), st.integers(1, 12),
       st.sampled_from([None, None, 2, "3/2", Fr(10)]))
def test_all_options_hold_together(data, continuity, symmetric, least, more, weight, base):
    least = max(least, {"neither": 2}.get(continuity, 1) + (symmetric is False))
    pair = data.draw(finite_pairs(
        min_size=least, max_size=least + more, absolutely_continuous=continuity,
        symmetric=symmetric, lattice=base, max_weight=max(weight, 2)))
    assert finite(pair.P, pair.Q) == pair
    assert least <= len(pair.masses) <= least + more
    assert all(p or q for p, q in pair.masses)
    forward, backward = pair.absolutely_continuous, pair.reverse_absolutely_continuous
    assert {None: True, "forward": forward, "backward": backward, "both": forward and backward,
            "neither": not forward and not backward}[continuity]
    assert symmetric is None or symmetric == (pair.merge() == pair.reverse().merge())
    if base is not None:
        powers = {Fr(base) ** n for n in range(-9, 10)}
        assert powers.issuperset(pair.breakpoints())


@pytest.mark.parametrize("kind", [
    {}, {"lattice": 2}, {"symmetric": True}, {"max_size": 8}, {"lattice": 3, "symmetric": True}])
def test_no_kind_of_pair_is_rare(kind):
    seen = Counter()

    @settings(max_examples=1000, database=None, derandomize=True)
    @given(finite_pairs(**kind))
    def collect(pair):
        seen.update(kinds(pair))

    collect()
    wanted = {"mutual", "P alone", "Q alone", "both alone", "equal", "one outcome", "disjoint",
              "symmetric", "asymmetric", "loss 0", "lattice", "no lattice", "one ratio twice"}
    if kind.get("symmetric"):
        wanted -= {"asymmetric", "P alone", "Q alone"}
    if "lattice" in kind:
        wanted -= {"no lattice", "disjoint"}
    assert {name for name in wanted if seen[name] >= 5} == wanted, seen


def kinds(pair):
    """Words for what a pair is an example of."""
    alone = pair.mass_at_infinity > 0, pair.reverse().mass_at_infinity > 0
    yield {(0, 0): "mutual", (1, 0): "P alone", (0, 1): "Q alone", (1, 1): "both alone"}[alone]
    yield "symmetric" if pair.merge() == pair.reverse().merge() else "asymmetric"
    ratios = [ratio for ratio in pair.breakpoints() if ratio != 1]
    if len(ratios) > 1:
        yield "lattice" if on_one_lattice(ratios) else "no lattice"
    for name, holds in {
        "equal": pair.P == pair.Q,
        "one outcome": len(pair.masses) == 1,
        "disjoint": not pair.breakpoints(),
        "loss 0": pair.P != pair.Q and Fr(1) in pair.breakpoints(),
        "one ratio twice": len(pair.breakpoints()) < sum(1 for p, q in pair.masses if p and q),
    }.items():
        if holds:
            yield name


def on_one_lattice(ratios):
    """Are all logs rational multiples of the first?  Powers up to 6 are enough for small masses."""
    first = ratios[0]
    return all(any(ratio**m == first**n for m in range(1, 7) for n in range(-6, 7) if n)
               for ratio in ratios)


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
        (lambda: finite_pairs(symmetric=1), "symmetric=1 must be one of"),
        (lambda: finite_pairs(symmetric=False, max_size=1), "symmetric=False needs max_size >= 2"),
        (lambda: finite_pairs(symmetric=False, absolutely_continuous="neither", max_size=2),
         "symmetric=False needs max_size >= 3"),
        (lambda: finite_pairs(symmetric=False, absolutely_continuous="both", max_weight=1),
         "symmetric=False needs max_weight >= 2"),
        (lambda: finite_pairs(lattice=1), "lattice=1 must be above 1"),
        (lambda: finite_pairs(lattice=0.5), "is a float"),
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
    # the order of two outcomes is left to the search, which depends on the modules that are loaded
    leaking = find(finite_pairs(), lambda pair: pair.mass_at_infinity > 0)
    assert sorted(leaking.masses) == [(0, 1), (1, 0)]
    both = find(finite_pairs(absolutely_continuous="both"), lambda pair: pair.P != pair.Q)
    assert both == finite(["1/2", "1/2"], ["1/3", "2/3"])


def test_hypothesis_prints_what_was_drawn_as_it_is_typed():
    @settings(database=None, derandomize=True)
    @given(finite_pairs(), finite_pairs().map(lambda pair: pair.loss))
    def fails(pair, loss):
        assert pair.absolutely_continuous

    with pytest.raises(AssertionError) as caught:
        fails()
    told = "\n".join(caught.value.__notes__)
    assert "pair=finite([" in told and "loss=finite([1], [1]).loss" in told
    assert repr(finite_pairs(max_size=3)) == "finite_pairs(max_size=3)"
    assert repr(channels(2, max_out=3)) == "channels(2, max_out=3)"
    assert repr(strategies.mechanisms(families=iter(["laplace"]))) == (
        "mechanisms(families=('laplace',))")


def test_zeros_and_large_weights_go_together():
    seen = set()

    @settings(max_examples=200, database=None, derandomize=True)
    @given(finite_pairs(max_weight=10**9))
    def collect(pair):
        seen.update(kinds(pair))

    collect()
    assert {"P alone", "Q alone", "both alone", "mutual"} <= seen


def test_the_table_of_the_documents_has_all_strategies():
    text = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
    rows = text.split("| strategy | draws |\n")[1].split("\n\n")[0].splitlines()[1:]
    calls = [call for row in rows for call in re.findall(r"`(.+?)`", row.split("|")[1])]
    names = {name: getattr(strategies, name) for name in strategies.__all__}
    for call in calls:
        drawn = eval(call, dict(names))
        assert isinstance(drawn, st.SearchStrategy), call
        drawn.validate()
    assert {call.split("(")[0] for call in calls} == {*names} - {"families", "RenyiCurve"}


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
