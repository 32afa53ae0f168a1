"""What a second method says of a reference value: its name, and to how many digits it agrees.

Nothing of lapdp computes here: a query is read as plain parameters.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import mpmath as mp

from tests.reference import atoms, lines, trapezoids
from tests.reference.atoms import fraction

MOST = 40
AFFINE = ("laplace", "truncated_laplace", "exponential_mechanism")
RESPONSES = ("randomized_response", "approximate_dp")
COARSE = (40, 39, 38, 37, 36, 35, 33, 30, 25, 20, 15, 12, 10)
"""Digits at which a bracket of eps is tried."""


class Single:
    """A release with its parameters as Fractions."""

    def __init__(self, record):
        self.family, self.copies = record["family"], record["copies"]
        self.p = {name: value if isinstance(value, list) else Fraction(value)
                  for name, value in record["parameters"].items()}
        self.rate, self.side = Fraction(record.get("rate") or 0), record.get("neighbours", "")
        self.key = tuple(sorted((n, tuple(v) if isinstance(v, list) else v)
                                for n, v in self.p.items()))

    @property
    def square(self):
        """The squared distance of all copies of a Gaussian."""
        return self.copies * (self.p.get("sensitivity", Fraction(1)) / self.p["sigma"]) ** 2


def method(releases, reverse=False):
    """(name, delta as a function of a Fraction, mass of infinite loss as a function)."""
    if len(releases) == 2:
        return _product(*releases)
    one = releases[0]
    if one.family == "gaussian":
        if not one.rate:
            return ("complementary error functions",
                    lambda e: lines.normal(fraction(one.square), fraction(e)), _nothing)
        if one.copies > 1:
            return _sampled(one, one.p["sigma"])
        return ("complementary error functions", lambda e: lines.sampled_normal(
            fraction(one.p["sigma"]), fraction(one.rate), one.side, fraction(e)), _nothing)
    if one.family in AFFINE:
        if one.rate:
            if one.copies > 1:
                return _sampled(one, one.p["scale"])
            return ("quadrature of the definition", lambda e: lines.sampled_laplace(
                fraction(one.p["scale"]), fraction(one.rate), one.side, fraction(e)), _nothing)
        return ("residues, term by term",
                lambda e: lines.residues(one.family, one.p, one.copies, fraction(e)),
                lambda: 1 - (1 - lines.affine(one.family, one.p)[4]) ** one.copies)
    if one.family == "exponential":
        a, b = one.p["rate_p"], one.p["rate_q"]
        return ("Poisson sums of gamma tails", lambda e: lines.gammas(
            fraction(a), fraction(b), one.copies, fraction(e), reverse), _nothing)
    if one.family == "discrete_gaussian":
        return ("masses of the summed noise", lambda e: atoms.normal_sums(
            one.p["sigma"], int(one.p.get("sensitivity", 1)), one.copies, e), _nothing)
    if one.family in RESPONSES and not one.rate:
        leak = one.p.get("delta", Fraction(0))
        return ("binomial sum", lambda e: atoms.binomial(one.p["eps"], fraction(leak), one.copies,
                                                         e),
                lambda: 1 - (1 - fraction(leak)) ** one.copies)
    return _multinomial(one, reverse)


def _nothing():
    return mp.mpf(0)


def _multinomial(one, reverse):
    def parts():
        rows = atoms.sampled(atoms.rows_of(one.family, one.p), one.rate, one.side)
        return atoms.merged([(b, a) for a, b in rows] if reverse else rows)

    return ("multinomial sum", lambda e: atoms.multinomial(*parts(), one.copies, fraction(e)),
            lambda: 1 - (1 - parts()[1]) ** one.copies)


def _sampled(one, size):
    # the loss is about rate (e^loss - 1); under the second distribution this has variance E_2 - 1
    ratio = 1 / fraction(size)
    square = (mp.exp(ratio**2) if one.family == "gaussian" else
              (2 * mp.exp(ratio) + mp.exp(-2 * ratio)) / 3) - 1
    spread = float(mp.sqrt(one.copies * square) * one.rate)

    def delta(e):
        found = trapezoids.sampled(one.family, fraction(size), fraction(one.rate), one.side,
                                   one.copies, spread, mp.mp.dps)
        return found(fraction(e))

    return "trapezoids on another line", delta, _nothing


def _product(first, second):
    if second.family in RESPONSES:
        # the profile of the first is averaged over the losses of the responses
        _, inner, _ = method([first])
        eps0, leak, k = second.p["eps"], second.p.get("delta", Fraction(0)), second.copies

        def delta(e):
            odds = mp.exp(fraction(eps0))
            mean = mp.fsum(comb(k, j) * odds**j / (1 + odds) ** k * inner(e - (2 * j - k) * eps0)
                           for j in range(k + 1))
            rest = (1 - fraction(leak)) ** k
            return 1 - rest + rest * mean

        return "mean of a profile over responses", delta, lambda: 1 - (1 - fraction(leak)) ** k
    assert first.family == "gaussian" and second.family in AFFINE

    def smooth(e):
        found = trapezoids.smoothed(fraction(first.square), second.family, second.key,
                                    second.copies, mp.mp.dps)
        return found(fraction(e))

    return "trapezoids on another line", smooth, _nothing


def confirm(row):
    """(name of the second method, digits to which it agrees with the row)."""
    releases = [Single(record) for record in row["releases"]]
    name, delta, lost = method(releases, row["direction"] == "reverse")
    with mp.workdps(_working(row, releases)):
        found = (_digits_of_delta(row, delta) if row["asked"] == "delta" else
                 _digits_of_epsilon(row, delta, lost))
    return name, found


def _working(row, releases):
    """Enough for what cancels: the size of the answer, and terms that grow with the copies."""
    size = Fraction(row["at"] if row["asked"] == "epsilon" or row["value"] in ("0", "oo")
                    else row["value"])
    small = max(0, -int(mp.log10(fraction(size)))) if size > 0 else 0
    if all(r.family in RESPONSES and not r.rate for r in releases):
        small = 0  # a sum of positive terms
    grown = max(r.copies if r.family in AFFINE and not r.rate else 0 for r in releases)
    return 70 + 2 * small + 2 * grown + len(str(max(r.copies for r in releases))) * 2


def _digits_of_delta(row, delta):
    value, own = Fraction(row["value"]), delta(Fraction(row["at"]))
    if not value:
        return MOST if not own else 0
    gap = abs(own - fraction(value)) / fraction(value)
    return min(MOST, int(-mp.log10(gap))) if gap else MOST


def _digits_of_epsilon(row, delta, lost):
    target = fraction(Fraction(row["at"]))
    slack = mp.mpf(10) ** (8 - mp.mp.dps)
    if row["value"] == "oo":
        # equal only where losses are unbounded, which no row has
        return MOST if lost() > target else 0
    value = Fraction(row["value"])
    if not value:
        return MOST if delta(value) <= target * (1 + slack) else 0
    for digits in COARSE:
        low, high = (value * (1 + Fraction(sign, 10**digits)) for sign in (-1, 1))
        if delta(high) <= target * (1 + slack) and delta(low) > target:
            return min(MOST, digits)
    return 0
