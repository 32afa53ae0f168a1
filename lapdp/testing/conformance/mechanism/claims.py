"""Laws of closed forms and properties that are claimed of a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from lapdp.core.errors import InputError, Undefined
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.asking import compared
from lapdp.testing.conformance.checks import LawCheck
from lapdp.testing.conformance.findings import Violation
from lapdp.testing.conformance.mechanism.guarantees import oriented
from lapdp.testing.conformance.mechanism.sides import INFINITY, Sides, odds
from lapdp.testing.conformance.mechanism.subjects import Subject
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import Real, Value
from lapdp.testing.strategies.finite import alphas
from lapdp.testing.strategies.points import epsilons, magnitudes

Truth = Callable[[Sides, Any], Value]


def points(pair: Pair | None) -> st.SearchStrategy[Any]:
    """Points of a profile: numbers of both signs, logs of fractions, and the losses of the pair."""
    found: st.SearchStrategy[Any] = (epsilons(max_exponent=1).map(sp.Rational)
                                     | alphas().map(lambda a: sp.log(sp.Rational(a))))
    if isinstance(pair, FinitePair):
        kinks = pair.breakpoints()
        cuts = sorted({*kinks, *((a + b) / 2 for a, b in pairwise(kinks))})
        if cuts:
            found = st.sampled_from(cuts).map(lambda a: sp.log(sp.Rational(a))) | found
    return found


def levels() -> st.SearchStrategy[Any]:
    """Levels of tests, in [0, 1]."""
    return st.integers(1, 12).flatmap(lambda n: st.integers(0, n).map(
        lambda m: sp.Rational(m, n))) | magnitudes(-9, -1).map(sp.Rational)


def orders(pair: Pair | None) -> st.SearchStrategy[Any]:
    """Orders of Renyi divergences above 0, 1 apart."""
    return (st.integers(2, 40) | st.fractions("1/10", 10, max_denominator=10).filter(
        lambda q: q != 1)).map(sp.Rational)


@dataclass(frozen=True)
class Notion:
    """A closed form that can be claimed: where it is asked, its truth, and which side is safe."""

    letter: str
    drawn: Any
    truth: Truth
    safe: str
    """``truth safe claim`` where the claim is valid: an upper bound, or == for a law."""
    latex: str
    citation: str


def _profile(sides: Sides, t: Any) -> Value:
    return sides.delta(Real.of(t))


def _tradeoff(sides: Sides, a: Any) -> Value:
    pair = sides.as_pair()
    return sides.known(lambda: pair.tradeoff(a), lambda digits: pair.tradeoff(a, digits))


def _renyi(sides: Sides, q: Any) -> Value:
    pair = sides.as_pair()
    try:
        return sides.known(lambda: pair.renyi(q), lambda digits: pair.renyi(q, digits))
    except Undefined:
        return Value.of(INFINITY)


def _loss(sides: Sides, z: Any) -> Value:
    pair = sides.as_pair()
    if isinstance(pair, FinitePair):
        alpha = odds(Real.of(z))
        found = Fraction(0)
        for ratio, mass in pair.loss_masses():
            order = 1 if ratio is None else Real.of(ratio).compare(alpha)
            if order is None:
                raise Undecided(f"the loss log({ratio}) is not told from {z}")
            found += mass if order <= 0 else 0
        return Value.of(found)
    return Value.of(sp.sympify(pair.loss.cdf(z)))


NOTIONS: dict[str, Notion] = {
    "profile": Notion("t", points, _profile, "<=", r"\delta_{P|Q}(t)",
                      "Chourasia et al. 2024, (6)"),
    "tradeoff": Notion("a", levels(), _tradeoff, ">=", r"f_{P|Q}(a)",
                       "Chourasia et al. 2024, (11)"),
    "renyi": Notion("q", orders, _renyi, "<=", r"R_q(P\|Q)", "Chourasia et al. 2024, (8)"),
    "loss": Notion("z", points, _loss, "==", r"\Pr[Z \le z]",
                   "Chourasia et al. 2024, Definition 3.1"),
}
"""By the keyword of the claim."""
_WORDS = {"<=": "is at most", ">=": "is at least", "==": "is"}


def notion_laws(subject: Subject, name: str, claim: Any, *, tight: bool) -> list[LawCheck]:
    """A closed form that bounds the notion, and equals it where that is claimed too."""
    if not callable(claim):
        raise InputError(f"{name}= must be a function of one number and the parameters")
    notion = NOTIONS[name]

    def told(sides: Sides, case: Any) -> tuple[Any, Value]:
        at = getattr(case, subject.field(notion.letter))
        return at, subject.claimed_number(claim, name, case, at)

    def bounds(case: Any) -> Violation | None:
        sides = subject.valid_sides(case)
        at, claimed = told(sides, case)
        for direction in subject.directions:
            found = compared(notion.truth(oriented(sides, direction), at), notion.safe, claimed,
                             f"{sides}\nthe {direction} {name} {_WORDS[notion.safe]} "
                             f"{name}({at})")
            if found:
                return found
        return None

    cases = subject.cases(**{subject.field(notion.letter): notion.drawn})
    # "loss" is a law of all pairs
    title = "claimed loss" if name == "loss" else name
    laws = [LawCheck(title, f"the {name} {_WORDS[notion.safe]} what is claimed", notion.citation,
                     "shape" if notion.safe == "==" else "validity", cases, bounds,
                     f"{notion.latex} {_LATEX[notion.safe]} {_claim(notion)}", subject.name)]
    if not tight or notion.safe == "==":
        return laws
    return [*laws, _notion_attained(subject, name, claim, notion)]


_LATEX = {"<=": r"\le", ">=": r"\ge", "==": "="}


def _claim(notion: Notion) -> str:
    return rf"\text{{claim}}({notion.letter})"


def _notion_attained(subject: Subject, name: str, claim: Any, notion: Notion) -> LawCheck:
    searched = subject.searched()

    def attained(case: Any) -> Violation | None:
        at = getattr(case, subject.field(notion.letter))
        claimed = subject.claimed_number(claim, name, case, at)
        nearest: Violation | None = None
        for sides in searched(case):
            for direction in subject.directions:
                truth = notion.truth(oriented(sides, direction), at)
                found = compared(truth, "==", claimed, f"{sides}\nthe {direction} {name} is "
                                                       f"{name}({at})")
                if found is None:
                    return None
                if nearest is None or _nearer(truth, nearest, notion.safe):
                    nearest = found
        return nearest

    cases = subject.settings(**{subject.field(notion.letter): notion.drawn})
    return LawCheck(f"{name} attained", f"the {name} is what is claimed", notion.citation,
                    "tightness", cases, attained, f"{notion.latex} = {_claim(notion)}",
                    subject.name)


def _nearer(truth: Value, known: Violation, safe: str) -> bool:
    assert known.left is not None
    order = truth.low.compare(known.left.low)
    return order == (1 if safe == "<=" else -1)


def mass_laws(subject: Subject, claim: Any) -> list[LawCheck]:
    """The declared probability of an infinite loss."""
    def test(case: Any) -> Violation | None:
        sides = subject.valid_sides(case)
        claimed = subject.claimed_number(claim, "mass_at_infinity", case)
        return compared(sides.infinite_mass(), "==", claimed,
                        f"{sides}\nthe P-mass where Q has none is {claimed}")

    return [LawCheck("declared mass at infinity", "Pr[Z = oo] is what is declared",
                     "Chourasia et al. 2024, Definition 3.1", "shape", subject.cases(), test,
                     r"\Pr[Z = \infty] = \text{claim}", subject.name)]


def symmetry_laws(subject: Subject) -> list[LawCheck]:
    """Both directions have one profile."""
    def test(case: Any) -> Violation | None:
        sides, t = subject.valid_sides(case), Real.of(getattr(case, subject.field("t")))
        return compared(sides.delta(t), "==", sides.reverse().delta(t),
                        f"{sides}\ndelta_{{P|Q}}(t) == delta_{{Q|P}}(t)")

    return [LawCheck("symmetry", "delta_{P|Q} = delta_{Q|P}, as is claimed",
                     "Chourasia et al. 2024, (7)", "shape",
                     subject.cases(**{subject.field("t"): points}), test,
                     r"\delta_{P|Q}(t) = \delta_{Q|P}(t)", subject.name)]


def monotony_laws(subject: Subject, monotone: Any) -> list[LawCheck]:
    """More privacy in one direction of a parameter, the others held."""
    if not isinstance(monotone, Mapping) or not all(
            name in subject.over and way in ("increasing", "decreasing")
            for name, way in monotone.items()):
        raise InputError('monotone must be {"scale": "decreasing"}, names of over= with '
                         '"increasing" or "decreasing", for the profile')
    return [_monotone(subject, name, way) for name, way in monotone.items()]


def _monotone(subject: Subject, name: str, way: str) -> LawCheck:
    other = subject.field(f"other_{name}")

    def test(case: Any) -> Violation | None:
        first, second = getattr(case, name), getattr(case, other)
        if first == second:
            return None
        t = Real.of(getattr(case, subject.field("t")))
        low, high = (first, second) if bool(first < second) else (second, first)
        small, large = (subject.valid_sides(replace(case, **{name: v})).delta(t)
                        for v in ((low, high) if way == "increasing" else (high, low)))
        return compared(small, "<=", large, f"the profile is {way} in {name}, at {name} = {low} "
                                            f"and {high}")

    drawn: dict[str, Any] = {other: subject.over[name], subject.field("t"): points}
    return LawCheck(f"monotone in {name}", f"the profile is {way} in {name}, as is claimed",
                    "a claim", "shape", subject.cases(**drawn), test,
                    rf"\delta \text{{ is {way} in {name}}}", subject.name)


def claim_laws(subject: Subject, claims: Mapping[str, Any], *, tight: bool) -> list[LawCheck]:
    """The laws of all closed forms that are claimed."""
    found: Sequence[list[LawCheck]] = [
        notion_laws(subject, name, claim, tight=tight)
        for name, claim in claims.items() if claim is not None]
    return [law for laws in found for law in laws]


__all__ = ["NOTIONS", "claim_laws", "mass_laws", "monotony_laws", "notion_laws", "points",
           "symmetry_laws"]
