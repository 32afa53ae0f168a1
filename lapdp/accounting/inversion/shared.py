"""The privacy profile of many releases at many points by one line, to one absolute accuracy.

Beside a lattice with the masses p_k the profile delta' of all others is wanted at t_k = eps - z_k,
and of the sum of p_k delta'(t_k) only the whole has to be sharp.  On the line Re q = gamma of the
saddle of all releases together the rule at t is sharp as compared with its integrand there,
e^((1 - gamma) t) E'_gamma/|gamma (gamma - 1)|, and

    sum p_k e^((1 - gamma) t_k) E'_gamma = e^((1 - gamma) eps) E_gamma,

which is the size of the integrand for the whole: one table serves all places, on the line that
would be taken for the whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from importlib import import_module
from typing import Any

import flint

from lapdp.accounting.inversion import cell_profiles, contour, one_circle, residues, split
from lapdp.accounting.inversion.atom_sums import pieced
from lapdp.accounting.inversion.few import few, is_bounded
from lapdp.accounting.inversion.saddle import Saddle, beside, exponent, height, in_steps
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES, MOST_WORK, MOST_DOUBLES, DOUBLES = 20_000, 2_000_000, 500_000, 52
"""Of a rule in balls: nodes, and terms of moments; nodes in doubles, and bits that these have."""
MOST_BITS = 1 << 15
"""Bits of a rule: more are asked for only where its integrand is nothing like the answer."""
MANY_POINTS = 40
"""From which on short sums over corners, which take points together, come first."""
FARTHEST = 10**9
"""Numbers of nodes that are compared."""
_in_use: ContextVar[list[str] | None] = ContextVar("in_use", default=None)
Profile = Callable[[Any], Any]
"""A ball around the profile of the finite losses at a ball of many bits."""


def below_zero(t: Any) -> Any:
    """min(0, e^t - 1), continuous at 0: what the profile at t is beyond, as the sum of all places
    has the lattice alone apart."""
    return flint.arb(0) if t >= 0 else t.expm1() if t < 0 else t.expm1().union(flint.arb(0))


@contextmanager
def noting(found: list[str]) -> Iterator[None]:
    """Whatever rule in doubles serves meanwhile is noted: it rests on how these are rounded."""
    before = _in_use.set(found)
    try:
        yield
    finally:
        _in_use.reset(before)


def _note(name: str) -> None:
    found = _in_use.get()
    if found is not None:
        found.append(name)


def profile(factors: Factors, gamma: float, ends: tuple[float, float], bits: int, points: int = 1
            ) -> Profile:
    """For about so many points between two ends: within about 2^-bits of e^((1 - gamma) t) E_gamma
    over |gamma (gamma - 1)|.

    Raises :class:`Unsupported` where one line does not serve.
    """
    if not (0 < gamma < 1 or 1 < gamma < factors.upper):
        raise Unsupported("the line lies outside the strip of the others")
    if bits > MOST_BITS:
        raise Unsupported(f"the rule for all places needs {bits} bits, more than {MOST_BITS}")
    if points > MANY_POINTS and residues.is_short(factors):
        with suppress(Unsupported):
            return one_circle.OneCircle(factors, gamma, ends, bits)
    if cell_profiles.parted(factors) is not None and any(
            isinstance(s, PiecewiseSpectrum) for s, _ in factors.parts):
        with suppress(Unsupported):
            return cell_profiles.profile(factors, gamma, bits)
    if bits <= DOUBLES:
        with suppress(Unsupported):
            return _in_doubles(factors, line(factors, gamma, ends, bits), bits)
    taken = in_pieces(factors)
    if taken is None or not split.splits(factors):
        try:
            return _in_balls(factors, line(factors, gamma, ends, bits), bits)
        except Unsupported:
            # atoms may be left on the line beside losses with formulas, too
            with suppress(Unsupported):
                if residues.has_families(factors) or residues.is_short(factors):
                    return one_circle.OneCircle(factors, gamma, ends, bits)
            if taken is None or not is_bounded(taken):
                raise
    if taken.count > split.FEW and not any(s.pieces for s, _ in pieced(taken)):
        raise Unsupported("many losses have nothing but atoms: no draw of theirs decays")
    chosen = line(taken, gamma, ends, bits)
    if bits <= DOUBLES and taken.count > split.FEW and is_bounded(taken):
        with suppress(Unsupported):
            return _in_pieces_and_doubles(taken, chosen, bits, points)
    return _in_pieces(taken, chosen, bits)


def line(factors: Factors, gamma: float, ends: tuple[float, float], bits: int) -> Saddle:
    """The line with a period for all points: aliases from the right count most at the lower end,
    those from the left at the upper one."""
    low, high = (beside(factors, t, gamma, exponent(factors, t)(gamma), bits * LOG2) for t in ends)
    return replace(low, period=max(low.period, high.period), inner=high.inner)


def nodes(factors: Factors, gamma: float, ends: tuple[float, float], bits: int) -> float:
    """How many nodes the rule of :func:`profile` has, infinite where there is none; a choice."""
    with suppress(Unsupported, ArithmeticError):
        return _nodes(factors, line(factors, gamma, ends, bits), bits, FARTHEST)
    return math.inf


def _nodes(factors: Factors, chosen: Saddle, bits: int, most: int) -> int:
    top = height(factors, chosen, bits * LOG2)
    nodes = in_steps(top * chosen.period / (2 * math.pi))
    if nodes > most:
        raise Unsupported(f"the rule for all places needs {nodes} nodes, more than {most}")
    return nodes


def _in_doubles(factors: Factors, chosen: Saddle, bits: int) -> Profile:
    """By the rule of :mod:`lapdp.accounting.inversion.machine`."""
    try:
        machine = import_module("lapdp.accounting.inversion.machine")
    except ImportError:
        raise Unsupported("NumPy is not installed") from None
    nodes = _nodes(factors, chosen, bits, MOST_DOUBLES) + 1
    table = machine._table(factors, chosen.gamma, chosen.period, nodes)

    def at(t: Any) -> Any:
        _note("one line in doubles")
        with workprec(machine.BITS):
            line = replace(chosen, period=2 * flint.arb.pi() / flint.arb(table.step))
            return contour.unfold(factors, t, line, table.total(t))

    return at


def _in_balls(factors: Factors, chosen: Saddle, bits: int) -> Profile:
    nodes = _nodes(factors, chosen, bits, MOST_NODES)
    work = contour._work(factors, chosen.gamma, chosen.period, nodes, bits)
    if work > MOST_WORK:
        raise Unsupported(f"the rule for all places takes {work} terms, more than {MOST_WORK}")
    table = contour._table(factors, chosen.gamma, chosen.period, nodes, bits)

    def at(t: Any) -> Any:
        with workprec(table.precision):
            return contour.unfold(factors, t, chosen, table.total(t))

    return at


def _in_pieces(factors: Factors, chosen: Saddle, bits: int) -> Profile:
    """Few draws from the continuous parts apart, as in
    :mod:`lapdp.accounting.inversion.split`."""
    choice = split.on_line(factors, chosen, bits * LOG2)
    rest = split.without_atoms(factors, choice.draws)
    size = exponent(factors, 0.0)(chosen.gamma)
    table = None if choice.draws >= factors.count else split._table(
        rest, chosen.gamma, chosen.period, choice.nodes, bits)

    def at(t: Any) -> Any:
        found = few(factors, choice.draws, t, bits, _enough(chosen, size, t))
        if table is None:
            return found
        with workprec(table.precision):
            return found + contour.unfold(rest, t, chosen, table.total(t))

    return at


def _in_pieces_and_doubles(factors: Factors, chosen: Saddle, bits: int, points: int = 1
                           ) -> Profile:
    """The same with fewer draws apart and the rule for all others in doubles, as in
    :mod:`lapdp.accounting.inversion.split_machine`, whose bounds hold at every t on one line."""
    try:
        machine = import_module("lapdp.accounting.inversion.split_machine")
    except ImportError:
        raise Unsupported("NumPy is not installed") from None
    draws, nodes = machine.choice(factors, chosen, bits * LOG2, points)
    size = exponent(factors, 0.0)(chosen.gamma)

    def at(t: Any) -> Any:
        _note("one line in doubles, few draws apart")
        found = few(factors, draws, t, bits, _enough(chosen, size, t))
        with workprec(machine.BITS):
            return found + machine.beyond(factors, draws, chosen, nodes, t)

    return at


def _enough(chosen: Saddle, size: float, t: Any) -> float:
    """The size of the integrand at t, beside which few draws are worked out."""
    return math.exp(max(-700.0, min(0.0, size + (1 - chosen.gamma) * float(t) - 5)))


__all__ = ["Profile", "below_zero", "line", "nodes", "profile"]
