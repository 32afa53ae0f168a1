"""Round trips between the notions are identities, for random pairs of the exact class.

The expressions that a notion prints are read anew by ``.of``: nothing of the pair is carried along.
"""

from __future__ import annotations

from itertools import pairwise

import sympy as sp
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from mpmath import mp

from lapdp import Characteristic, LossDistribution, Moment, PrivacyProfile
from lapdp.privacy.notions.conversion import MIRRORED, ROUTES
from lapdp.testing.strategies import finite_pairs, laws

t, u, z = sp.symbols("t u z", real=True)
q = sp.Symbol("q")
SLOW = settings(max_examples=15, phases=[Phase.generate], deadline=None,
                suppress_health_check=[HealthCheck.too_slow])
PAIRS = st.one_of(laws(), finite_pairs(max_size=3, max_weight=4))


@SLOW
@given(PAIRS, st.sampled_from([*ROUTES, *((name, "reverse") for name in MIRRORED)]))
def test_every_certificate_is_issued(pair, names):
    source, target = names
    if "characteristic" in names and pair.mass_at_infinity != 0:
        pair = pair.reverse()
        if pair.mass_at_infinity != 0:
            return
    found = getattr(pair, source).convert(target)
    assert found.source.pair == pair and found.cases == 1
    assert found.target.name == (source if target == "reverse" else target)


@SLOW
@given(PAIRS)
def test_around_through_expressions(pair):
    """profile -> moment -> loss -> profile, each read from what the one before prints."""
    profile = PrivacyProfile.of(pair.profile(t), t)
    moment = Moment.of(profile.moment(q), q)
    printed = moment.loss
    loss = LossDistribution.of(density=printed.generalized_density(z), z=z,
                               mass_at_infinity=printed.mass_at_infinity)
    assert loss.mass_at_infinity == pair.mass_at_infinity
    for notion in (profile, moment, loss):
        assert notion.profile.equals(pair.profile)
        assert notion.reverse().moment.equals(pair.reverse().moment)
    if pair.mass_at_infinity == 0:
        assert Characteristic.of(pair.characteristic(u), u).loss.equals(pair.loss)


@SLOW
@given(laws(max_size=2), laws(max_size=2))
def test_equality_is_that_of_values(a, b):
    """Different pairs differ somewhere, equal ones nowhere."""
    same = a.profile.equals(b.profile)
    points = [sp.Rational(k, 4) for k in range(-12, 13)]
    with mp.workdps(30):
        gaps = [abs(sp.N(a.profile(x) - b.profile(x), 30)) for x in points]
    assert not same or max(gaps) < 1e-25
    assert (a * b).profile.equals((b * a).profile)


@SLOW
@given(laws(max_size=2), st.sampled_from(["-0.7", "0.3"]))
def test_the_profile_by_its_definition(pair, text):
    """The sum and integral of max(0, 1 - e^(t - z)) over the law that is printed."""
    def number(x):
        return mp.mpf(str(sp.N(x, 30)).replace("oo", "inf"))

    loss = pair.loss
    with mp.workdps(30):
        place = mp.mpf(text)

        def hinge(x):
            return max(0, 1 - mp.exp(place - x))

        total = number(loss.mass_at_infinity)
        total += mp.fsum(number(mass) * hinge(number(at)) for at, mass in loss.atoms)
        for low, high, density in loss.pieces:
            f = sp.lambdify(z, density, "mpmath")
            ends = [number(low), number(high)]
            cuts = [ends[0], *([place] if ends[0] < place < ends[1] else []), ends[1]]
            total += mp.fsum(mp.quad(lambda x, f=f: f(x) * hinge(x), part)
                             for part in pairwise(cuts))
        assert abs(number(pair.profile(text)) - total) < 1e-12
