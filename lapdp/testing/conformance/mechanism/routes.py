"""Laws of one pair: those of all pairs, and the notions of this one against each other.

Each notion comes by a route of its own, so that a wrong one disagrees with the others.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from hypothesis import strategies as st
from mpmath import mp, mpf

from lapdp.accounting.answers import Answer
from lapdp.core.errors import Undefined
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.asking import compared
from lapdp.testing.conformance.checks import LawCheck
from lapdp.testing.conformance.findings import Violation
from lapdp.testing.conformance.mechanism.claims import NOTIONS, points
from lapdp.testing.conformance.mechanism.sides import PairSides
from lapdp.testing.conformance.mechanism.subjects import Subject
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import Real, Value
from lapdp.testing.laws import LAWS, Law

NEAR = Fraction(1, 10**4)
"""How near quadrature comes, kinks and tails included; it proves nothing."""

DIGITS = 20
"""Digits of certified values that a closed form is held against."""


def pair_laws(subject: Subject, pair: Pair) -> list[LawCheck]:
    """The laws of all pairs, then of the routes."""
    known = Known(pair)
    fixed = [_law(subject, pair, law) for law in LAWS.values()
             if isinstance(pair, FinitePair) or not law.reaches_finite_pairs_alone]
    return fixed + [
        LawCheck(name, says, citation, "shape", subject.cases(**drawn), _asked(known, test), latex,
                 subject.name)
        for name, says, citation, drawn, test, latex in ROUTES]


def _law(subject: Subject, pair: Pair, law: Law) -> LawCheck:
    """With a finite pair what the law takes beside it is drawn; others meet its default."""
    drawn: dict[str, Any] = {}
    if law.takes and isinstance(pair, FinitePair):
        drawn["others"] = law.cases().map(lambda case: case[1:])

    def test(case: Any) -> Violation | None:
        outcome = law(pair, *getattr(case, "others", ()))
        if outcome.holds is None:
            raise Undecided(outcome.detail)
        return None if outcome.holds else Violation(None, "==", None, outcome.detail)

    return LawCheck(law.name, law.says, law.source, "shape", subject.cases(**drawn), test,
                    rf"\text{{{law.name}}}", subject.name)


class Known:
    """Certified notions of a pair, each value asked once: one may take seconds."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.delta = cache(lambda t: _about(pair.delta(t, DIGITS)))
        self.tradeoff = cache(lambda a: _about(pair.tradeoff(a, DIGITS)))
        self.moment = cache(lambda q: _about(pair.moment(q, DIGITS)))
        self.cdf = cache(lambda z: NOTIONS["loss"].truth(PairSides(pair), z))


def _asked(known: Known, test: Callable[[Known, Any], Violation | None]
           ) -> Callable[[Any], Violation | None]:
    def run(case: Any) -> Violation | None:
        try:
            return test(known, case)
        except Undefined as problem:
            raise Undecided(str(problem)) from None

    return run


def _about(answer: Answer) -> Value:
    """Where a certified number lies; it is not narrowed further, which can take long."""
    if not answer.certified:
        raise Undecided(f"the value is not certified: {answer.doubt}")
    return Value(Real.of(answer.lower), Real.of(answer.upper), text=str(answer))


def _closed_form(known: Known, case: Any) -> Violation | None:
    return compared(sp.sympify(known.pair.profile(case.t)), "==", known.delta(case.t),
                    f"profile({case.t}) == delta({case.t})")


def _loss(known: Known, case: Any) -> Violation | None:
    """Between s < t: the integral of e^(s - z) Pr[Z > z], whose integrand falls."""
    s, t = sorted((case.s, case.t), key=float)
    below = [known.cdf(x) for x in (s, t)]
    inside = Real.of(1 - sp.exp(s - t))
    rest = known.delta(t).times(Real.of(sp.exp(s - t)))
    middle = known.delta(s)
    left, right = ((Value.of(1) - x).times(inside) + rest for x in (below[1], below[0]))
    return (compared(left, "<=", middle, f"the loss beyond {t} bounds delta({s}) from below")
            or compared(middle, "<=", right, f"the loss beyond {s} bounds delta({s}) from above"))


def _tradeoff(known: Known, case: Any) -> Violation | None:
    level = known.tradeoff(case.a)
    line = Value.of(1 - case.a) - level.times(Real.of(sp.exp(case.t)))
    return compared(line, "<=", known.delta(case.t),
                    f"1 - a - e^t f(a) <= delta(t) at a = {case.a}, t = {case.t}")


