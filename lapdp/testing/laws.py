"""Laws that every pair (P, Q) obeys, each decided by the strongest method that reaches it.

A *symbolic* decision is an identity or a sign for all points and all parameters, an *exact* one
compares Fractions at all breakpoints of a finite pair, one by *balls* compares proved enclosures at
points: it refutes with a proof, and confirms only at those points.

Each law names statements of the library, which the engine proves for all pairs at once
(``lapdp show laws/shape.convex``); what a pair of this package claims of itself is checked here.

>>> from lapdp import laplace
>>> for outcome in check(laplace(1)):
...     print(outcome)
limits: holds (symbolic)
convexity: holds (symbolic)
bounds: holds (symbolic)
reversal: holds (symbolic)
loss: holds (symbolic)
dual loss: holds (symbolic)
composition: holds (symbolic)
moments: holds (symbolic)
dominance: holds (symbolic)
data processing: holds (balls)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.pair import Pair
from lapdp.testing.law_routes import by_balls, exactly, symbolically

SYMBOLIC, EXACT, BALLS, NOT_REACHED = "symbolic", "exact", "balls", "not reached"
STRENGTH = {SYMBOLIC: 3, EXACT: 3, BALLS: 1, NOT_REACHED: 0}
"""Both full decisions are as strong as each other."""

Route = Callable[[Pair], str]
"""Returns what is violated, empty where nothing is; raises Unsupported where it does not apply."""


@dataclass(frozen=True)
class Outcome:
    """What became of a law at a pair."""

    law: str
    holds: bool | None
    """None where no method reaches the pair."""
    method: str
    detail: str = ""
    """The violation, or why no method applies."""

    def __str__(self) -> str:
        word = {True: "holds", False: "fails", None: "open"}[self.holds]
        return f"{self.law}: {word} ({self.method}){': ' * bool(self.detail)}{self.detail}"


@dataclass(frozen=True)
class Law:
    """A law with its source; called with a pair it gives an :class:`Outcome`.

    >>> print(LAWS["reversal"])
    reversal: delta_{Q|P}(t) = 1 - e^t + e^t delta_{P|Q}(-t)
      Chourasia et al. 2024, (7)
      proved for all pairs: chourasia2024/eq-7.3
    """

    name: str
    says: str
    source: str
    statements: tuple[str, ...]
    """Ids in the library: what the engine proves of all pairs."""
    routes: tuple[tuple[str, Route], ...]
    """Methods, the strongest first."""

    def __str__(self) -> str:
        return (f"{self.name}: {self.says}\n  {self.source}\n"
                f"  proved for all pairs: {', '.join(self.statements)}")

    def __call__(self, pair: Pair) -> Outcome:
        """The outcome by the first method that reaches the pair.

        Raises :class:`InputError` for what is no pair.
        """
        if not isinstance(pair, Pair):
            raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
        reasons = []
        for method, route in self.routes:
            try:
                violated = route(pair)
            except (Unsupported, Undefined) as problem:
                reasons.append(f"{method}: {problem}")
                continue
            return Outcome(self.name, not violated, method, violated)
        return Outcome(self.name, None, NOT_REACHED, "; ".join(reasons))


def _law(name: str, says: str, source: str, *statements: str, symbolic: Route | None = None,
         exact: Route | None = None, balls: Route | None = None) -> Law:
    found = ((EXACT, exact), (SYMBOLIC, symbolic), (BALLS, balls))
    return Law(name, says, source, statements, tuple((m, r) for m, r in found if r is not None))


LAWS: dict[str, Law] = {law.name: law for law in (
    _law("limits", "delta(-oo) = 1 and delta(oo) = Pr[Z = oo], in both directions",
         "Chourasia et al. 2024, (6)", "laws/shape.lower", "laws/shape.upper", "laws/shape.right",
         exact=exactly.limits, symbolic=symbolically.limits, balls=by_balls.limits),
    _law("convexity", "delta is non-increasing, and convex in e^t",
         "a supremum of functions P(S) - e^t Q(S), Chourasia et al. 2024, (6)",
         "chourasia2024/footnote-8.2.repaired", "laws/shape.convex",
         exact=exactly.convexity, symbolic=symbolically.convexity, balls=by_balls.convexity),
    _law("bounds", "max(0, 1 - e^t) <= delta(t) <= 1",
         "the events of no and of all outcomes in (6)", "laws/shape.lower", "laws/shape.upper",
         exact=exactly.bounds, symbolic=symbolically.bounds, balls=by_balls.bounds),
    _law("reversal", "delta_{Q|P}(t) = 1 - e^t + e^t delta_{P|Q}(-t)",
         "Chourasia et al. 2024, (7)", "chourasia2024/eq-7.3",
         exact=exactly.reversal, symbolic=symbolically.reversal, balls=by_balls.reversal),
    _law("loss", "f_Z = delta'' - delta', where Z is finite", "Chourasia et al. 2024, Theorem 3.2",
         "laws/conversions.loss",
         symbolic=symbolically.loss),
    _law("dual loss", "f_{Z'}(y) = e^y f_Z(-y)", "Chourasia et al. 2024, (19)",
         "chourasia2024/eq-19",
         symbolic=symbolically.dual_loss),
    _law("composition", "delta of a product is the mean of the second profile at t - Z, with "
         "Pr[Z = oo] added", "Chourasia et al. 2024, (47) as repaired",
         "chourasia2024/eq-47.1.repaired", "chourasia2024/section-5.claim-14.1",
         exact=exactly.composition, symbolic=symbolically.composition, balls=by_balls.composition),
    _law("moments", "E_q of a product is the product of the E_q", "Chourasia et al. 2024, (8)",
         "laws/products.moments",
         exact=exactly.moments, symbolic=symbolically.moments),
    _law("dominance", "a product dominates its factors", "data processing, (42)",
         "laws/products.dominate",
         exact=exactly.dominance, symbolic=symbolically.dominance, balls=by_balls.dominance),
    _law("data processing", "a coarser view has a smaller profile",
         "the events of a view are events, Chourasia et al. 2024, (6)", "laws/processing.event",
         "laws/processing.test",
         exact=exactly.data_processing, balls=by_balls.data_processing),
)}
"""The laws by name."""


def check(pair: Pair, laws: Iterable[str] | None = None) -> list[Outcome]:
    """The outcomes of all laws, or of those named; :class:`InputError` for unknown names.

    >>> from lapdp import gaussian
    >>> [str(o) for o in check(gaussian(1), ["reversal", "composition"])]
    ['reversal: holds (balls)', 'composition: holds (balls)']
    """
    names = list(LAWS if laws is None else laws)
    unknown = [name for name in names if name not in LAWS]
    if unknown:
        raise InputError(f"there is no law {unknown[0]!r}; there are {', '.join(LAWS)}")
    return [LAWS[name](pair) for name in names]


__all__ = ["LAWS", "STRENGTH", "Law", "Outcome", "check"]
