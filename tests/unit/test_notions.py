"""Notions by themselves: constructors with their checks, strips, certificates, equality."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import (
    Characteristic,
    LossDistribution,
    Moment,
    PrivacyProfile,
    exponential,
    finite,
    gaussian,
    geometric,
    laplace,
    law,
    outcomes,
    poisson,
    randomized_response,
    truncated_laplace,
)
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.mechanisms import CARDS
from lapdp.privacy.notions.conversion import MIRRORED, ROUTES

t, u, z = sp.symbols("t u z", real=True)
q = sp.Symbol("q")
eps, b = sp.symbols("eps b", positive=True)
LN2, LN3 = sp.log(2), sp.log(3)
SHOWN = {">": sp.Gt, ">=": sp.Ge}


def in_the_exact_class(pair):
    try:
        pair.model_in(Cell(pair.constraints()))
    except NeedSplit:
        pass
    except Unsupported:
        return False
    return True


CATALOGUE = [pair for card in CARDS.values() for pair in card.pairs() if in_the_exact_class(pair)]
MORE = [laplace(1) ** 3, laplace(b) ** 2, laplace(1) * laplace(2), exponential(1, 2) * laplace(1),
        randomized_response(1, "1/10") * laplace(1), geometric(eps, 2) * randomized_response(eps),
        truncated_laplace(1, 2) ** 2,
        (exponential(1, 2) * randomized_response(LN3, "1/10")).reverse(),
        poisson(finite(["1/2", "1/2", 0], ["1/4", 0, "3/4"]), "1/3", direction="add")]


@pytest.mark.parametrize("pair", [*CATALOGUE, *MORE], ids=repr)
def test_every_map_is_certified(pair):
    for source, target in [*ROUTES, *((name, "reverse") for name in MIRRORED)]:
        if "characteristic" in (source, target) and pair.mass_at_infinity != 0:
            with pytest.raises(Undefined, match=r"Pr\[Z = oo\]"):
                getattr(pair, source).convert(target)
            continue
        assert getattr(pair, source).convert(target).cases >= 1


@pytest.mark.parametrize("pair", [*CATALOGUE, *MORE], ids=repr)
def test_what_is_printed_is_read(pair):
    """profile -> moment -> loss, each from the expression alone, is the same pair again."""
    where = [SHOWN[rel](form.to_sympy(), 0) for form, rel in pair.constraints()]
    profile = PrivacyProfile.of(pair.profile(t), t, where=where)
    assert profile.equals(pair.profile)
    moment = Moment.of(pair.moment(q), q, where=where)
    assert moment.equals(pair.moment)
    assert moment.reverse().equals(pair.reverse().moment)
    assert sp.simplify(moment.loss.mass_at_infinity - pair.mass_at_infinity) == 0


# -- what is no notion ----------------------------------------------------------------------------


@pytest.mark.parametrize(("profile", "message"), [
    (sp.Max(1 - sp.exp(t), 0) + sp.Rational(1, 2), "tends to 3/2 as t -> -oo, not to 1"),
    (sp.Integer(1), None),
    (sp.Integer(0), "tends to 0 as t -> -oo, not to 1"),
    (sp.Piecewise((1 - sp.exp(t), t < -1), (0, True)), "it jumps by"),
    (sp.Piecewise((1 - sp.exp(t), t < 0), (1, sp.Eq(t, 0)), (0, True)), "it is 1 at t = 0"),
    (sp.Piecewise((5, sp.Eq(t, 7)), (1 - sp.exp(t), t < 0), (0, True)), "it is 5 at t = 7"),
    (sp.Max(1 - sp.exp(t), -1), "tends to -1 < 0 as t -> oo"),
    (1 - sp.exp(t), "no limit as t -> oo"),
    (sp.Max(1 - sp.exp(t / 2), 0), "not of the order of e^t"),
    (sp.Max(1 - 2 * sp.exp(t), 0), "falls below 1 - e^t"),
    (sp.Min(sp.Max(1 - sp.exp(t), sp.Rational(1, 2)),
            sp.Max(1 - sp.exp(t) / 2, 0)), "no privacy profile"),
    (sp.Piecewise((1 - sp.exp(t) / 2, t < 0), (sp.exp(-t) * sp.cos(t) / 2, True)), "no sum"),
    (sp.Piecewise((1 - sp.exp(t), t < -LN2),
                  (sp.Rational(1, 2) - (sp.exp(t) - sp.Rational(1, 2)) ** 2, t < 0),
                  (sp.Rational(1, 4), True)), "negative somewhere on (-log(2), 0)"),
    (sp.Heaviside(-t) * (1 - sp.exp(t)), None),
    (0.5, 'the profile = 0.5 is a float: write "0.5" or Rational(1, 2)'),
])
def test_profiles(profile, message):
    if message is None:
        given = PrivacyProfile.of(profile, t)
        for x in (-2, -LN2, 0, sp.Rational(1, 3), 2):
            assert sp.expand(given(x) - sp.sympify(profile).subs(t, x)) == 0 or x == 0
        return
    with pytest.raises((InputError, Unsupported)) as caught:
        PrivacyProfile.of(profile, t)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(("moment", "strip", "message"), [
    (1 / (2 - q), (0, 1), None),
    (1 / (2 - q), (-5, 2), "E_0 = 1/2, not 1, though the strip -5 < Re q < 2 reaches"),
    (2 / (2 - q), (0, 2), "E_1 = 2, not 1"),
    (2 * sp.exp(-q * LN2) / (2 - q), (-3, 2), None),
    (2 * sp.exp(-q * LN2) / (2 - q), (0, 3), "has a pole in the strip 0 < Re q < 3"),
    (2 * sp.exp(-q * LN2) / (2 - q), (2, 3), "would be infinite"),
    (sp.Rational(9, 10), (0, 1), None),
    (sp.Rational(9, 10), (0, 2), "E_1 = 9/10, not 1"),
    (sp.Rational(9, 10), (-1, 1), "E_0 = 9/10, not 1"),
    (sp.Rational(11, 10), (0, 1), "is negative"),
    (q, (0, 1), "grows like a power of q"),
    (-1 / (2 - q), (0, 1), "negative"),
    (1 / (q**2 + 1), (0, 1), "poles"),
    (sp.gamma(q), (0, 1), "exact class"),
    (1 / (sp.Rational(1, 2) - q), (0, 1), "a pole lies on the line"),
    (1 / (sp.Rational(1, 3) - q), (0, 1), "pole in the strip"),
    (1 / (1 + sp.exp(sp.re(q))), (0, 1), "write it as an analytic function of q"),
    (1, (1, 0), "runs from its lower end"),
    (1, (0, 1, 2), "strip must be a pair"), (1, (b, 1), "give the strip by numbers"),
])
def test_moments(moment, strip, message):
    if message is None:
        given = Moment.of(moment, q, strip=strip)
        for x in (sp.Rational(1, 3), sp.Rational(1, 2) + sp.I):
            assert abs(sp.N(given(x) - sp.sympify(moment).subs(q, x), 30)) < 1e-25
        return
    with pytest.raises((InputError, Unsupported)) as caught:
        Moment.of(moment, q, strip=strip)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_one_expression_on_two_strips_is_two_functions():
    """1/((2 - q)(1 + q)) is a moment between its poles only, scaled to 1 at q = 1 and q = 0."""
    expression = 2 / ((2 - q) * (1 + q))
    assert Moment.of(expression, q, strip=(-1, 2)).loss.mass_at_infinity == 0
    for strip in ((-3, -1), (2, 4)):
        with pytest.raises(InputError, match="would be infinite"):
            Moment.of(expression, q, strip=strip)
    # an entire function has one inverse, whatever the strip
    coin = 3 * sp.exp(-q * LN3) / 4 + sp.exp(q * LN3) / 4
    for strip in ((0, 1), (-sp.oo, sp.oo), (7, 9), (-sp.oo, 0), (2, sp.oo)):
        assert Moment.of(coin, q, strip=strip).equals(randomized_response(LN3).moment)


def test_removable_poles_are_read():
    half = sp.Rational(1, 2)
    assert Moment.of(laplace(1).moment(q), q, strip=(-2, 3)).equals(laplace(1).moment)
    wrong = sp.Piecewise((7, sp.Eq(q, half)), (laplace(1).moment(q).args[-1][0], True))
    with pytest.raises(InputError, match="not continuous, it is 7 at q = 1/2"):
        Moment.of(wrong, q)


@pytest.mark.parametrize(("phi", "message"), [
    (sp.Rational(9, 10) * sp.exp(sp.I * u), "phi(0) = 9/10, not 1"),
    (sp.exp(-sp.I * u), "E[e^-Z] = E exceeds 1"),
    (1 / (1 + u**2), "E_0 would be infinite"),
    (1 / u, "a pole lies on the line"),
    (sp.exp(-u**2 / 2), "not linear in s"),
    (sp.cos(u), "exceeds 1: Q would have more mass"),
])
def test_characteristic_functions(phi, message):
    with pytest.raises((InputError, Unsupported)) as caught:
        Characteristic.of(phi, u)
    assert message in str(caught.value)


def test_laws_with_parameters():
    w = sp.Symbol("w", real=True)
    leak = PrivacyProfile.of(sp.Piecewise((1 - (1 - w) * sp.exp(t), t < 0), (w, True)), t,
                             where=[w > 0, w < 1])
    assert leak.limits == (1, w) and leak.moment(sp.Rational(1, 2)) == 1 - w
    with pytest.raises(InputError, match="restrict the parameters"):
        PrivacyProfile.of(sp.Piecewise((1 - (1 - w) * sp.exp(t), t < 0), (w, True)), t)
    # a parameter that may be 0 makes two breakpoints one
    k = sp.Symbol("k", real=True)
    coin = outcomes({"yes": (sp.exp(k) / (1 + sp.exp(k)), 1 / (1 + sp.exp(k))),
                     "no": (1 / (1 + sp.exp(k)), sp.exp(k) / (1 + sp.exp(k)))}, where=[k >= 0])
    given = PrivacyProfile.of(coin.profile(t), t, where=[k >= 0])
    assert given.equals(coin.profile) and given.pair.substitute({k: 0}).profile(0) == 0
    assert coin.profile.convert("loss").cases > 1


def test_conditions_are_those_of_parameters():
    leak = sp.Piecewise((1 - sp.exp(t) / 2, t < 0), (sp.Rational(1, 2), True))
    falling = sp.Piecewise((0, z < 0), (sp.exp(-z), True))
    for ask in (lambda: PrivacyProfile.of(leak, t, where=[t > 0]),
                lambda: Moment.of(1 / (2 - q), q, where=[q > 0]),
                lambda: law(density=falling, where=[z > 3])):
        with pytest.raises(InputError, match="speaks of the variable"):
            ask()
    for ask in (lambda: PrivacyProfile.of(leak, t, where=u > 0),
                lambda: outcomes({"all": (1, 1)}, where=u > 0), lambda: law({0: 1}, where=u > 0)):
        with pytest.raises(InputError, match=r"must be a list of inequalities, such as \[u > 0\]"):
            ask()
    assert sp.expand(law({z: 1}, where=[z > 3]).profile(0)) == 1 - sp.exp(-z)


def test_nothing_is_equal_for_no_parameters():
    """Of parameters that no two pairs share, everything would hold."""
    w = sp.Symbol("w", real=True)
    small = law({0: 1 - w}, 0, w, where=[w > 0, w < sp.Rational(1, 2)])
    large = law({0: 1 - w, 1: w / 2}, 0, w / 2, where=[w > sp.Rational(1, 2), w < 1])
    with pytest.raises(InputError, match="no values of the parameters are allowed to both"):
        small.profile.equals(large.profile)


# -- certificates, equality -----------------------------------------------------------------------


def test_certificates_say_what_holds():
    shown = str(exponential(1, 2).loss.convert("moment"))
    assert "Re q < 2" in shown and "E_q = B{f_Z}(1 - q)" in shown
    assert "0 < Re q < 1" in str(randomized_response(1, "1/10").moment.convert("loss"))
    for word in ("profile", "pair", 3):
        with pytest.raises(InputError, match="no map leads from profile"):
            laplace(1).profile.convert(word)
    with pytest.raises(InputError, match="no map leads from characteristic"):
        laplace(1).characteristic.convert("reverse")


def test_what_would_take_too_long_is_refused():
    for pair in (randomized_response(1, "1/10") ** 500, laplace(1) ** 40):
        with pytest.raises(Unsupported, match="certificates reach to 120 breakpoints") as caught:
            pair.moment.convert("profile")
        assert "\n" not in str(caught.value)


def test_notions_lead_to_each_other():
    pair = laplace(1)
    for notion in (pair.profile, pair.loss, pair.moment, pair.characteristic):
        assert notion.profile(0) == pair.profile(0) and notion.loss.atoms == pair.loss.atoms
        assert notion.reverse().pair == pair.reverse() and notion.tradeoff.pair == pair
        assert notion._repr_latex_().startswith("$") and notion.to_sympy() is not None
    assert pair.loss.dual.pair == pair.reverse()


def test_equality_is_exact():
    equal = [
        (geometric(eps), randomized_response(eps)),
        (exponential(1, 2), exponential(b, 2 * b)),
        (laplace(b, 2 * b), laplace(1, 2)),
        (laplace(1).reverse(), laplace(1)),
        (finite(["1/4", "1/4", "1/2"], ["1/8", "1/8", "3/4"]),
         finite(["1/2", "1/2"], ["1/4", "3/4"])),
        (law({0: 1}), finite([1], [1])),
        (law({LN2: "1/2", sp.log(4) / 2: "1/2"}), law({LN2: 1})),
    ]
    different = [
        (laplace(1), laplace(2)), (laplace(b), laplace(1)), (exponential(1, 2), laplace(1)),
        (exponential(1, 2), exponential(1, 2).reverse()),
        (randomized_response(1), randomized_response(1, sp.Rational(1, 10**30))),
        (laplace(10**12), laplace(10**12 + 1)), (geometric(eps, 2), geometric(2 * eps)),
        (law({eps: 1}), law({2 * eps: 1})),
    ]
    for pairs, expected in ((equal, True), (different, False)):
        for first, second in pairs:
            assert first.profile.equals(second.profile) is expected
            assert second.moment.equals(first.moment) is expected
    with pytest.raises(InputError, match="compare a profile with a profile"):
        laplace(1).profile.equals(laplace(1).moment)
    with pytest.raises(InputError, match="compare a loss with a loss"):
        laplace(1).loss.equals(3)


# -- features -------------------------------------------------------------------------------------


def test_features_of_a_profile():
    profile = randomized_response(LN3, "1/10").profile
    assert profile.limits == (1, sp.Rational(1, 10))
    assert profile.kinks == (-LN3, LN3) and profile.plateau == LN3
    assert exponential(1, 2).profile.plateau == sp.oo
    apart = finite([1, 0], [0, 1]).profile
    assert apart.kinks == () and apart.plateau == -sp.oo
    assert len((laplace(1) ** 2).profile.pieces) == 4
    assert laplace(b).profile.kinks == (-1 / b, 1 / b)


def test_mean_and_variance_by_the_moment():
    """E[Z] and Var[Z] are the derivatives of log E_q at q = 1."""
    for pair in (laplace(1), exponential(1, 2), laplace(1) * exponential(2, 3), geometric(LN2, 3)):
        cumulant = sp.log(pair.moment(q).args[-1][0] if pair.moment(q).is_Piecewise
                          else pair.moment(q))
        for order, shown in ((1, pair.loss.mean), (2, pair.loss.variance)):
            value = sp.diff(cumulant, q, order).subs(q, 1)
            assert abs(sp.N(value - shown, 30)) < 1e-25
    leaky = randomized_response(1, "1/10").loss
    assert leaky.mean == sp.oo
    with pytest.raises(Undefined, match="no variance"):
        assert leaky.variance
    assert finite([1, 0], ["1/2", "1/2"]).loss.mean == LN2


@pytest.mark.parametrize("pair", CARDS["gaussian"].pairs(), ids=repr)
def test_gaussian_pairs_are_certified_by_their_formulas(pair):
    for source, target in [*ROUTES, *((name, "reverse") for name in MIRRORED)]:
        assert getattr(pair, source).convert(target).cases == 1
    assert Moment.of(pair.moment(q), q).equals(pair.moment)
    assert Characteristic.of(pair.characteristic(u), u).loss.equals(pair.loss)
    assert (pair.loss.mean, pair.loss.variance) == (pair.kappa, 2 * pair.kappa)


def test_gaussian_pairs_and_others():
    s = sp.Symbol("s", positive=True)
    assert gaussian(1, 2).profile.equals(gaussian("1/2").profile)
    assert gaussian(s).profile.equals(gaussian(2 * s, 2).profile)
    assert not gaussian(s).profile.equals(gaussian(1).profile)
    for pair in (laplace(1), finite([1], [1]), randomized_response(eps)):
        assert not gaussian(1).profile.equals(pair.profile)
        assert not pair.profile.equals(gaussian(1).profile)
    mixed = gaussian(1) * laplace(1)
    assert mixed.profile.equals((gaussian(1) * laplace(1)).profile)
    for ask in (lambda: mixed.profile.convert("loss"), lambda: mixed.profile.equals(
            laplace(1).profile)):
        with pytest.raises(Unsupported, match="exact") as caught:
            ask()
        assert "\n" not in str(caught.value)
    with pytest.raises(Unsupported):
        PrivacyProfile.of(gaussian(1).profile(t), t)


def test_a_formula_that_is_not_normal_is_not_certified(monkeypatch):
    monkeypatch.setattr(type(gaussian(1)), "profile_expression",
                        lambda self, x: sp.erfc(x) / 2)
    with pytest.raises(Unsupported, match="not seen to be those of a normal loss"):
        gaussian(1).profile.convert("loss")


def test_loss_given_by_itself():
    loss = LossDistribution.of({0: "1/2"}, sp.Piecewise((0, z < 0), (sp.exp(-z) / 2, True)))
    assert loss.reverse().mass_at_infinity == sp.Rational(1, 4)
    assert loss.characteristic.convert("loss").checked.startswith("phi(u) = B{f_Z}(-iu)")
    assert gaussian(1).loss.mass_at_infinity == 0
