"""Masses and densities of the concrete mechanisms, and what their parameters must satisfy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
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
from lapdp.kernel.saying import NotSaid, refuse
from lapdp.theory.sentences.terms import Terms

Two = tuple[int, int]
"""What belongs to P, and to Q."""
DENSITIES = {
    Laplace: ("inv(2 * scale) * exp(-(abs(x) / scale))",
              "inv(2 * scale) * exp(-(abs(x - sensitivity) / scale))"),
    Gaussian: ("inv(sigma * sqrt(2 * pi)) * exp(-(x * x / (2 * (sigma * sigma))))",
               "inv(sigma * sqrt(2 * pi)) * exp(-((x - sensitivity) * (x - sensitivity) /"
               " (2 * (sigma * sigma))))"),
    Exponential: ("case(0 < x, rate_p * exp(-(rate_p * x)), 0)",
                  "case(0 < x, rate_q * exp(-(rate_q * x)), 0)"),
}
"""Those of P and Q at a real number x."""
MOST_COPIES = 8
"""Of a power that is written out."""
LOST, LOW, HIGH = "leak", "(1 - leak) / (1 + exp(eps))", "(1 - leak) * exp(eps) / (1 + exp(eps))"
RESPONSES = ((LOST, "0"), (HIGH, LOW), (LOW, HIGH), ("0", LOST))
"""Masses of the outcomes of randomized response."""


@dataclass(frozen=True)
class Finite:
    """Masses of each outcome, as terms."""

    rows: tuple[Two, ...]


@dataclass(frozen=True)
class Line:
    """The densities at a real number."""

    densities: Callable[[int], Two]


def parts_of_mechanism(e: Terms, m: Any) -> list[Finite | Line]:
    """A coordinate for each factor of a mechanism."""
    match m:
        case Product():
            return parts_of_mechanism(e, m.first) + parts_of_mechanism(e, m.second)
        case Power(count=int(count)) if count <= MOST_COPIES:
            return parts_of_mechanism(e, m.pair) * count
        case Reversed():
            return [_each(part, lambda p, q: (q, p)) for part in parts_of_mechanism(e, m.pair)]
        case OverlappingMixtures():
            parts, w, v = parts_of_mechanism(e, m.pair), e.real(m.first), e.real(m.second)
            refuse(len(parts) != 1, "mixtures of a product")
            mean = "w * p + (1 - w) * q"
            return [_each(parts[0], lambda p, q: (e.say(mean, w=w, p=p, q=q),
                                                  e.say(mean, w=v, p=p, q=q)))]
        case FinitePair():
            return [Finite(tuple((e.b.number(*p.as_integer_ratio()),
                                  e.b.number(*q.as_integer_ratio())) for p, q in m.masses))]
        case NamedOutcomes():
            return [Finite(tuple((e.real(p), e.real(q)) for _, p, q in m.table))]
        case RandomizedResponse():
            return [Finite(tuple((_said(e, p, m), _said(e, q, m)) for p, q in RESPONSES))]
        case Laplace() | Gaussian() | Exponential():
            first, second = DENSITIES[type(m)]
            return [Line(lambda x: (_said(e, first, m, x=x), _said(e, second, m, x=x)))]
    raise NotSaid(f"the densities of {type(m).__name__}")


def _said(e: Terms, text: str, m: Any, **names: int) -> int:
    """A text of the parameters of a mechanism."""
    return e.say(text, **names, **{f.name: e.real(getattr(m, f.name)) for f in fields(m)})


def _each(part: Finite | Line, change: Callable[[int, int], Two]) -> Finite | Line:
    """Masses, or densities, changed together."""
    if isinstance(part, Finite):
        return Finite(tuple(change(p, q) for p, q in part.rows))
    densities = part.densities
    return Line(lambda x: change(*densities(x)))


def conditions_of(m: Any) -> list[Any]:
    """What the documented range of the parameters says, as relations of SymPy."""
    match m:
        case Product():
            return conditions_of(m.first) + conditions_of(m.second)
        case Power() | Reversed():
            return conditions_of(m.pair)
        case FinitePair():
            return []
        case NamedOutcomes():
            return list(m.conditions)
        case OverlappingMixtures():
            return conditions_of(m.pair) + _above(sp.Ge, m.second, m.first - m.second, 1 - m.first)
        case RandomizedResponse():
            most = sp.Le(m.leak, 1, evaluate=False)
            return _above(sp.Ge, m.eps, m.leak) + [most] * bool(m.leak.free_symbols)
        case Laplace(scale=scale) | Gaussian(sigma=scale):
            return _above(sp.Gt, scale, m.sensitivity)
        case Exponential():
            return _above(sp.Gt, m.rate_p, m.rate_q - m.rate_p)
    raise NotSaid(f"the densities of {type(m).__name__}")


def _above(relation: Any, *parameters: Any) -> list[Any]:
    """Parameters with symbols are above 0, unless their assumptions say so."""
    return [relation(x, 0, evaluate=False) for x in parameters
            if x.free_symbols and not (x.is_Symbol and x.is_positive)]
