"""How many digits a number has where none are asked for."""

import json
from fractions import Fraction

import pytest

from lapdp import approximate_dp, gaussian, laplace, poisson, staircase
from lapdp.accounting.answers import Answer
from lapdp.accounting.delta import USUAL, to_digits
from lapdp.accounting.queries import Query
from lapdp.balls.decimals import Enclosure
from lapdp.cli import main
from lapdp.core.effort import spend
from lapdp.core.errors import InputError, TooManyDigits, Unsupported

MANY_ATOMS = 'poisson(staircase(3), 1/250, direction="remove")**1000000000'
"""Three atoms on no lattice, so often that doubles reach fewer than 15 digits."""


def test_all_of_them_where_they_are_reached():
    assert gaussian(1).delta(1).enclosure.digits >= USUAL[0]
    assert (laplace(1) ** 10).epsilon("1e-5").enclosure.digits >= USUAL[0]


def test_fewer_where_no_more_are_reached():
    """As many as if they were asked for: no digit is claimed that is not proved."""
    pair = poisson(staircase(3), "1/250", direction="remove") ** 10**9
    with pytest.raises(TooManyDigits, match=r"is not reached to 1\d digits"):
        pair.epsilon("1e-2", digits=15)
    found = pair.epsilon("1e-2").enclosure
    asked = pair.epsilon("1e-2", digits=10).enclosure
    assert found.compare(asked) is None and found.digits == asked.digits
    assert 10 <= found.digits < 15
    # the delta of the ends of that enclosure lies on either side
    assert pair.delta(found.lower - Fraction(1, 10), digits=5).enclosure.lower > Fraction(1, 100)
    assert pair.delta(found.upper + Fraction(1, 10), digits=5).enclosure.upper < Fraction(1, 100)


def test_what_is_refused_for_another_reason_is_asked_once():
    asked = []

    def never(digits, tried):
        asked.append(digits)
        raise Unsupported("outside the class")

    with pytest.raises(Unsupported):
        to_digits(never, None)
    assert asked == [15]


def test_what_is_refused_to_more_digits_leaves_the_fewest():
    """A search whose sides stay open is no refusal of digits."""
    def open_side(digits, tried):
        if digits <= 5:
            return Answer(Enclosure(Fraction(1), Fraction(1, 10**6)), "few", 0.0)
        raise (TooManyDigits if tried.quickly else Unsupported)("open")

    assert to_digits(open_side, None).method == "few"


def test_the_last_refusal_is_told():
    def never(digits, tried):
        raise TooManyDigits(f"not to {digits} digits")

    with pytest.raises(TooManyDigits, match="not to 3 digits"):
        to_digits(never, None)
    with pytest.raises(TooManyDigits, match="not to 12 digits"):
        to_digits(never, 12)
    with pytest.raises(InputError):
        to_digits(never, 0)


def test_fewer_digits_come_before_what_takes_long():
    """A sum over a million terms, and all digits, where nothing else answers."""
    asked = []

    def long(digits, tried):
        asked.append((digits, tried.quickly))
        raise TooManyDigits("no")

    with pytest.raises(TooManyDigits):
        to_digits(long, None)
    assert asked == [(15, True), (3, False)]
    pair = poisson(approximate_dp("0.3", "1e-6"), "0.05", direction="add") ** 10**7
    soon, exact = pair.delta(1272), pair.delta(1272, digits=15)
    assert exact.method == "sum over counts" != soon.method
    assert soon.enclosure.compare(exact.enclosure) is None
    assert 5 <= soon.enclosure.digits < 15 <= exact.enclosure.digits


@pytest.mark.parametrize(("steps", "digits"), [(10, 10), (250_000, 5), (500_000, 3)])
def test_more_digits_come_where_all_together_take_few_steps(steps, digits):
    def steady(digits, tried):
        if tried.quickly:
            raise TooManyDigits("no")
        spend(steps)
        return Answer(Enclosure(Fraction(1), Fraction(1, 10**digits)), "steady", 0.0)

    assert to_digits(steady, None).enclosure.radius == Fraction(1, 10**digits)


def test_few_digits_that_are_refused_leave_the_fewest():
    def coarse(digits, tried):
        if digits > 3:
            raise TooManyDigits("no")
        return Answer(Enclosure(Fraction(1), Fraction(1, 10**digits)), "coarse", 0.0)

    assert to_digits(coarse, None).method == "coarse"


def test_a_query_says_digits_only_where_they_are_asked_for():
    text = f"epsilon({MANY_ATOMS}, 1e-2)"
    assert Query.of(text).digits is None
    assert Query.of(text[:-1] + ", 10)").digits == 10
    assert str(Query.of("delta(laplace(1), 1, digits=15)")) == "delta(laplace(1), 1, digits=15)"
    assert str(Query.of("delta(laplace(1), 1)")) == "delta(laplace(1), 1)"


def test_the_command_tells_what_was_reached(capsys):
    assert main(["epsilon", MANY_ATOMS, "--delta", "1e-2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["query"]["digits"] == 10
    assert main(["delta", "gaussian(1)", "--eps", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["query"]["digits"] == 15
