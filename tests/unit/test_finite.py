"""Finite pairs: what they accept, what they say when they do not, and values by hand."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction as Fr

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair, finite

COIN = finite(["1/3", "2/3"], ["2/3", "1/3"])


@pytest.mark.parametrize(
    "half", [Fr(1, 2), "1/2", "0.5", " 0.5 ", ".5", "5e-1", "05/10", sp.Rational(1, 2)], ids=repr
)
def test_exact_masses_are_accepted(half):
    assert finite([half, half], [0, 1]).masses == ((Fr(1, 2), Fr(0)), (Fr(1, 2), Fr(1)))


@pytest.mark.parametrize(
    ("P", "Q", "message"),
    [
        ([0.1, 0.9], [0, 1], 'P[0] = 0.1 is a float: write "0.1" or Rational(1, 10)'),
        ([1, 0], [1, sp.Float("0.25")],
         'Q[1] = 0.250000000000000 is a float: write "0.25" or Rational(1, 4)'),
        ([math.nan, 1], [0, 1], "P[0] = nan is not a finite number"),
        ([0, 1], [math.inf, 1], "Q[0] = inf is not a finite number"),
        (["nan", 1], [0, 1], "P[0] = 'nan' is not a number: write it like \"0.1\" or \"1/3\""),
        ([sp.oo, 1], [0, 1],
         'P[0] = oo is not an exact number: use int, Rational or "1/3"'),
        ([sp.sqrt(2), 1], [0, 1],
         'P[0] = sqrt(2) is not an exact number: use int, Rational or "1/3"'),
        ([True], [1], "P[0] = True is not a number"),
        ([None], [1], 'P[0] = None is not an exact number: use int, Rational or "1/3"'),
        (["1/0", 1], [0, 1], "P[0] = '1/0' is not a number: write it like \"0.1\" or \"1/3\""),
        (["__import__('os')"], [1],
         "P[0] = \"__import__('os')\" is not a number: write it like \"0.1\" or \"1/3\""),
        (["-1/2", "3/2"], [0, 1], "P[0] = -1/2 is negative: masses must be >= 0"),
        ([], [], "P is empty: give at least one mass"),
        ([1], [], "Q is empty: give at least one mass"),
        ("1", [1], "P must be a list of masses"),
        (1, [1], "P must be a list of masses"),
        ([1], ["1/2", "1/2"], "P has 1 masses and Q has 2: give both on the same outcomes"),
        (["1/2", "2/5"], [0, 1], "P sums to 9/10, not to 1"),
        ([0, 1], ["1/2", "3/5"], "Q sums to 11/10, not to 1"),
    ],
)
def test_bad_masses_get_one_line(P, Q, message):
    with pytest.raises(InputError) as caught:
        finite(P, Q)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["9" * 10**6, "1e999999999", "1/" + "0" * 10**5, "1e" + "9" * 50])
def test_huge_numbers_are_refused_quickly(text):
    with pytest.raises(InputError) as caught:
        finite([text], [1])
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: COIN.hockey_stick(0), "alpha = 0 must be positive: it stands for e^eps"),
        (lambda: COIN.hockey_stick("-1/2"), "alpha = -1/2 must be positive: it stands for e^eps"),
        (lambda: COIN.hockey_stick(sp.sqrt(2)),
         "alpha = sqrt(2) is not rational: profile(log(sqrt(2))) is exact there too, and "
         "delta(log(sqrt(2))) a number"),
        (lambda: COIN.hockey_stick(sp.exp(sp.Rational(0.1))),
         "alpha = exp(3602879701896397/36028797018963968) is not rational: "
         "profile(eps) is exact there too, and delta(eps) a number"),
        (lambda: COIN.hockey_stick(math.exp(0.1)),
         "alpha = 1.1051709180756477 is a float: of a double eps, delta(Fraction(eps)) is the "
         "certified number, profile(Fraction(eps)) the exact one; of a double alpha, "
         "hockey_stick(Fraction(alpha))"),
        (lambda: COIN.profile(math.exp(0.1)),
         "t = 1.1051709180756477 is a float: Fraction(x) of a float x is the exact number that it "
         "stores"),
        (lambda: COIN.moment(2.5), 'q = 2.5 is a float: write "2.5" or Rational(5, 2)'),
        (lambda: COIN ** -1, "the power of a pair must be an integer >= 0, not -1"),
        (lambda: COIN.post_process([[1]]),
         "the channel has 1 rows for 2 outcomes: give one each"),
        (lambda: COIN.post_process([[1], ["1/2", "1/2"]]),
         "channel[1] has 2 entries and channel[0] has 1"),
        (lambda: COIN.post_process([[1], ["1/2"]]), "channel[1] sums to 1/2, not to 1"),
        (lambda: COIN.post_process([[1], []]),
         "channel[1] is empty: give at least one mass"),
        (lambda: COIN.post_process(3), "the channel must be a list of rows"),
    ],
)
def test_bad_arguments_get_one_line(act, message):
    with pytest.raises(InputError) as caught:
        act()
    assert str(caught.value) == message


def test_large_products_are_held_by_their_factors():
    for whole in (COIN ** 100, COIN ** 10 * COIN ** 10):
        assert not isinstance(whole, FinitePair)
    assert repr(COIN ** 100) == f"{COIN!r}**100"
    tenth = COIN ** 10
    # mixed and written out are one pair
    assert (tenth * COIN ** 4).profile.at(1, 20).contains(0) is False
    assert (tenth * COIN ** 4).delta(1).enclosure.middle == (
        COIN ** 7 * COIN ** 7).delta(1).enclosure.middle


def test_product_with_something_else_is_refused():
    with pytest.raises(InputError, match="copies are written as a power"):
        COIN * 2
    with pytest.raises(TypeError):
        COIN * object()


def test_pairs_are_values():
    same = finite([Fr(1, 3), Fr(2, 3)], [sp.Rational(2, 3), "1/3"])
    assert same == COIN and hash(same) == hash(COIN) and {same: 1}[COIN] == 1
    assert eval(repr(COIN), {"finite": finite}) == COIN
    assert repr(finite([0, 1], ["0.5", "0.5"])) == 'finite([0, 1], ["1/2", "1/2"])'
    assert pickle.loads(pickle.dumps(COIN)) == COIN
    with pytest.raises(AttributeError):
        COIN.masses = ()


def test_values_by_hand():
    leaky = finite(["1/4", "1/2", "1/4", 0], [0, "1/2", "1/4", "1/4"])
    assert leaky.hockey_stick(100) == leaky.mass_at_infinity == Fr(1, 4)
    assert leaky.loss_masses() == ((Fr(1), Fr(3, 4)), (None, Fr(1, 4)))
    assert leaky.merge() == finite([0, "3/4", "1/4"], ["1/4", "3/4", 0])
    assert not leaky.absolutely_continuous and not leaky.reverse_absolutely_continuous
    assert [leaky.moment(q) for q in (-1, 0, 1, 2)] == [sp.oo, 1, 1, sp.oo]
    assert COIN.moment(2) == COIN.moment(-1) == Fr(3, 2)
    assert (COIN ** 2).merge() == finite(["1/9", "4/9", "4/9"], ["4/9", "4/9", "1/9"])
    assert finite([1], [1]) == COIN ** 0
    assert finite([1], [1]) ** 10**9 == finite([1], [1])


def test_outcomes_keep_their_order():
    pair = finite(["2/3", 0, "1/3"], ["1/3", 0, "2/3"])
    assert (Fr(2, 3), 0, Fr(1, 3)) == pair.P
    assert len(pair.merge().masses) == 2
    assert isinstance(pair.reverse(), FinitePair)


def test_orders_and_powers_however_they_are_written() -> None:
    pair = finite(["1/4", "3/4"], ["1/2", "1/2"])
    for two in (2, "2", Fr(2), sp.Integer(2)):
        assert pair.moment(two) == Fr(5, 4)
    for half in ("1/2", Fr(1, 2), sp.Rational(1, 2)):
        assert sp.expand(pair.moment(half) - (sp.sqrt(2) + sp.sqrt(6)) / 4) == 0
    assert pair ** sp.Integer(2) == pair * pair
