"""Which places of a lattice are worked out beside others, and what the rest adds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import flint
import mpmath as mp
import pytest

from lapdp import laplace, poisson, randomized_response
from lapdp.accounting.inversion import lattice_places
from lapdp.accounting.inversion.lattice_parts import parts
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns.references import laplace as laplace_profile
from tests.campaigns.references import number


def many(copies):
    return poisson(randomized_response(2), "1/1000000", direction="add") ** copies


def chosen(pair, eps):
    found = parts(pair)[0]
    return found, lattice_places.window(found, releases(pair), eps, 40.0)


def test_places_lie_where_the_law_of_the_lattice_does():
    """Of 4001 places some hundred: the others leak far more than the lattice reaches."""
    found, window = chosen(laplace(2)**3 * many(4000), 0.5)
    assert window.last - window.first < 450 and None not in window.tails
    with workprec(100):
        rest = window.rest(found, flint.arb("0.5"))
        assert float(rest.upper().log()) < window.size - 36
        wrong = replace(window, tails=(window.tails[1], window.tails[0]))
        with pytest.raises(Unsupported, match="not on the right sides"):
            wrong.rest(found, flint.arb("0.5"))


@pytest.mark.parametrize("eps", ["1/20", "1/3"])
def test_the_rest_is_no_less_than_all_other_places_add(eps):
    """By binomial masses and the formula of one Laplace mechanism, at a window made narrow."""
    copies = 400
    pair = laplace(2) * many(copies)
    found, window = chosen(pair, float(Fraction(eps)))
    below, above = (30 * (tail is not None) for tail in window.tails)
    narrow = replace(window, first=window.first + below, last=window.last - above)
    assert below
    with workprec(100), mp.workdps(40):
        bound = number(Fraction(str(narrow.rest(found, flint.arb(
            flint.fmpq(*map(int, eps.split("/"))))).upper().str(20, radius=False))))
        q, e = mp.mpf(10)**-6, mp.exp(2)
        p = e / (1 + e)
        # of "add": (Q, (1 - q) Q + q P)
        losses = [-mp.log(1 - q + q * (1 - p) / p), -mp.log(1 - q + q * p / (1 - p))]
        profile, t = laplace_profile(Fraction(2)), number(Fraction(eps))
        low = lattice_places.place_of(found, narrow.first)
        high = lattice_places.place_of(found, narrow.last)
        total = mp.mpf(0)
        for ups in range(copies + 1):
            place = ups * losses[0] + (copies - ups) * losses[1]
            outside = (place < mp.mpf(low.str(30, radius=False)) - q / 4
                       or place > mp.mpf(high.str(30, radius=False)) + q / 4)
            if outside:
                mass = mp.binomial(copies, ups) * p**ups * (1 - p)**(copies - ups)
                gain = profile(t - place) - max(0, -mp.expm1(t - place))
                total += mass * gain
        assert 0 < total <= bound
