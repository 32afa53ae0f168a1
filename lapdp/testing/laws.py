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
reversal of moments: holds (symbolic)
moments from the profile: holds (symbolic)
commutativity: holds (symbolic)

Conversions, adaptive releases, samples and mixtures are checked on finite pairs, exactly; ``check``
passes their laws over for other pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.finite import FinitePair, exact
from lapdp.privacy.pair import Pair
from lapdp.testing.law_routes import by_balls, exactly, symbolically
from lapdp.testing.law_routes import exactly_combined as combined

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SYMBOLIC, EXACT, BALLS, NOT_REACHED = "symbolic", "exact", "balls", "not reached"
STRENGTH = {SYMBOLIC: 3, EXACT: 3, BALLS: 1, NOT_REACHED: 0}
"""Both full decisions are as strong as each other."""

Route = Callable[..., str]
"""Takes the pair and what the law takes beside it.  Returns what is violated, empty where nothing
is; raises Unsupported where it does not apply."""


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
    takes: tuple[str, ...] = ()
    """What the law takes beside the pair: ``"pair"``, ``"rate"``; each has a default."""

    def __str__(self) -> str:
        return (f"{self.name}: {self.says}\n  {self.source}\n"
                f"  proved for all pairs: {', '.join(self.statements)}")

    def __call__(self, pair: Pair, *others: Any) -> Outcome:
        """The outcome by the first method that reaches the pair.

        ``others`` are what the law takes beside it, all or none: pairs, and rates in [0, 1].
        Raises :class:`InputError` for what is no pair, no rate or too many.

        >>> from lapdp import finite
        >>> coin = finite(["2/3", "1/3"], ["1/3", "2/3"])
        >>> print(LAWS["joint convexity"](coin, coin.reverse(), "1/2"))
        joint convexity: holds (exact)
        """
        _require_pair(pair)
        if others and len(others) != len(self.takes):
            raise InputError(f"{self.name} takes a pair and {', '.join(self.takes) or 'nothing'}: "
                             f"{len(others)} more were given")
        given = [_rate(x) if kind == "rate" else _require_pair(x)
                 for kind, x in zip(self.takes, others, strict=False)]
        reasons = []
        for method, route in self.routes:
            try:
                violated = route(pair, *given)
            except (Unsupported, Undefined) as problem:
                reasons.append(f"{method}: {problem}")
                continue
            return Outcome(self.name, not violated, method, violated)
        return Outcome(self.name, None, NOT_REACHED, "; ".join(reasons))

    @property
    def reaches_finite_pairs_alone(self) -> bool:
        """Is the law checked in Fractions and in no other way?"""
        return all(method == EXACT for method, _ in self.routes)

    @property
    def latex(self) -> str:
        """The law as its first statement prints it, without dollars.

        >>> print(LAWS["trade-off inverse"].latex)
        f_{P|Q}(x)\\leq y\\iff f_{Q|P}(y)\\leq x
        """
        from lapdp.theory.library import shipped_library
        from lapdp.theory.loading import load

        paper, _, label = self.statements[0].partition("/")
        found = next(s for s in load(shipped_library() / paper) if s.label == label)
        return found.printed or found.encoded

    def cases(self, *, max_size: int = 3) -> SearchStrategy[tuple[Any, ...]]:
        """A strategy of what the law is called with: finite pairs, and rates with both ends.

        >>> from hypothesis import find
        >>> find(LAWS["subsampling remove"].cases(), lambda case: case[1] > 0)
        (finite([1], [1]), Fraction(1, 4))
        """
        from hypothesis import strategies as st

        from lapdp.testing.strategies import finite_pairs

        pairs = finite_pairs(max_size=max_size)
        rates = st.sampled_from([Fraction(n, 4) for n in range(5)]) | st.fractions(
            0, 1, max_denominator=12)
        return st.tuples(pairs, *(rates if kind == "rate" else pairs for kind in self.takes))


def _require_pair(pair: Any) -> Pair:
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    return pair


def _rate(value: Any) -> Fraction:
    rate = exact(value, "rate")
    if not 0 <= rate <= 1:
        raise InputError(f"rate = {rate} must lie between 0 and 1")
    return rate


