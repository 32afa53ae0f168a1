"""Every mechanism: the laws of pairs, and its definition once more by sums and quadrature."""

from __future__ import annotations

import dataclasses
import inspect
from itertools import pairwise

import pytest
import sympy as sp
from mpmath import mp

import lapdp
from lapdp import cli
from lapdp.core.errors import InputError
from lapdp.privacy import OPERATIONS, catalogue
from lapdp.privacy.mechanisms import CARDS
from lapdp.privacy.pair import Pair

LN2, LN3 = sp.log(2), sp.log(3)
POINTS = [-3, -1, -LN2, sp.Rational(-1, 3), 0, sp.Rational(1, 5), LN2, 1, 2, 4]
EVERY = [(card, pair) for card in CARDS.values() for pair in card.pairs() if not pair.free_symbols]


def examples(name):
    """The announced examples of one mechanism, with numbers for parameters."""
    return [pair for card, pair in EVERY if card.name == name]


@pytest.mark.parametrize("name", CARDS)
def test_cards(name):
    card = CARDS[name]
    assert card.name == name and getattr(lapdp, name) is card.make and name in dir(lapdp)
    assert card.pairs() and all(card.pairs())
    words = (card.says, card.source, card.direction, card.dominating, card.pitfall)
    assert all(w and not w.endswith(" ") and "  " not in w for w in words)
    assert (name in catalogue()) == card.in_formulas


def test_public_names_come_with_a_star_and_explain_themselves():
    names: dict[str, object] = {}
    exec("from lapdp import *", names)
    assert set(CARDS) < set(lapdp.__all__) <= {*names} and set(lapdp.__all__) <= {*dir(lapdp)}
    for name in lapdp.__all__:
        assert ">>> " in inspect.getdoc(names[name]), f"{name} has no example"


@pytest.mark.parametrize("mistake", [
    lambda: lapdp.crossings(lapdp.laplace(1), lapdp.gaussian(1), digits=0),
    lambda: lapdp.crossings(lapdp.laplace(1), lapdp.gaussian(1), digits="a"),
    lambda: lapdp.least(3, under=lapdp.laplace(1)),
    lambda: lapdp.decompose(3, 2, 0), lambda: lapdp.decompose(lapdp.laplace(1), 3, 0),
    lambda: lapdp.outcomes(3), lambda: lapdp.outcomes({"a": 1}),
    lambda: lapdp.outcomes({"a": (1, 1, 1)}), lambda: lapdp.laplace(1).tradeoff.at_most(3)])
def test_mistakes_are_told_in_one_line(mistake):
    with pytest.raises(InputError) as told:
        mistake()
    assert "\n" not in str(told.value)


