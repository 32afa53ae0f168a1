"""What a statement may claim and suppose: relations, convergence, existence, rates.

Relations are SymPy relationals kept unevaluated; the other forms are small frozen dataclasses.
A form used as a hypothesis restricts the instances, used as a claim it is to be proved.
Every free symbol of a statement is universally quantified over the domain its assumptions give.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Bilateral, OneSided
from lapdp.core.calls import fitting
from lapdp.core.errors import IllFormed, InputError
from lapdp.privacy.families import Composed, Conditional, parts_of
from lapdp.privacy.mixtures import coefficients
from lapdp.privacy.nodes import Distribution, Event, Loss, oriented


def Eq(lhs: Any, rhs: Any) -> Any:
    """``lhs == rhs`` wherever the hypotheses hold, both sides defined; never evaluated.

    >>> Eq(1, 2)
    Eq(1, 2)
    """
    return sp.Eq(lhs, rhs, evaluate=False)


def Ne(lhs: Any, rhs: Any) -> Any:
    """``lhs != rhs``."""
    return sp.Ne(lhs, rhs, evaluate=False)


def Le(lhs: Any, rhs: Any) -> Any:
    """``lhs <= rhs``."""
    return sp.Le(lhs, rhs, evaluate=False)


def Lt(lhs: Any, rhs: Any) -> Any:
    """``lhs < rhs``."""
    return sp.Lt(lhs, rhs, evaluate=False)


def Ge(lhs: Any, rhs: Any) -> Any:
    """``lhs >= rhs``."""
    return sp.Ge(lhs, rhs, evaluate=False)


def Gt(lhs: Any, rhs: Any) -> Any:
    """``lhs > rhs``."""
    return sp.Gt(lhs, rhs, evaluate=False)


@dataclass(frozen=True)
class Converges:
    """The integral of a transform node converges absolutely."""

    node: Any

    def __post_init__(self) -> None:
        if not isinstance(self.node, (Bilateral, OneSided)):
            raise IllFormed("Converges takes a transform: Converges(B(g, t, s))")


@dataclass(frozen=True)
class Diverges:
    """The integral of a transform node does not converge."""

    node: Any

    def __post_init__(self) -> None:
        if not isinstance(self.node, (Bilateral, OneSided)):
            raise IllFormed("Diverges takes a transform: Diverges(B(g, t, s))")


@dataclass(frozen=True)
class Defined:
    """An expression has a finite value."""

    expr: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "expr", number_or_expression(self.expr, "what is defined"))


@dataclass(frozen=True)
class Continuous:
    """``expr`` is a continuous function of the real variable ``t``."""

    expr: Any
    t: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "expr", number_or_expression(self.expr, "what is continuous"))


@dataclass(frozen=True)
class ContinuousOn:
    """``expr`` is a continuous function of ``t`` in [lower, upper], one-sided at the ends."""

    expr: Any
    t: Any
    lower: Any
    upper: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "expr", number_or_expression(self.expr, "what is continuous"))
        object.__setattr__(self, "lower", number_or_expression(self.lower, "an end"))
        object.__setattr__(self, "upper", number_or_expression(self.upper, "an end"))


@dataclass(frozen=True)
class ConvexOn:
    """``expr`` is a finite, convex function of ``t`` in [lower, upper]; in [lower, oo) for oo.

    As a hypothesis it is meant for an arbitrary function: ``ConvexOn(H(x), x, 0, oo)``.
    """

    expr: Any
    t: Any
    lower: Any
    upper: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "expr", number_or_expression(self.expr, "what is convex"))
        object.__setattr__(self, "lower", number_or_expression(self.lower, "an end"))
        object.__setattr__(self, "upper", number_or_expression(self.upper, "an end"))


@dataclass(frozen=True)
class NonincreasingOn:
    """``expr`` does not increase with ``t`` in [lower, upper]; in [lower, oo) for oo."""

    expr: Any
    t: Any
    lower: Any
    upper: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "expr", number_or_expression(self.expr, "what does not increase"))
        object.__setattr__(self, "lower", number_or_expression(self.lower, "an end"))
        object.__setattr__(self, "upper", number_or_expression(self.upper, "an end"))


@dataclass(frozen=True)
class ExistsPair:
    """There is a pair (P, Q) of distributions, on some space, with ``claim`` for all ``over``."""

    P: Any
    Q: Any
    claim: Any
    over: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        identity, reverse = oriented(self.P, self.Q)
        if reverse or identity.factors or identity.role or identity.mechanism:
            raise IllFormed("ExistsPair takes the members of an arbitrary pair, in order")


@dataclass(frozen=True)
class AbsolutelyContinuous:
    """``P << Q``: where Q has no mass P has none."""

    P: Any
    Q: Any

    def __post_init__(self) -> None:
        coefficients(self.P, self.Q)


@fitting
def ac(P: Any, Q: Any) -> AbsolutelyContinuous:
    """The hypothesis ``P << Q``."""
    return AbsolutelyContinuous(P, Q)


@dataclass(frozen=True)
class OneWayContinuous:
    """``P << Q`` or ``Q << P`` ("absolutely continuous in at least one direction")."""

    P: Any
    Q: Any

    def __post_init__(self) -> None:
        coefficients(self.P, self.Q)


@dataclass(frozen=True)
class NoAtom:
    """The loss variable Z has no atom at ``x``."""

    Z: Any
    x: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", number_or_expression(self.x, "the place of an atom"))
        if not isinstance(self.Z, Loss):
            raise IllFormed("NoAtom takes a loss variable: NoAtom(PLD(P, Q), eps)")


@dataclass(frozen=True)
class BigO:
    """``expr = O(bound)`` as ``t`` tends to ``point`` (oo or -oo)."""

    expr: Any
    bound: Any
    t: Any
    point: Any = sp.oo

    def __post_init__(self) -> None:
        object.__setattr__(self, "expr", number_or_expression(self.expr, "what is bounded"))
        object.__setattr__(self, "bound", number_or_expression(self.bound, "a bound"))
        object.__setattr__(self, "point", number_or_expression(self.point, "a place"))
        if self.point not in (sp.oo, -sp.oo):
            raise IllFormed(f"a rate is read at oo or -oo: for t -> {self.point} from above write "
                            f"t = {self.point + 1 / sp.Symbol('u')}, and let u tend to oo")


@dataclass(frozen=True)
class Exists:
    """There is a value of ``symbol`` with ``claim``, for each instance of the rest."""

    symbol: Any
    claim: Any
    where: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Implies:
    """Whenever ``hypothesis`` holds for ALL values of ``over``, so does ``conclusion``."""

    hypothesis: Any
    conclusion: Any
    over: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Iff:
    """``first`` holds exactly where ``second`` does, for each instance of the rest.

    A variable of ``over`` belongs to the one side in which it occurs, which is then meant for ALL
    its values.
    """

    first: Any
    second: Any
    over: tuple[Any, ...] = ()


@dataclass(frozen=True)
class NotAlways:
    """``claim`` does not hold in general: where the hypotheses hold, it fails somewhere."""

    claim: Any


@dataclass(frozen=True)
class SameMeasure:
    """Two linear combinations of distributions on one space are equal as measures."""

    lhs: Any
    rhs: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "lhs", number_or_expression(self.lhs, "a measure"))
        object.__setattr__(self, "rhs", number_or_expression(self.rhs, "a measure"))


@dataclass(frozen=True)
class ExistsDistributions:
    """There are distributions ``made``, on the space of those they are compared with, with all
    ``claims`` (each a :class:`SameMeasure`)."""

    made: tuple[Any, ...]
    claims: tuple[SameMeasure, ...]

    def __post_init__(self) -> None:
        if not all(isinstance(d, Distribution) for d in self.made):
            raise IllFormed("ExistsDistributions takes distributions: made by distributions(...)")
        if not self.claims or not all(isinstance(c, SameMeasure) for c in self.claims):
            raise IllFormed("ExistsDistributions claims SameMeasure(...), one or more of them")


@dataclass(frozen=True)
class AllOf:
    """Every one of ``claims`` holds: ``AllOf((Le(a, b), Le(c, d)))``."""

    claims: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.claims, tuple) or not self.claims:
            raise IllFormed("AllOf takes claims: AllOf((first, second))")


@dataclass(frozen=True)
class ExistsEvents:
    """There are events ``made`` of the space with all ``claims``.

    A claim may be made for all events: ``ExistsEvents((T,), (Le(P(T), d), ForAll((S,), ...)))``.
    """

    made: tuple[Any, ...]
    claims: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not self.made or not all(isinstance(s, Event) for s in self.made):
            raise IllFormed('ExistsEvents takes events: made by Event("S")')
        if not isinstance(self.claims, tuple) or not self.claims:
            raise IllFormed("ExistsEvents takes claims: ExistsEvents((S,), (first, second))")


@dataclass(frozen=True)
class ImpliesOn:
    """Whenever ``hypothesis`` holds for ALL ``t`` in [lower, upper], so does ``conclusion``."""

    hypothesis: Any
    conclusion: Any
    t: Any
    lower: Any = 0
    upper: Any = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", number_or_expression(self.lower, "an end"))
        object.__setattr__(self, "upper", number_or_expression(self.upper, "an end"))
        if any(self.t in sp.sympify(e).free_symbols
               for e in (*expressions(self.conclusion), self.lower, self.upper)):
            raise IllFormed(f"{self.t} is bound in the hypothesis of this implication: "
                            "say the conclusion, and the ends, with another letter")


@dataclass(frozen=True)
class ForAll:
    """``claim`` holds for all values of ``over`` that satisfy ``where``.

    ``over`` holds variables, whole numbers and outcomes of families alike: as a hypothesis,
    ``ForAll((t, x), Le(delta(P2x, Q2x)(t), delta(P2, Q2)(t)))``.
    """

    over: tuple[Any, ...]
    claim: Any
    where: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        for name in ("over", "where"):
            given = getattr(self, name)
            if not isinstance(given, tuple):
                object.__setattr__(self, name, tuple(given) if isinstance(given, list)
                                   else (given,))
        if not all(isinstance(s, sp.Symbol) for s in self.over):
            raise IllFormed("ForAll takes variables: ForAll((t,), claim)")


Claim = Any
"""A SymPy relational or one of the dataclasses above."""

FORMS = (
    Relational,
    Converges,
    Diverges,
    Defined,
    Continuous,
    ContinuousOn,
    ConvexOn,
    NonincreasingOn,
    ExistsPair,
    AbsolutelyContinuous,
    OneWayContinuous,
    NoAtom,
    BigO,
    Exists,
    Implies,
    Iff,
    NotAlways,
    SameMeasure,
    ExistsDistributions,
    AllOf,
    ExistsEvents,
    ImpliesOn,
    ForAll,
)


SEVERAL = ("is not one claim: say AllOf((first, second)) where claims are meant, and several "
           "conditions as a tuple, (first, second)")


def expressions(form: Any) -> tuple[Any, ...]:
    """The SymPy expressions inside a claim or hypothesis, in order."""
    if isinstance(form, Relational):
        return (form.lhs, form.rhs)
    if isinstance(form, (Converges, Diverges)):
        return (form.node,)
    if isinstance(form, Defined):
        return (form.expr,)
    if isinstance(form, Continuous):
        return (form.expr,)
    if isinstance(form, (ContinuousOn, ConvexOn, NonincreasingOn)):
        return (form.expr, form.lower, form.upper)
    if isinstance(form, (AbsolutelyContinuous, OneWayContinuous)):
        return (form.P, form.Q)
    if isinstance(form, NoAtom):
        return (form.Z, form.x)
    if isinstance(form, BigO):
        return (form.expr, form.bound)
    if isinstance(form, (Exists, ForAll)):
        inner = [x for h in form.where for x in expressions(h)]
        return (*expressions(form.claim), *inner)
    if isinstance(form, Implies):
        return (*expressions(form.hypothesis), *expressions(form.conclusion))
    if isinstance(form, Iff):
        return (*expressions(form.first), *expressions(form.second))
    if isinstance(form, (NotAlways, ExistsPair)):
        return expressions(form.claim)
    if isinstance(form, SameMeasure):
        return (form.lhs, form.rhs)
    if isinstance(form, (ExistsDistributions, AllOf, ExistsEvents)):
        return tuple(e for c in form.claims for e in expressions(c))
    if isinstance(form, ImpliesOn):
        return (*expressions(form.hypothesis), *expressions(form.conclusion), form.lower,
                form.upper)
    if isinstance(form, sp.And):
        raise IllFormed(f"{form!r} {SEVERAL}")
    raise IllFormed(f"{form!r} is not a claim: use Eq, Le, Converges, Implies, ...")


def bound_symbols(form: Any) -> set[Any]:
    """Symbols that a form itself quantifies or consumes."""
    if isinstance(form, (Continuous, ContinuousOn, ConvexOn, NonincreasingOn, ImpliesOn, BigO)):
        return {form.t}
    if isinstance(form, Exists):
        return {form.symbol}
    if isinstance(form, ForAll):
        return set(form.over) | bound_symbols(form.claim)
    if isinstance(form, (Implies, Iff)):
        sides = (form.hypothesis, form.conclusion) if isinstance(form, Implies) else (
            form.first, form.second)
        return set(form.over) | _bound_within(sides)
    if isinstance(form, ExistsPair):
        return {form.P, form.Q, *form.over, *bound_symbols(form.claim)}
    if isinstance(form, ExistsDistributions):
        return set(form.made)
    if isinstance(form, (AllOf, ExistsEvents)):
        own = set(form.made) if isinstance(form, ExistsEvents) else set()
        return own | _bound_within(form.claims)
    if isinstance(form, NotAlways):
        return bound_symbols(form.claim)
    return set()


def _bound_within(forms: Iterable[Any]) -> set[Any]:
    """Symbols that some of the forms bind and none leaves free."""
    bound: set[Any] = set()
    free: set[Any] = set()
    for form in forms:
        own = bound_symbols(form)
        bound |= own
        free |= {s for e in expressions(form) for s in sp.sympify(e).free_symbols} - own
    return bound - free


def parameters(form: Any) -> list[Any]:
    """The universally quantified symbols of a form, sorted by name; distributions left out."""
    free: set[Any] = set()
    for e in expressions(form):
        free |= set(sp.sympify(e).free_symbols)
    for identity in pairs_of(form):
        free |= letters_inside(identity)
    free -= bound_symbols(form)
    return sorted(
        (s for s in free if not isinstance(s, Distribution) and type(s) is sp.Symbol),
        key=lambda s: str(s.name),
    )


def letters_inside(identity: Any) -> set[Any]:
    """The symbols in the mechanisms and in the number of releases of a pair."""
    found: set[Any] = set()
    for part in (p for atom in identity.atoms() for p in parts_of(atom)):
        if is_dataclass(part.mechanism):
            found |= {s for f in fields(part.mechanism) for s in getattr(
                getattr(part.mechanism, f.name), "free_symbols", ())}
        if isinstance(part.role, (Composed, Conditional)):
            found |= part.role.index.free_symbols | part.role.composition.letters
    return found


def pairs_of(form: Any) -> list[Any]:
    """The pairs a form speaks about, sorted by name."""
    seen: dict[int, Any] = {}
    for e in expressions(form):
        for s in sp.sympify(e).free_symbols - bound_symbols(form):
            if isinstance(s, Distribution):
                seen[id(s.pair)] = s.pair
    return sorted(seen.values(), key=lambda p: str(p.name))


def free_events(statement: Any) -> list[Any]:
    """The events a statement is claimed for, whatever they are, sorted by name."""
    found = {s for form in (statement.claim, *statement.where) for e in expressions(form)
             for s in sp.sympify(e).free_symbols - bound_symbols(form) if isinstance(s, Event)}
    return sorted(found, key=lambda s: str(s.name))


def number_or_expression(value: Any, what: str) -> Any:
    """A Python number as SymPy's; ill-formed for a float, whose value is another than it shows.

    >>> number_or_expression(1, "a bound")
    1
    """
    if isinstance(value, (sp.Basic, *FORMS)):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise IllFormed(f"{what} is an expression or a whole number, not {value!r}: write a "
                        "fraction as Rational(1, 10)")
    return sp.Rational(value.numerator, value.denominator)


def _symbols(names: str, **assumptions: bool) -> Any:
    made = tuple(sp.Symbol(n, **assumptions) for n in names.replace(",", " ").split())
    return made[0] if len(made) == 1 else made


def reals(names: str) -> Any:
    """Real variables: ``eps, t = reals("eps t")``."""
    return _symbols(names, real=True)


def positives(names: str) -> Any:
    """Positive real variables."""
    return _symbols(names, positive=True)


def complexes(names: str) -> Any:
    """Complex variables: ``q = complexes("q")``."""
    return _symbols(names, complex=True)


@fitting
def naturals(names: str, start: int = 0) -> Any:
    """Whole numbers from 0 on, or from ``start`` = 1: ``k = naturals("k")``."""
    if start not in (0, 1):
        raise InputError(f'whole numbers start at 0 or 1: write naturals("{names}", start=1) and '
                         f"suppose Ge(..., {start})")
    return _symbols(names, integer=True, **{("nonnegative", "positive")[start]: True})


def functions(names: str) -> Any:
    """Arbitrary functions on R (under integrals signed measures): ``g, h = functions("g h")``."""
    made = tuple(sp.Function(n) for n in names.replace(",", " ").split())
    return made[0] if len(made) == 1 else made