def _law(name: str, says: str, source: str, *statements: str, symbolic: Route | None = None,
         exact: Route | None = None, balls: Route | None = None, takes: str = "") -> Law:
    found = ((EXACT, exact), (SYMBOLIC, symbolic), (BALLS, balls))
    return Law(name, says, source, statements, tuple((m, r) for m, r in found if r is not None),
               tuple(takes.split()))


LAWS: dict[str, Law] = {law.name: law for law in (
    _law("limits", "delta(-oo) = 1 and delta(oo) = Pr[Z = oo], in both directions",
         "Chourasia et al. 2024, (6)", "laws/shape.right", "laws/shape.left",
         exact=exactly.limits, symbolic=symbolically.limits, balls=by_balls.limits),
    _law("convexity", "delta is non-increasing, and convex in e^t",
         "a supremum of functions P(S) - e^t Q(S), Chourasia et al. 2024, (6)",
         "laws/shape.convex", "chourasia2024/footnote-8.2",
         exact=exactly.convexity, symbolic=symbolically.convexity, balls=by_balls.convexity),
    _law("bounds", "max(0, 1 - e^t) <= delta(t) <= 1",
         "the events of no and of all outcomes in (6)", "laws/shape.lower", "laws/shape.upper",
         exact=exactly.bounds, symbolic=symbolically.bounds, balls=by_balls.bounds),
    _law("reversal", "delta_{Q|P}(t) = 1 - e^t + e^t delta_{P|Q}(-t)",
         "Chourasia et al. 2024, (7)", "chourasia2024/eq-7.3",
         exact=exactly.reversal, symbolic=symbolically.reversal, balls=by_balls.reversal),
    _law("loss", "f_Z = delta'' - delta', where Z is finite", "Chourasia et al. 2024, Theorem 3.2",
         "laws/conversions.loss",
         exact=exactly.loss, symbolic=symbolically.loss),
    _law("dual loss", "f_{Z'}(y) = e^y f_Z(-y)", "Chourasia et al. 2024, (19)",
         "chourasia2024/eq-19", "laws/reversal.atoms",
         exact=exactly.dual_loss, symbolic=symbolically.dual_loss),
    _law("composition", "delta of a product is the mean of the second profile at t - Z, with "
         "Pr[Z = oo] added", "Chourasia et al. 2024, (47) as repaired",
         "chourasia2024/eq-47.1.repaired", "chourasia2024/section-5.claim-14.1",
         exact=exactly.composition, symbolic=symbolically.composition, balls=by_balls.composition,
         takes="pair"),
    _law("moments", "E_q of a product is the product of the E_q", "Chourasia et al. 2024, (8)",
         "laws/products.moments", "laws/characteristic.product",
         exact=exactly.moments, symbolic=symbolically.moments, takes="pair"),
    _law("dominance", "a product dominates its factors", "data processing, (42)",
         "laws/products.dominate",
         exact=exactly.dominance, symbolic=symbolically.dominance, balls=by_balls.dominance,
         takes="pair"),
    _law("data processing", "a coarser view has a smaller profile",
         "the events of a view are events, Chourasia et al. 2024, (6)", "laws/processing.event",
         "laws/processing.test", "laws/processing.channel",
         exact=exactly.data_processing, balls=by_balls.data_processing),
    _law("reversal of moments", "E_q(P||Q) = E_{1-q}(Q||P)", "Chourasia et al. 2024, (9)",
         "chourasia2024/eq-9.3", "laws/reversal.renyi", "laws/reversal.characteristic",
         exact=combined.moments_reversed, symbolic=symbolically.moments_reversed),
    _law("moments from the profile", "E_q = q (q - 1) B{delta - 1}(1 - q) for 0 < q < 1",
         "Chourasia et al. 2024, (3) with its strip", "chourasia2024/section-3.claim-3.repaired-3",
         "laws/conversions.through-moment", "laws/conversions.second-moment",
         exact=combined.from_profile, symbolic=symbolically.from_profile),
    _law("commutativity", "the order of independent releases does not matter",
         "Dong, Roth, Su 2022, Section 3", "laws/products.commute",
         "laws/products.tensor-commutes",
         exact=combined.commutes, symbolic=symbolically.commutes, balls=by_balls.commutes,
         takes="pair"),
    _law("associativity", "independent releases need no brackets",
         "Dong, Roth, Su 2022, Section 3", "laws/products.associate",
         "laws/products.tensor-associates", exact=combined.associates, takes="pair pair"),
    _law("trade-off inverse", "f_{Q|P} is the inverse of f_{P|Q}",
         "Dong, Roth, Su 2022, Lemma A.2", "laws/reversal.levels",
         "chourasia2024/figure-3.claim-1.trade-off", "laws/trade-offs.symmetric",
         exact=combined.inverse),
    _law("through the loss", "the profile gives the loss, and the loss the profile",
         "Sommer, Meiser, Mohammadi 2019, Lemma 6", "laws/conversions.through-loss",
         "chourasia2024/eq-1.1", "laws/characteristic.determines", "laws/characteristic.bound",
         "laws/characteristic.at-zero", exact=combined.through_loss),
    _law("through the trade-off function", "delta(log alpha) = sup_x 1 - x - alpha f(x)",
         "Chourasia et al. 2024, Section 4.1; Zhu, Dong, Wang 2022, Lemma 22, for (Q, P)",
         "laws/conversions.through-profile", "chourasia2024/section-4.1.claim-2.1",
         "chourasia2024/section-4.1.claim-2.2",
         exact=combined.through_tradeoff),
    _law("tensor product", "the trade-off function of a product is dual to its profile, and below "
         "those of its factors", "Dong, Roth, Su 2022, Section 3", "laws/products.tensor",
         "laws/products.tensor-below", "laws/products.tensor-determined",
         exact=combined.tensor, takes="pair"),
    _law("adaptive composition", "adaptive releases are dominated by the product of what dominates "
         "them", "Chourasia et al. 2024, Lemma 4.4; Zhu, Dong, Wang 2022, Theorem 10",
         "chourasia2024/lemma-4.4", "laws/dominance.adaptive-tensor",
         exact=combined.adaptive_composition, takes="pair"),
    _law("dominance under composition", "products keep the order of profiles",
         "Zhu, Dong, Wang 2022, Theorem 10", "laws/dominance.product", "laws/dominance.tensor",
         exact=combined.dominance_kept, takes="pair"),
    _law("Renyi dominance", "what is dominated has smaller moments at orders outside [0, 1]",
         "Chourasia et al. 2024, (44)", "laws/dominance.moments", 
         "chourasia2024/section-1.claim-12",
         "chourasia2024/definition-3.2.law-1",
         exact=combined.renyi_dominance),
    _law("subsampling remove", "delta(log(1 + rate (e^t - 1))) of a sample is rate delta(t)",
         "advanced joint convexity: Balle, Barthe, Gaboardi 2018", "laws/subsampling.remove",
         "laws/dominance.sampled-remove", exact=combined.remove, takes="rate"),
    _law("subsampling add", "the pair for addition is that for removal, reversed",
         "Zhu, Dong, Wang 2022, Theorem 11", "laws/subsampling.reversed", "laws/subsampling.add",
         "laws/dominance.sampled-add", exact=combined.add, takes="rate"),
    _law("joint convexity", "a hidden choice between two pairs has at most the mean profile",
         "joint convexity: Balle, Barthe, Gaboardi 2018", "laws/subsampling.joint-convexity",
         exact=combined.joint_convexity, takes="pair rate"),
)}
"""The laws by name."""


def check(pair: Pair, laws: Iterable[str] | None = None) -> list[Outcome]:
    """The outcomes of the laws named, or of all that are made for such a pair.

    What a law takes beside the pair are defaults: ``LAWS[name](pair, other)`` takes others.
    Raises :class:`InputError` for unknown names.

    >>> from lapdp import gaussian
    >>> [str(o) for o in check(gaussian(1), ["reversal", "composition"])]
    ['reversal: holds (balls)', 'composition: holds (balls)']
    """
    names = [name for name, law in LAWS.items() if isinstance(pair, FinitePair)
             or not law.reaches_finite_pairs_alone] if laws is None else list(laws)
    unknown = [name for name in names if name not in LAWS]
    if unknown:
        raise InputError(f"there is no law {unknown[0]!r}; there are {', '.join(LAWS)}")
    return [LAWS[name](pair) for name in names]


__all__ = ["LAWS", "STRENGTH", "Law", "Outcome", "check"]