def test_the_command_shows_the_cards(capsys):
    assert cli.main(["mechanisms"]) == 0
    listed = capsys.readouterr().out
    words = " ".join(listed.split())
    assert all(card.call in words and card.says in words for card in CARDS.values())
    assert max(map(len, listed.splitlines())) <= 80
    assert cli.main(["mechanisms", "laplace"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    card = CARDS["laplace"]
    assert "has the same profile" in told and card.direction in told and card.source in told
    assert cli.main(["mechanisms", "lapalce"]) == 2
    assert "'lapalce' is no mechanism: did you mean laplace?" in capsys.readouterr().err


def test_the_command_tells_of_what_makes_mechanisms_of_others(capsys):
    for name in OPERATIONS:
        assert cli.main(["mechanisms", name]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"{name}(") and "``" not in told and ":class:" not in told
    assert cli.main(["mechanisms", "subset", "--quiet"]) == 0
    assert capsys.readouterr().out == "subset(pair, size, population, neighbours)\n"
    assert cli.main(["mechanisms", "poison"]) == 2
    assert "did you mean poisson?" in capsys.readouterr().err


@pytest.mark.parametrize(("card", "pair"), EVERY, ids=repr)
def test_laws(card, pair):
    """Total mass, limits, reversal (7) and convexity in alpha."""
    assert pair.moment(0) == pair.moment(1) == 1
    backward = pair.reverse()
    values = []
    with mp.workdps(50):
        for eps in POINTS:
            here, there = pair.profile(eps), backward.profile(-eps)
            gap = sp.N(there - (1 - sp.exp(-eps) + sp.exp(-eps) * here), 45)
            assert abs(gap) < 1e-40
            if card.symmetric:
                assert abs(sp.N(backward.profile(eps) - here, 45)) < 1e-40
            values.append((sp.N(sp.exp(eps), 45), sp.N(here, 45)))
    for (a, f), (b, g), (c, h) in zip(values, values[1:], values[2:], strict=False):
        assert g <= f + 1e-40 and h <= g + 1e-40
        assert (b - a) * h + (c - b) * f - (c - a) * g > -1e-40
    assert all(max(0, 1 - a) - f < 1e-40 for a, f in values)


@pytest.mark.parametrize("pair", [
    p for p in examples("geometric") if p.eps > sp.Rational(1, 4)], ids=repr)
def test_geometric_by_summation(pair):
    n = pair.sensitivity
    with mp.workdps(40):
        r = mp.exp(-mp.mpf(sp.N(pair.eps, 40)))
        def mass(x):
            return (1 - r) / (1 + r) * r ** abs(x)

        for eps in POINTS:
            alpha = mp.exp(mp.mpf(sp.N(eps, 40)))
            direct = mp.fsum(max(0, mass(x) - alpha * mass(x - n)) for x in range(-400, 400))
            assert abs(direct - mp.mpf(sp.N(pair.profile(eps), 40))) < mp.mpf(10) ** -30


@pytest.mark.parametrize("pair", [
    p for p in examples("staircase") if p.eps > sp.Rational(1, 2)], ids=repr)
def test_staircase_by_its_density(pair):
    with mp.workdps(30):
        e, g = (mp.mpf(sp.N(x, 30)) for x in (pair.eps, pair.gamma))
        height = (1 - mp.exp(-e)) / (2 * (g + mp.exp(-e) * (1 - g)))
        def density(x):
            whole = mp.floor(abs(x))
            return height * mp.exp(-e * (whole if abs(x) - whole < g else whole + 1))

        cuts = sorted({k + s * g for k in range(-60, 62) for s in (-1, 0, 1)})
        for eps in POINTS:
            alpha = mp.exp(mp.mpf(sp.N(eps, 30)))
            direct = mp.fsum((b - a) * max(0, density((a + b) / 2) - alpha * density(
                (a + b) / 2 - 1)) for a, b in pairwise(cuts))
            tail = mp.mpf(10) ** -15  # what lies beyond 60 units weighs less
            assert abs(direct - mp.mpf(sp.N(pair.profile(eps), 30))) < tail


@pytest.mark.parametrize("pair", examples("truncated_laplace"), ids=repr)
def test_truncated_laplace_by_quadrature(pair):
    with mp.workdps(30):
        s, b, d = (mp.mpf(sp.N(x, 30)) for x in (pair.scale, pair.bound, pair.sensitivity))
        norm = 2 * s * (1 - mp.exp(-b / s))
        def density(x):
            return mp.exp(-abs(x) / s) / norm if abs(x) <= b else mp.mpf(0)

        for eps in POINTS:
            e = mp.mpf(sp.N(eps, 30))
            cuts = sorted({-b, d - b, mp.mpf(0), d, b, *(
                x for x in [(d - e * s) / 2] if -b < x < b)})
            # open ends: at a cut the two densities may jump
            direct = mp.fsum(mp.quad(lambda x, e=e: max(
                mp.mpf(0), density(x) - mp.exp(e) * density(x - d)), [low, high])
                for low, high in pairwise(cuts))
            assert abs(direct - mp.mpf(sp.N(pair.profile(eps), 30))) < mp.mpf(10) ** -20


def test_the_optimal_staircase_in_symbols():
    eps = sp.Symbol("eps", positive=True)
    value = lapdp.staircase(eps).profile(0)
    for e in (sp.Rational(1, 2), 1, 3):
        assert abs(sp.N(value.subs(eps, e) - lapdp.staircase(e).profile(0), 40)) < 1e-30


def test_geometric_at_unit_distance_is_randomized_response():
    eps, t = sp.Symbol("eps", positive=True), sp.Symbol("t", real=True)
    one, two = lapdp.geometric(eps), lapdp.randomized_response(eps)
    assert sp.simplify(one.profile(0) - two.profile(0)) == 0
    for e in (LN2, 1):
        for x in POINTS:
            gap = one.profile(t).subs(eps, e).subs(t, x) - two.profile(t).subs(eps, e).subs(t, x)
            assert abs(sp.N(gap, 40)) < 1e-35


@pytest.mark.parametrize(("make", "arguments", "words"), [
    (lapdp.geometric, (0,), "positive"), (lapdp.geometric, (1, 0), "whole number"),
    (lapdp.geometric, (1, "1/2"), "whole number"), (lapdp.geometric, (1, 20000), "whole number"),
    (lapdp.geometric, (0.5,), "0.5"), (lapdp.staircase, (-1,), "positive"),
    (lapdp.staircase, (1, 2), "between 0 and 1"), (lapdp.staircase, (1, sp.Symbol("g")), "gamma"),
    (lapdp.truncated_laplace, (1, "1/2"), "at least the sensitivity"),
    (lapdp.truncated_laplace, (0, 1), "positive"),
    (lapdp.truncated_laplace, (1, 1, -1), "positive"),
])
def test_bad_parameters(make, arguments, words):
    with pytest.raises(InputError, match=words):
        make(*arguments)


def test_parameters_are_exchanged_at_once() -> None:
    s, r, x = sp.Symbol("s", positive=True), sp.Symbol("r", positive=True), sp.Symbol("x")

    def shifted(a, b):
        """Exponential laws of rates a and 2 a from b on."""
        return lapdp.densities(a * sp.exp(a * (b - x)), 2 * a * sp.exp(2 * a * (b - x)), x,
                               (b, sp.oo))

    def mixed(a, b):
        return lapdp.overlapping_mixtures(lapdp.laplace(1), a, b)

    for make in (lapdp.laplace, lapdp.gaussian, lapdp.exponential, mixed, shifted):
        assert make(s, r).substitute({s: r, r: s}) == make(r, s)
    # the first weight is the larger one
    assert mixed(s, r).substitute({s: sp.Rational(1, 4), r: sp.Rational(1, 2)}) is None


@pytest.mark.parametrize("name", CARDS)
def test_no_parameter_hides_a_method_of_pairs(name):
    """randomized_response(1).delta(eps) must be the number, not the parameter."""
    for pair in CARDS[name].pairs():
        own = {f.name for f in dataclasses.fields(pair)}
        assert not own & {x for x in dir(Pair) if not x.startswith("_")}
