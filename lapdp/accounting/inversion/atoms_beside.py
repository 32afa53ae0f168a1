"""delta of a product some of whose factors have few losses: the sum over all of them.

With p_z the probability of the loss z under these factors and delta' the profile of all others,
delta(eps) is the sum of p_z delta'(eps - z), as in :mod:`lapdp.accounting.inversion.beside`, where
the losses lie on a lattice: here they need not, and all are taken.  Beside one release that has a
formula this takes next to no time; beside rare huge losses most terms are next to nothing.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from typing import Any

import flint

from lapdp.accounting.inversion import direct, rare, terms
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.operations import factors as factors_of
from lapdp.privacy.pair import Pair

MOST_ATOMS, MOST_ALONE, FEW = 2_000, 60, 12
"""Sums of losses beside a formula, those of one factor, and those beside other releases."""
HIGH, LOW = 2.0, -1.0
"""Orders of the bounds that say which terms count, where the line is on their left."""


@dataclass(frozen=True, eq=False)
class Atoms:
    """A pair as the product of factors of few losses and of the others."""

    losses: dict[Form, list[tuple[tuple[int, ...], ...]]]
    """Each sum of losses with the ways to it: how often each loss of each factor occurs."""
    factors: list[tuple[list[Any], int]]
    """For each factor the masses of its losses and its copies."""
    others: Pair


@lru_cache(maxsize=8)
def _masses(found: Atoms, bits: int) -> list[Any]:
    """The probabilities of the sums."""
    with workprec(bits):
        known = [([enclose(mass, {}).real for mass in masses], k) for masses, k in found.factors]
        return [sum((_mass(way, known) for way in ways), flint.arb(0))
                for ways in found.losses.values()]


def _mass(way: tuple[tuple[int, ...], ...], known: list[tuple[list[Any], int]]) -> Any:
    total = flint.arb(1)
    for counts, (masses, copies) in zip(way, known, strict=True):
        left = copies
        for p, m in zip(masses, counts, strict=True):
            total *= flint.arb.bin_uiui(left, m) * p**m
            left -= m
    return total


@lru_cache(maxsize=64)
def atoms(pair: Pair) -> Atoms | None:
    """The factors of few losses apart; None where there are none, no others, or too many sums."""
    on: list[tuple[list[tuple[Form, Any]], int]] = []
    others = []
    for factor, count in factors_of(pair):
        parts = releases(factor).parts
        known = [_losses(s) for s, _ in parts]
        if all(rows is not None for rows in known):
            on += [(rows, k * count) for rows, (_, k) in zip(known, parts, strict=True) if rows]
        else:
            others.append(factor**count)
    if not on or not others or math.prod(
            math.comb(k + len(rows) - 1, k) for rows, k in on) > MOST_ATOMS:
        return None
    sums: dict[Form, list[tuple[tuple[int, ...], ...]]] = {Form({}): [()]}
    for rows, k in on:
        here: dict[Form, list[tuple[tuple[int, ...], ...]]] = {}
        for counts in _counts(k, len(rows)):
            step = reduce(operator.add, (z * Form.of(m) for (z, _), m in zip(
                rows, counts, strict=True)), Form({}))
            for place, ways in sums.items():
                here.setdefault(place + step, []).extend((*way, counts) for way in ways)
        sums = here
    return Atoms(sums, [([mass for _, mass in rows], k) for rows, k in on],
                 reduce(operator.mul, others))


def _losses(spectrum: Any) -> list[tuple[Form, Any]] | None:
    """(loss, mass), where they are finitely many."""
    if not isinstance(spectrum, ExactSpectrum) or not spectrum.is_atomic:
        return None
    return [(place, orders[0]) for place, orders in spectrum.loss.impulses.items()]


def _counts(total: int, parts: int) -> list[tuple[int, ...]]:
    """All tuples of so many whole numbers >= 0 with a sum."""
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1)
            for rest in _counts(total - first, parts - 1)]


def has_formula(pair: Pair) -> bool:
    """Is there a formula for all others?  Not where many places of one lattice are all losses."""
    found = atoms(pair)
    if found is None or (len(found.factors) == 1 and len(found.losses) > MOST_ALONE):
        return False
    return terms.formulas(found.others) is not None and not direct.has_corners(
        releases(found.others))


def is_few(pair: Pair) -> bool:
    """Are there so few sums that each may be a query of its own, all others having rare huge
    losses, of which one may decide?"""
    found = atoms(pair)
    return found is not None and len(found.losses) <= FEW and rare.is_rare(releases(found.others))


def delta(pair: Pair, eps: Any, bits: int, profile: terms.Profile) -> Any:
    """A ball around delta(eps) of the finite losses, eps exact.

    ``profile(pair, t, bits)`` is a ball around the profile of the others to so many relative bits.
    Raises :class:`Unsupported` where there are too many sums of losses.
    """
    found = atoms(pair)
    if found is None:
        raise Unsupported("no factors have few losses, beside others")
    forward, backward = releases(found.others), releases(found.others.reverse())
    if not all((1 - side.finite_mass()).is_zero() for side in (forward, backward)):
        raise Unsupported("losses beside those that are few may be infinite")
    known = terms.formulas(found.others)
    if known is None and len(found.losses) > FEW:
        raise Unsupported(f"{len(found.losses)} sums of losses, more than {FEW}")
    total, rows = flint.arb(0), []
    for place, size in zip(found.losses, _masses(
            found, bits + releases(pair).count.bit_length() + 60), strict=True):
        rows.append(terms.Term(partial(_exact, eps, place), partial(_ball, eps, place), size))
        # what the losses add alone
        total += size * (-_ball(eps, place).expm1()).max(flint.arb(0))
    if known is not None:
        return total + terms.by_formulas(rows, found.others, known, bits, profile)
    line = saddle(releases(pair), float(exact_ball(eps).real), bits * LOG2)
    orders = (line.gamma if line.gamma > 1 else min(HIGH, (1 + forward.upper) / 2),
              max(LOW, forward.lower / 2))
    return terms.by_queries(terms.sized(rows, forward, orders), found.others, orders, line.size,
                            total, bits, profile)


def _exact(eps: Any, loss: Form) -> Any:
    return eps - loss.to_sympy()


def _ball(eps: Any, loss: Form) -> Any:
    return exact_ball(eps).real - enclose(loss, {}).real


__all__ = ["Atoms", "atoms", "delta", "has_formula", "is_few"]