def _moment(known: Known, case: Any) -> Violation | None:
    q = sp.Integer(case.q)
    factor = (1 - 1 / q) ** q / (q - 1) * sp.exp(-(q - 1) * case.t)
    moment = known.moment(q)
    if moment.low.is_infinite:
        raise Undecided(f"E_{q} is infinite")
    return compared(known.delta(case.t), "<=", moment.times(Real.of(factor)),
                    f"delta(t) <= e^(-(q - 1) t) (1 - 1/q)^q/(q - 1) E_q at q = {q}, t = {case.t}")


def _definition(known: Known, case: Any) -> Violation | None:
    kind, *found = known.pair.numeric_pair({})
    with mp.workdps(15):
        alpha = mp.exp(mpf(sp.Rational(case.t).p) / sp.Rational(case.t).q) if (
            case.t.is_Rational) else mpf(str(sp.N(sp.exp(case.t), 30)))
        if kind == "finite":
            rows = [[mpf(Fraction(x).numerator) / Fraction(x).denominator if isinstance(
                x, (int, Fraction)) else mpf(x) for x in row] for row in found[0]]
            masses = [sum(row[side] for row in rows) for side in (0, 1)]
            value = sum(max(mpf(0), p - alpha * q) for p, q in rows)
        else:
            p, q, (lower, upper), kinks = found
            nodes = sorted({lower, *kinks, *(k + d for k in kinks for d in (-8, -2, 2, 8)), upper})
            nodes = [x for x in nodes if lower <= x <= upper]
            masses = [mp.quad(f, nodes) for f in (p, q)]
            value = mp.quad(lambda x: max(mpf(0), p(x) - alpha * q(x)), nodes)
    if any(abs(mass - 1) > mpf(1) / 10**8 for mass in masses):
        raise Undecided("quadrature misses mass of the distributions")
    near = Fraction(str(mp.nstr(value, 25)))
    about = Value(Real.of(near - NEAR), Real.of(near + NEAR), text=mp.nstr(value, 6))
    return compared(known.delta(case.t), "==", about,
                    f"delta({case.t}) is the quadrature of max(0, P - e^t Q), four digits")


def _point(pair: Pair | None) -> st.SearchStrategy[Any]:
    return points(pair) if isinstance(pair, FinitePair) else st.sampled_from(POINTS)


POINTS = (sp.Integer(0), sp.log(2), sp.Integer(1), -sp.log(2), sp.Integer(-1), sp.Rational(1, 10),
          sp.Rational(1, 2), sp.Rational(5, 2), sp.Integer(6))
LEVELS = tuple(sp.Rational(a) for a in ("1/2", "0", "1", "1/10", "1/1000"))
"""Few, for pairs other than finite ones: a certified value may take seconds."""
_CITED = "Chourasia et al. 2024"
ROUTES: tuple[tuple[str, str, str, dict[str, Any], Any, str], ...] = (
    ("definition", "the profile is that of the two distributions, by quadrature to four digits",
     f"{_CITED}, (6)", {"t": _point}, _definition, r"\delta(t) = \sup_S P(S) - e^t Q(S)"),
    ("closed form", "the closed form of the profile lies where the certified value does",
     f"{_CITED}, (6)", {"t": _point}, _closed_form, r"\delta(t)"),
    ("loss and profile", "delta(s) is the integral of e^(s - z) Pr[Z > z] beyond s",
     f"{_CITED}, Theorem 3.2", {"s": _point, "t": _point}, _loss,
     r"\delta(s) = \int_s^\infty e^{s - z} \Pr[Z > z]\,dz"),
    ("trade-off and profile", "1 - a - e^t f(a) <= delta(t)", f"{_CITED}, (11)",
     {"a": st.sampled_from(LEVELS), "t": _point}, _tradeoff, r"1 - a - e^t f(a) \le \delta(t)"),
    ("moments and profile", "delta(t) <= e^(-(q - 1) t) (1 - 1/q)^q/(q - 1) E_q",
     "Canonne, Kamath, Steinke 2020, Proposition 12", {"q": st.integers(2, 5), "t": _point},
     _moment, r"\delta(t) \le \tfrac{(1 - 1/q)^q}{q - 1} e^{-(q - 1) t} E_q"),
)
"""Name, what is said, source, what is drawn, test, LaTeX."""

__all__ = ["ROUTES", "pair_laws"]
