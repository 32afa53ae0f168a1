"""Pairs given by their privacy loss: what is accepted, what is refused, and what they answer."""

from __future__ import annotations

from itertools import pairwise

import pytest
import sympy as sp
from mpmath import mp

from lapdp import exponential, finite, laplace, law, randomized_response, truncated_laplace
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.mechanisms.law import CARD, Law

z = sp.Symbol("z", real=True)
c, w = sp.Symbol("c", positive=True), sp.Symbol("w", real=True)
LN2, LN3 = sp.log(2), sp.log(3)
HALF = sp.Rational(1, 2)


def between(expression, low, high):
    return sp.Piecewise((0, z < low), (expression, z < high), (0, True))


@pytest.mark.parametrize("pair", CARD.pairs(), ids=repr)
def test_it_prints_as_it_is_typed(pair):
    words = {**vars(sp), "law": law, "z": z, "c": c, "w": w}
    assert eval(repr(pair), words) == pair


def test_the_loss_of_a_mechanism_gives_it_back():
    for pair in (laplace(1), laplace(1) ** 2, exponential(1, 2), randomized_response(1, "1/10"),
                 truncated_laplace(1, 2), finite(["1/2", "1/2", 0], ["1/4", 0, "3/4"])):
        loss = pair.loss
        same = law(loss.atoms, loss.density(z), loss.mass_at_infinity)
        written = law(density=loss.generalized_density(z),
                      mass_at_infinity=loss.mass_at_infinity)
        for eps in (-2, -LN2, 0, sp.Rational(1, 3), 1, 5):
            for one in (same, written):
                assert sp.expand(one.profile(eps) - pair.profile(eps)) == 0
                assert sp.expand(one.reverse().profile(eps) - pair.reverse().profile(eps)) == 0


@pytest.mark.parametrize(("arguments", "message"), [
    (({LN3: "3/4"},), "the masses of the loss sum to 3/4, not to 1"),
    (({LN3: "5/4", 0: "-1/4"},), "the mass -1/4 of the loss 0 is negative"),
    (({-1: 1},), "E[e^-Z] = E exceeds 1: Q would have more mass than 1"),
    (({}, 0, 2), "the masses of the loss sum to 2, not to 1"),
    (({1: 2}, 0, -1), "the mass -1 at infinity is negative"),
    (({}, between(z - HALF, 0, 1), 1), "the density of the loss is negative somewhere on (0, 1)"),
    (({}, sp.Piecewise((0, z < 0), (1, True))),
     "the density of the loss has no finite integral"),
    (({}, sp.exp(-abs(z)) / 2), "E[e^-Z], the mass of Q, has no finite integral"),
    (({0: 1}, sp.DiracDelta(z, 1)), "DiracDelta(z, 1) is no multiple of DiracDelta(x - a)"),
    (({0: 0.5, 1: 0.5},), 'the mass of 0 = 0.5 is a float: write "0.5" or Rational(1, 2)'),
    (({c: 1 - w}, 0, w, None, (w >= 0,)),
     "the mass 1 - w of the loss c is negative, where w - 1 > 0"),
    ((3,), "atoms must be a mapping of losses to masses"),
    (({z: 1}, sp.exp(-z) * sp.Heaviside(z)), "the atom at z depends on z"),
    (({c: 1 - w}, 0, w), "the mass w at infinity is negative, where"),
    (({0: 1}, 0, 0, None, (w < 0, w > 0)), "no values of the parameters satisfy the conditions"),
    (({0: 1}, 0, 0, None, (sp.Eq(w, 0),)), "Eq(w, 0) is not an inequality between parameters"),
])
def test_refusals(arguments, message):
    with pytest.raises((InputError, Unsupported)) as caught:
        law(*arguments)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_tie_of_parameters_merges_atoms():
    a, b = sp.symbols("a b", positive=True)
    pair = law({a: HALF, b: HALF})
    tied = pair.substitute({a: 1, b: 1})
    assert tied == law({1: 1}) and len(tied.loss.atoms) == 1
    assert pair.substitute({a: -1, b: 1}) is None
    assert sp.expand(pair.profile(0).subs({a: 1, b: 1})) == 1 - sp.exp(-1)


def test_signs_of_symbolic_densities_are_decided():
    """k (c - z) on (0, c) is >= 0 for every c > 0, and E[e^-Z] = 2 (c - 1 + e^-c)/c^2 <= 1."""
    pair = law(density=between(2 * (c - z) / c**2, 0, c))
    assert sp.expand(pair.reverse().mass_at_infinity
                     - (1 - 2 * (c - 1 + sp.exp(-c)) / c**2)) == 0
    with pytest.raises(InputError, match="negative somewhere"):
        law(density=between(2 * (z - c) / c**2, 0, c), mass_at_infinity=2)


def test_masses_of_products_and_reversals():
    pair = law({0: "1/4"}, between(3 * sp.exp(-z) / 2, 0, LN2), 0)
    assert pair.is_absolutely_continuous and not pair.is_reverse_absolutely_continuous
    assert pair.reverse().loss.mass_at_infinity == 1 - (sp.Rational(1, 4) + sp.Rational(9, 16))
    assert (pair * pair).reverse().mass_at_infinity == 1 - sp.Rational(13, 16) ** 2


@pytest.mark.parametrize("pair", [
    law({0: "1/4", -LN2: "1/10"}, between(sp.exp(-z) / 2, 0, sp.oo), "3/20"),
    Law.of((laplace(1) ** 2).model().loss, laplace(1).model().p_infinite)], ids=repr)
def test_the_numeric_pair_has_this_loss(pair):
    """Total masses, and the profile by its definition, on the line that holds the atoms too."""
    _, p, q, _, kinks = pair.numeric_pair({})
    with mp.workdps(25):
        ends = [-mp.inf, *kinks, mp.inf]
        for f in (p, q):
            assert abs(mp.fsum(mp.quad(f, cut) for cut in pairwise(ends)) - 1) < 1e-14
        eps = mp.mpf("0.3")
        width = len(pair.loss.atoms) + 2
        ends = sorted({*ends, eps + width})
        direct = mp.fsum(mp.quad(lambda x: max(0, p(x) - mp.exp(eps) * q(x)), cut)
                         for cut in pairwise(ends))
        shown = mp.mpf(str(sp.N(pair.profile("0.3"), 25)))
        assert abs(direct - shown) < 1e-15


def test_values_out_of_range():
    n, m = sp.Symbol("n", integer=True, positive=True), sp.Symbol("m", negative=True)
    assert law({n: 1}).substitute({n: sp.Rational(1, 2)}) is None
    assert law({n: 1}).substitute({n: 2}) == law({2: 1})
    assert law({0: 1 / (1 + m**2)}, 0, m**2 / (1 + m**2)).substitute({m: 1}) is None
    for atoms in ([1], [(1, 2, 3)]):
        with pytest.raises(InputError, match="or a list of pairs"):
            law(atoms)
