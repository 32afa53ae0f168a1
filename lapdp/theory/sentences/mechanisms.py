"""Masses and densities of the concrete mechanisms, and what their parameters must satisfy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.privacy.finite import FinitePair
from lapdp.privacy.mechanisms.exponential import Exponential
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.mechanisms.laplace import Laplace
from lapdp.privacy.mechanisms.outcomes import NamedOutcomes
from lapdp.privacy.mechanisms.randomized_response import RandomizedResponse
from lapdp.privacy.operations import Power, Product, Reversed
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.theory.sentences.scope import NotSaid
from lapdp.theory.sentences.terms import Terms


@dataclass(frozen=True)
class Finite:
    """Masses (P, Q) of each outcome, as terms."""

    rows: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Line:
    """The density of each side at a real number."""

    density: Callable[[int, int], int]


def parts_of_mechanism(e: Terms, m: Any) -> list[Finite | Line]:
    """A coordinate for each factor of a mechanism."""
    if isinstance(m, Product):
        return parts_of_mechanism(e, m.first) + parts_of_mechanism(e, m.second)
    if isinstance(m, Power) and isinstance(m.count, int) and m.count <= 8:
        return parts_of_mechanism(e, m.pair) * m.count
    if isinstance(m, Reversed):
        return [_reversed(part) for part in parts_of_mechanism(e, m.pair)]
    if isinstance(m, OverlappingMixtures):
        parts = parts_of_mechanism(e, m.pair)
        if len(parts) != 1:
            raise NotSaid("mixtures of a product")
        return [_mixed(e, parts[0], (e.real(m.first), e.real(m.second)))]
    b = e.b
    if isinstance(m, FinitePair):
        return [Finite(tuple((b.number(*p.as_integer_ratio()), b.number(*q.as_integer_ratio()))
                             for p, q in m.masses))]
    if isinstance(m, NamedOutcomes):
        return [Finite(tuple((e.real(p), e.real(q)) for _, p, q in m.table))]
    if isinstance(m, RandomizedResponse):
        eps, leak = e.real(m.eps), e.real(m.leak)
        low, high = (e.say(f"(1 - l) {odds} * inv(1 + exp(x))", l=leak, x=eps)
                     for odds in ("", "* exp(x)"))
        return [Finite(((leak, b.number(0)), (high, low), (low, high), (b.number(0), leak)))]
    if isinstance(m, (Laplace, Gaussian)):
        scale, shift = e.real(m.scale if isinstance(m, Laplace) else m.sigma), e.real(m.sensitivity)
        density = "inv(2 * s) * exp(-(abs(y) * inv(s)))" if isinstance(m, Laplace) else (
            "inv(s * sqrt(2 * pi)) * exp(-(y * y * inv(2 * (s * s))))")
        return [Line(lambda side, x: e.say(
            density, s=scale, y=e.say("x - d", x=x, d=shift) if side else x))]
    if isinstance(m, Exponential):
        rates = e.real(m.rate_p), e.real(m.rate_q)
        return [Line(lambda side, x: e.say("case(0 < x, r * exp(-(r * x)), 0)", r=rates[side],
                                           x=x))]
    raise NotSaid(f"the densities of {type(m).__name__}")


def _mixed(e: Terms, part: Finite | Line, weights: tuple[int, int]) -> Finite | Line:
    """w P + (1 - w) Q for the two weights of P."""
    def mixed(w: int, p: int, q: int) -> int:
        return e.say("w * p + (1 - w) * q", w=w, p=p, q=q)

    if isinstance(part, Finite):
        return Finite(tuple((mixed(weights[0], p, q), mixed(weights[1], p, q))
                            for p, q in part.rows))
    density = part.density
    return Line(lambda side, x: mixed(weights[side], density(0, x), density(1, x)))


def _reversed(part: Finite | Line) -> Finite | Line:
    if isinstance(part, Finite):
        return Finite(tuple((q, p) for p, q in part.rows))
    density = part.density
    return Line(lambda side, x: density(1 - side, x))


def conditions_of(m: Any) -> list[Any]:
    """What the documented range of the parameters says, as relations of SymPy."""
    if isinstance(m, Product):
        return conditions_of(m.first) + conditions_of(m.second)
    if isinstance(m, (Power, Reversed)):
        return conditions_of(m.pair)
    if isinstance(m, FinitePair):
        return []
    if isinstance(m, OverlappingMixtures):
        w, v = m.first, m.second
        return [*conditions_of(m.pair), *_within(v, sp.Ge), *_within(w - v, sp.Ge),
                *_within(1 - w, sp.Ge)]
    if isinstance(m, NamedOutcomes):
        return list(m.conditions)
    if isinstance(m, RandomizedResponse):
        return [*_within(m.eps, sp.Ge), *_within(m.leak, sp.Ge),
                *([sp.Le(m.leak, 1, evaluate=False)] if m.leak.free_symbols else [])]
    if isinstance(m, Laplace):
        return [*_within(m.scale, sp.Gt), *_within(m.sensitivity, sp.Gt)]
    if isinstance(m, Gaussian):
        return [*_within(m.sigma, sp.Gt), *_within(m.sensitivity, sp.Gt)]
    if isinstance(m, Exponential):
        return [*_within(m.rate_p, sp.Gt), *_within(m.rate_q - m.rate_p, sp.Gt)]
    raise NotSaid(f"the densities of {type(m).__name__}")


def _within(parameter: Any, relation: Any) -> list[Any]:
    """A parameter with symbols is above 0, unless its assumptions say so."""
    if not parameter.free_symbols or (parameter.is_Symbol and parameter.is_positive):
        return []
    return [relation(parameter, 0, evaluate=False)]


__all__ = ["Finite", "Line", "conditions_of", "parts_of_mechanism"]
