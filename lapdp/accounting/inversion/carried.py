"""delta where the atoms of few wide releases are carried by many narrow ones: these atoms apart.

Let X be the loss of some releases of atoms and pieces, A the product of the moments of their atoms
alone, and Y the loss of all others.  With p_z the masses of the sums z of these atoms,

    delta(eps) = sum of p_z delta_Y(eps - z) + what at least one draw from the pieces of X adds,

and the moment of the latter, (E_q[X] - A) E_q[Y], falls like 1/u along a line beside that of Y and
the 1/u^2 of the inversion integral (37).  Where Y is narrow its own atoms hardly fall where the
integral counts: with those of X it would be long.

With g(t) = delta_Y(t) - max(0, 1 - e^t), which is at most 1, and e^((1 - q) t) E_q[Y] for every
order q >= 1 and every q <= 0, only the g(eps - z) that count are worked out: by queries of their
own, or on one line for all of them (:mod:`lapdp.accounting.inversion.shared`).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from importlib import import_module
from itertools import product
from typing import Any

import flint

from lapdp.accounting.inversion import direct, few, shared, terms, window_atoms
from lapdp.accounting.inversion.atom_sums import Law, pieced
from lapdp.accounting.inversion.carried_parts import MOST_NODES, Carried, Rule, kernel, ways
from lapdp.accounting.inversion.contour import LEAST, moment_bound
from lapdp.accounting.inversion.saddle import Saddle, saddle
from lapdp.accounting.inversion.window_parts import Parts
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

FEW_PLACES, MOST_PLACES, MOST_BITS = 6, 2_000, 46
"""Sums of atoms that are queries of their own; those on one line; bits in doubles."""
USUAL, CHEAP = 39, 60_000
"""Bits and nodes that a choice is made for."""
LESS = 3
"""Bits fewer to which the rule is taken: the answer has some to spare."""
QUERY = 30_000
"""What a query costs, in nodes; a choice."""
SPARE, CLOSE = 60, 1.01
ORDERS = [2.0 ** (j / 2) for j in range(-24, 101)]
"""Distances of orders that are tried for the places that are left out."""


@dataclass(frozen=True)
class Place:
    """A sum z of atoms: how often each occurs, z, and its probability."""

    counts: tuple[tuple[int, ...], ...]
    loss: Any
    mass: Any

    def form(self, wide: Factors) -> Form:
        """z, exactly."""
        return reduce(operator.add, (
            atom.loss * Form.of(n) for (s, _), counts in zip(pieced(wide), self.counts, strict=True)
            for atom, n in zip(s.atoms, counts, strict=True)), Form({}))

    def exact(self, wide: Factors, eps: Any) -> Any:
        """eps - z."""
        return eps - self.form(wide).to_sympy()


@lru_cache(maxsize=16)
def _sums(wide: Factors, bits: int) -> list[Place]:
    with workprec(bits):
        laws = [Law(s, k, bits).sums(0) for s, k in pieced(wide)]
        return [Place(tuple(row[0] for row in rows), sum((row[1] for row in rows), flint.arb(0)),
                      reduce(operator.mul, (row[2] for row in rows))) for rows in product(*laws)]


@dataclass(frozen=True)
class Near:
    """Between which distances of eps from a place g is worked out, and the orders of its bounds
    elsewhere; chosen in doubles."""

    low: float
    high: float
    under: float
    over: float

    @staticmethod
    def of(narrow: Factors, least: float) -> Near:
        """So that g is below e^``least`` elsewhere."""
        def end(q: float) -> float:
            return (narrow.log_moment(q) - least) / abs(1 - q)

        def nearest(orders: list[float]) -> float:
            known = [(x, q) for q in orders if math.isfinite(x := end(q))]
            if not known:
                raise Unsupported("no places of atoms are found near eps in doubles")
            # large orders cost much
            return next(q for x, q in known if x <= min(known)[0] * CLOSE)

        over = nearest([q for x in ORDERS if (q := 1 + x) < narrow.upper])
        under = nearest([q for x in ORDERS if (q := -x) > narrow.lower])
        return Near(-end(under), end(over), under, over)


def has_lattice(pair: Pair) -> bool:
    """Do all narrow ones lie on one lattice, or all but those that have a formula?"""
    return any(not here.loose.parts or (
        here.on.parts and direct.profile(here.loose) is not None) for here in ways(pair))


def comes_first(pair: Pair, eps: Any) -> bool:
    """Does this take little, where a line for all atoms together would have many nodes?"""
    known = ways(pair)
    if not known:
        return False
    with workprec(USUAL + SPARE):
        point = exact_ball(eps).real
    with suppress(Unsupported, ArithmeticError):
        factors, goal = releases(pair), USUAL * LOG2
        line = saddle(factors, float(point), goal)
        top = 2 * math.pi / line.period * CHEAP
        if line.size < LEAST or factors.log_left(line.gamma, top) < (
                factors.log_moment(line.gamma) + max(0.0, math.log(kernel(line) * top)) - goal - 2):
            return False
        for here in known:
            chosen = here.rule(line, (USUAL - LESS) * LOG2)
            if chosen is not None and chosen.nodes <= CHEAP and (
                    not here.loose.parts or len(_near(here, point, line, USUAL)[0]) <= FEW_PLACES):
                return True
    return False


def in_doubles(pair: Pair, eps: Any, bits: int, profile: terms.Profile) -> Any:
    """The same as :func:`delta` with the rule in doubles."""
    if bits > MOST_BITS:
        raise Unsupported(f"not for more than {MOST_BITS} bits")
    try:
        machine = import_module("lapdp.accounting.inversion.carried_machine")
    except ImportError:
        raise Unsupported("NumPy is not installed") from None

    def rule(here: Carried, line: Saddle, known: Rule, point: Any) -> Any:
        with workprec(machine.BITS):
            return machine.beyond(here, line, known, point)

    return _delta(pair, eps, bits, profile, rule)


def _delta(pair: Pair, eps: Any, bits: int, profile: terms.Profile, rule: Callable[..., Any]
           ) -> Any:
    """A ball around delta(eps) of the finite losses, eps exact.

    ``profile(pair, t, bits)`` is a ball around the profile of the others to so many relative bits.
    Raises :class:`Unsupported` where no releases are wide, or too many sums or nodes are needed.
    """
    known = ways(pair)
    if not known:
        raise Unsupported("no releases with atoms and pieces stand beside others")
    backward = releases(pair.reverse())
    if not all((1 - side.finite_mass()).is_zero() for side in (releases(pair), backward)):
        raise Unsupported("losses may be infinite")
    with workprec(few.MOST_BITS):
        # it is multiplied by great heights
        point = exact_ball(eps).real
    line = saddle(releases(pair), float(point), bits * LOG2)
    if line.size < LEAST:
        raise Unsupported("too small for sums of atoms")
    found: list[tuple[int, Carried, Rule, list[Place], Any]] = []
    for here in known:
        chosen = here.rule(line, (bits - LESS) * LOG2)
        if chosen is None:
            continue
        if here.loose.parts:
            places, total = _near(here, point, line, bits)
        else:
            places, total = [], None
        found.append((chosen.nodes + QUERY * min(len(places), FEW_PLACES), here, chosen, places,
                      total))
    problems = [Unsupported(f"with the atoms of wide releases apart the rule needs more than "
                            f"{MOST_NODES} nodes")]
    for _, here, chosen, places, beside in sorted(found, key=lambda row: row[0]):
        try:
            total = _on_a_lattice(here, point, line, bits) if beside is None else _with_places(
                here, eps, line, places, beside, bits, profile)
            if not total.rad() < flint.arb(line.size).exp():
                # at a huge order a place next to eps may be anything: the rule would be in vain
                raise Unsupported("the sums of atoms are off by more than the answer")
            return total + rule(here, line, chosen, point)
        except Unsupported as problem:
            problems.append(problem)
    raise problems[-1]


def _on_a_lattice(here: Carried, point: Any, line: Saddle, bits: int) -> Any:
    """What the sums of atoms add, beside losses that all lie on one lattice."""
    none = Factors(())
    parts = Parts(here.parts, here.on, here.wide, none, here.wide)
    return window_atoms.delta(parts, point, bits, line)


def _near(here: Carried, point: Any, line: Saddle, bits: int) -> tuple[list[Place], Any]:
    """The places at which g is worked out, and all that the sums of atoms add beside it."""
    least = line.size - (bits + 4) * LOG2
    near = Near.of(here.narrow, least)
    places, total, more = [], flint.arb(0), flint.arb(0)
    away: tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]] = [], []
    with workprec(bits + SPARE):
        sums = _sums(here.wide, bits + SPARE + here.count.bit_length())
        tiny = math.exp(max(-700.0, least)) / len(sums)
        for place in sums:
            t = point - place.loss
            total += place.mass * (-t.expm1()).max(flint.arb(0))
            if place.mass < tiny:
                more += place.mass.upper()
            elif near.low < float(t) < near.high:
                places.append(place)
            else:
                away[bool(t > 0)].append((abs(t).lower(), place.mass))
        for rows, q in zip(away, (near.under, near.over), strict=True):
            if rows:
                nearest = reduce(flint.arb.min, (t for t, _ in rows))
                mass = sum((p for _, p in rows), flint.arb(0))
                more += mass * (-abs(1 - flint.arb(q)) * nearest).exp() * moment_bound(
                    here.narrow, q)
        return places, total + flint.arb(0).union(more.upper())


def _with_places(here: Carried, eps: Any, line: Saddle, places: Sequence[Place], total: Any,
                 bits: int, profile: terms.Profile) -> Any:
    """With g at the places."""
    if not places:
        return total
    if len(places) > MOST_PLACES:
        raise Unsupported(f"{len(places)} sums of atoms lie near eps, more than {MOST_PLACES}")
    if len(places) > FEW_PLACES:
        return total + _on_one_line(here, eps, line, places, bits)
    orders = max(line.gamma, min(2.0, (1 + here.narrow.upper) / 2)), max(
        -1.0, here.narrow.lower / 2)
    with workprec(bits + SPARE):
        point = exact_ball(eps).real
        rows = terms.sized([terms.Term(partial(place.exact, here.wide, eps), partial(
            operator.sub, point, place.loss), place.mass) for place in places], here.narrow, orders)
    return terms.by_queries(rows, here.others, orders, line.size, total, bits, profile)


def _on_one_line(here: Carried, eps: Any, line: Saddle, places: Sequence[Place], bits: int) -> Any:
    """The sum of p g over the places by the rule on one line."""
    gamma = line.gamma
    with workprec(few.MOST_BITS):
        point = exact_ball(eps).real
        losses = [[enclose(atom.loss, {}).real for atom in s.atoms] for s, _ in pieced(here.wide)]
        points = [(point - sum((n * x for atoms, counts in zip(losses, place.counts, strict=True)
                                for n, x in zip(counts, atoms, strict=True)), flint.arb(0)),
                   place.mass) for place in places]
    logs = [float(p.log()) + (1 - gamma) * float(t) for t, p in points]
    top = max(logs)
    # by how much all integrands together are larger than the answer
    over = (top + math.log(sum(math.exp(x - top) for x in logs)) + here.narrow.log_moment(gamma)
            - math.log(abs(gamma * (gamma - 1))) - line.size)
    more = 8 * math.ceil((bits + 4 + max(0.0, over / LOG2)) / 8)
    ends = [float(t) for t, _ in points]
    found = shared.profile(here.narrow, gamma, (min(ends), max(ends)), more, len(points))
    total = flint.arb(0)
    for t, p in points:
        total += p * (found(t) + shared.below_zero(t))
    return total


__all__ = ["comes_first", "has_lattice", "in_doubles", "ways"]
