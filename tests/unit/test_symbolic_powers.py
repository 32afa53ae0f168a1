"""Powers with a symbol k against powers with numbers, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from lapdp import exponential, finite, gaussian, geometric, laplace, randomized_response
from lapdp.core.errors import InputError, Undefined, Unsupported

k = sp.Symbol("k", integer=True, positive=True)
t = sp.Symbol("t", real=True)
q = sp.Symbol("q")
LN2, LN3 = sp.log(2), sp.log(3)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_randomized_response_by_recursion(n):
    """Recursion (62) in Fractions of e^t, losses exactly at the point included."""
    eps, delta = sp.symbols("eps delta", real=True)
    odds, leak = Fraction(3), Fraction(1, 10)
    curve = (randomized_response(eps, delta) ** k).profile(t)
    fixed = (randomized_response(LN3, "1/10") ** k).profile

    def recursion(left, x):
        if not left:
            return max(Fraction(0), 1 - x)
        return leak + (1 - leak) / (odds + 1) * (
            odds * recursion(left - 1, x / odds) + recursion(left - 1, x * odds))

    for x in (Fraction(1, 3), Fraction(1), Fraction(2), Fraction(3), Fraction(9), Fraction(10**5)):
        point, expected = sp.log(sp.Rational(x)), sp.Rational(recursion(n, x))
        assert fixed(point).subs(k, n).doit() == expected
        assert curve.subs({eps: LN3, delta: sp.Rational(1, 10), k: n, t: point}).doit() == expected


ATOMS = {
    "two, leaks on both sides": (["1/2", "1/3", "1/6", 0], ["1/4", 0, "1/2", "1/4"]),
    "three": (["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]),
    "three, equal ratios apart": (["1/4", "1/4", "1/3", "1/6"], ["1/12", "1/12", "1/3", "1/2"]),
    "one": (["1/2", "1/2"], [1, 0]),
    "none": ([1, 0], [0, 1]),
    "equal": ([1], [1]),
}


@pytest.mark.parametrize("name", ATOMS)
def test_finite_pairs_by_enumeration(name):
    pair = finite(*ATOMS[name])
    power = pair**k
    for n in (1, 2, 4):
        concrete = pair**n
        for x in (Fraction(1, 9), Fraction(1), Fraction(3), Fraction(4)):
            found = power.profile(sp.log(sp.Rational(x))).subs(k, n).doit()
            assert found == sp.Rational(concrete.hockey_stick(x))
            below = sum(m for r, m in concrete.loss_masses() if r is not None and r <= x)
            found = power.loss.cdf(sp.log(sp.Rational(x))).subs(k, n).doit()
            assert found == sp.Rational(below)
        assert power.mass_at_infinity.subs(k, n) == sp.Rational(concrete.mass_at_infinity)
        assert power.reverse().profile(0).subs(k, n).doit() == sp.Rational(
            concrete.reverse().hockey_stick(1))


EVERY = {
    "laplace": laplace(1), "exponential": exponential(1, 2), "geometric": geometric(LN2, 4),
    "leak": randomized_response(LN3, "1/10"), "mixed": gaussian(1) * laplace("1/2"),
    "backward": exponential(1, 2).reverse(), "power": laplace(2) ** 3,
}


@pytest.mark.parametrize("name", EVERY)
def test_moments_of_every_pair(name):
    pair = EVERY[name]
    power = pair**k
    for n in (1, 3):
        concrete = pair**n
        for order in (2, -2, sp.Rational(1, 2), 0, 1):
            found, expected = power.moment(order).subs(k, n), concrete.moment(order)
            assert (found == sp.oo) == (expected == sp.oo)
            assert expected == sp.oo or abs(sp.N(found - expected, 30)) < 1e-28
        at = {k: n, q: sp.Rational(1, 3)}
        assert abs(sp.N(power.moment(q).subs(at) - concrete.moment(q).subs(at), 30)) < 1e-28
        assert power.mass_at_infinity.subs(k, n) == concrete.mass_at_infinity
        assert power.substitute({k: n}) == concrete
        half = sp.Rational(1, 2)
        assert abs(sp.N(power.renyi(half).subs(k, n) - concrete.renyi(half), 30)) < 1e-28
    assert power.is_absolutely_continuous == pair.is_absolutely_continuous
    assert str(power.moment_region()) == str(pair.moment_region())


def test_products_with_symbolic_powers():
    mixed = randomized_response(LN3, "1/10") ** k * laplace(1) * laplace(1) ** 2
    concrete = randomized_response(LN3, "1/10") ** 4 * laplace(1) ** 3
    half = sp.Rational(1, 2)
    assert abs(sp.N(mixed.moment(half).subs(k, 4) - concrete.moment(half), 30)) < 1e-28
    assert mixed.mass_at_infinity.subs(k, 4) == concrete.mass_at_infinity
    assert not mixed.is_absolutely_continuous
    assert mixed.substitute({k: 4}).moment(half) == concrete.moment(half)
    with pytest.raises(Undefined, match="does not exist"):
        mixed.characteristic(1)
    with pytest.raises(Unsupported, match="has no exact model"):
        mixed.profile(1)
    pure = laplace(1) ** k * laplace(2)
    assert abs(sp.N(pure.characteristic(1).subs(k, 3)
                    - (laplace(1) ** 3 * laplace(2)).characteristic(1), 30)) < 1e-28


def test_the_branch_at_complex_orders():
    """R_q takes the principal logarithm of E_q^k, not k times that of E_q."""
    order = sp.Rational(1, 2) + 6 * sp.I
    pair = gaussian(1) * randomized_response(1)
    for n in (1, 5):
        found = (pair**k).renyi(order).subs(k, n)
        assert abs(sp.N(found - (pair**n).renyi(order), 25)) < 1e-20


def test_gaussian_powers():
    assert gaussian(2) ** k == gaussian(2, sp.sqrt(k))
    mixed = gaussian(1) ** k * laplace(1)
    for n in (1, 7):
        concrete = (gaussian(1) ** n * laplace(1)).profile(1)
        assert abs(sp.N(mixed.profile(1).subs(k, n) - concrete, 30)) < 1e-28
        assert abs(sp.N((mixed**k).moment(2).subs(k, n)
                        - ((gaussian(1) ** n * laplace(1)) ** n).moment(2), 40)) < 1e-20


def test_powers_of_powers():
    j = sp.Symbol("j", integer=True, positive=True)
    assert (laplace(1) ** 3) ** k == laplace(1) ** (3 * k)
    assert (laplace(1) ** k) ** 3 == laplace(1) ** (3 * k)
    assert (laplace(1) ** k) ** j == laplace(1) ** (j * k)
    power = randomized_response(LN3) ** (j * k)
    assert power.profile(0).subs({j: 2, k: 3}).doit() == (randomized_response(LN3) ** 6).profile(0)
    assert repr(laplace(1) ** (k + 1)) == "laplace(1, 1)**(k + 1)"


def test_powers_of_finite_pairs_are_exact():
    pair = finite(["1/3", "2/3", 0], [0, "1/2", "1/2"])
    full = finite(["1/4", "3/4"], ["1/3", "2/3"])
    assert (full**k).moment(2) == sp.Rational(33, 32) ** k
    for whole in (full**k, pair**k * laplace(1), gaussian(1) * full**k):
        for order in (-1, 0, 1, 2, "1/2"):
            value = sp.sympify(whole.moment(order))
            assert not value.has(sp.Float)
            for n in (1, 3):
                at = sp.sympify(whole.substitute({k: sp.Integer(n)}).moment(order))
                assert value == at == sp.oo or abs(sp.N(value.subs(k, n) - at, 30)) < 1e-25


def test_refusals():
    for wrong in (sp.Symbol("k"), sp.Symbol("k", integer=True), sp.Symbol("k", positive=True)):
        for pair in (laplace(1), finite([1], [1]), gaussian(1), laplace(1) ** 2):
            with pytest.raises(InputError, match="integer=True, positive=True"):
                pair**wrong
    for notion in ("profile", "tradeoff"):
        with pytest.raises(Unsupported):
            getattr(laplace(1) ** k, notion)(0)
    with pytest.raises(Unsupported, match="at most 3 finite losses"):
        (geometric(1, 3) ** k).profile(0)
    with pytest.raises(Unsupported, match="a list of the losses"):
        (randomized_response(1) ** k).loss.atoms  # noqa: B018
    assert (laplace(1) ** k).substitute({k: 0}) is None
