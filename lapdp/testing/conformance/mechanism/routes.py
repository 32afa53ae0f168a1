"""Laws of one pair: those of all pairs, and the notions of this one against each other.

Each notion comes by a route of its own, so that a wrong one disagrees with the others.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
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
from lapdp.testing.conformance.mechanism.claims import NOTIONS, levels, points
from lapdp.testing.conformance.mechanism.sides import PairSides
from lapdp.testing.conformance.mechanism.subjects import Subject
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import Real, Value
from lapdp.testing.laws import LAWS

NEAR = Fraction(1, 10**4)
"""How near quadrature comes, kinks and tails included; it proves nothing."""

DIGITS = 20
"""Digits of certified values that a closed form is held against."""


def pair_laws(subject: Subject, pair: Pair) -> list[LawCheck]:
    """The laws of all pairs, then of the routes."""
    fixed = [LawCheck(name, law.says, law.source, "shape", subject.cases(), _law(law, pair),
                      rf"\text{{{name}}}", subject.name) for name, law in LAWS.items()]
    return fixed + [
        LawCheck(name, says, citation, "shape", subject.cases(**drawn), _asked(pair, test), latex,
                 subject.name)
        for name, says, citation, drawn, test, latex in ROUTES]


def _law(law: Any, pair: Pair) -> Callable[[Any], Violation | None]:
    def test(case: Any) -> Violation | None:
        outcome = law(pair)
        if outcome.holds is None:
            raise Undecided(outcome.detail)
        return None if outcome.holds else Violation(None, "==", None, outcome.detail)

    return test


def _asked(pair: Pair, test: Callable[[Pair, Any], Violation | None]
           ) -> Callable[[Any], Violation | None]:
    def run(case: Any) -> Violation | None:
        try:
            return test(pair, case)
        except Undefined as problem:
            raise Undecided(str(problem)) from None

    return run


def _about(answer: Answer) -> Value:
    """Where a certified number lies; it is not narrowed further, which can take long."""
    if not answer.certified:
        raise Undecided(f"the value is not certified: {answer.doubt}")
    return Value(Real.of(answer.lower), Real.of(answer.upper), text=str(answer))


def _delta(pair: Pair, t: Any) -> Value:
    return _about(pair.delta(t, DIGITS))


def _closed_form(pair: Pair, case: Any) -> Violation | None:
    return compared(sp.sympify(pair.profile(case.t)), "==", _delta(pair, case.t),
                    f"profile({case.t}) == delta({case.t})")


def _loss(pair: Pair, case: Any) -> Violation | None:
    """Between s < t: the integral of e^(s - z) Pr[Z > z], whose integrand falls."""
    s, t = sorted((case.s, case.t), key=float)
    below = [NOTIONS["loss"].truth(PairSides(pair), x) for x in (s, t)]
    inside = Real.of(1 - sp.exp(s - t))
    rest = _delta(pair, t).times(Real.of(sp.exp(s - t)))
    middle = _delta(pair, s)
    left, right = ((Value.of(1) - x).times(inside) + rest for x in (below[1], below[0]))
    return (compared(left, "<=", middle, f"the loss beyond {t} bounds delta({s}) from below")
            or compared(middle, "<=", right, f"the loss beyond {s} bounds delta({s}) from above"))


def _tradeoff(pair: Pair, case: Any) -> Violation | None:
    level = _about(pair.tradeoff(case.a, DIGITS))
    line = Value.of(1 - case.a) - level.times(Real.of(sp.exp(case.t)))
    return compared(line, "<=", _delta(pair, case.t),
                    f"1 - a - e^t f(a) <= delta(t) at a = {case.a}, t = {case.t}")


def _moment(pair: Pair, case: Any) -> Violation | None:
    q = sp.Integer(case.q)
    factor = (1 - 1 / q) ** q / (q - 1) * sp.exp(-(q - 1) * case.t)
    moment = _about(pair.moment(q, DIGITS))
    if moment.low.is_infinite:
        raise Undecided(f"E_{q} is infinite")
    return compared(_delta(pair, case.t), "<=", moment.times(Real.of(factor)),
                    f"delta(t) <= e^(-(q - 1) t) (1 - 1/q)^q/(q - 1) E_q at q = {q}, t = {case.t}")


def _definition(pair: Pair, case: Any) -> Violation | None:
    kind, *found = pair.numeric_pair({})
    with mp.workdps(30):
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
    return compared(_delta(pair, case.t), "==", about,
                    f"delta({case.t}) is the quadrature of max(0, P - e^t Q), four digits")


def _point(pair: Pair | None) -> st.SearchStrategy[Any]:
    if isinstance(pair, FinitePair):
        return points(pair)
    return st.fractions(-3, 3, max_denominator=12).map(sp.Rational) | points(pair)


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
     {"a": levels(), "t": _point}, _tradeoff, r"1 - a - e^t f(a) \le \delta(t)"),
    ("moments and profile", "delta(t) <= e^(-(q - 1) t) (1 - 1/q)^q/(q - 1) E_q",
     "Canonne, Kamath, Steinke 2020, Proposition 12", {"q": st.integers(2, 12), "t": _point},
     _moment, r"\delta(t) \le \tfrac{(1 - 1/q)^q}{q - 1} e^{-(q - 1) t} E_q"),
)
"""Name, what is said, source, what is drawn, test, LaTeX."""

__all__ = ["ROUTES", "pair_laws"]
