"""Cards of answers about two mechanisms, a family, or a budget: what was asked, what was proved."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.core.errors import LapdpError
from lapdp.report.html.cards import framed
from lapdp.report.html.environment import math
from lapdp.report.html.things import Row, thing

if TYPE_CHECKING:
    from lapdp.accounting.budgets import Copies
    from lapdp.accounting.calibration import Calibration
    from lapdp.accounting.ordering.profiles import Dominance
    from lapdp.accounting.training import Training

DIGITS = 10
"""Of the crossings on a card."""
SHOWN = 6
"""Crossings on a card."""


def dominance_formula(found: Dominance) -> str:
    """What was asked, in LaTeX: the notion of the first pair lies above that of the second.

    >>> from lapdp import dominates, laplace
    >>> dominance_formula(dominates(laplace(1), laplace(2)))
    '\\\\delta_{1}(t) \\\\geq \\\\delta_{2}(t)'
    """
    first, second = (rf"\delta_{{{k}}}(t)" if found.letter == "t" else rf"R_q^{{({k})}}"
                     for k in (1, 2))
    return rf"{first} \geq {second}"


def dominance_card(found: Dominance) -> str:
    """Both mechanisms, the verdict with its method, crossings, and the place where it fails."""
    letter = found.letter
    rows: list[Row] = [
        ("asked", math(rf"{dominance_formula(found)} \quad \text{{for all }} {letter}",
                       block=True)),
        ("1", repr(found.larger)), ("2", repr(found.smaller)), ("by", found.method)]
    if found.reason:
        rows.append(("reason", found.reason))
    try:
        crossings = found.crossings(DIGITS)
        if found.failure is not None:
            at, larger, smaller = found.failure
            rows.append((f"at {letter} = {at}", f"{larger} < {smaller}"))
        if crossings:
            more = f", and {len(crossings) - SHOWN} more" if len(crossings) > SHOWN else ""
            rows.append(("crossings", "; ".join(
                f"{letter} = {c.at if c.exact is None else c.exact}"
                for c in crossings[:SHOWN]) + more))
    except LapdpError:
        pass  # the verdict stands without them
    return _card(found.verdict, "order of profiles" if letter == "t" else
                 "order of Renyi divergences", rows, found.verdict)


def calibration_card(found: Calibration) -> str:
    """The parameter that is proved to meet the target, the one that fails, and what is between."""
    rows: list[Row] = [] if found.exact is None else [
        ("optimum", math(sp.latex(found.exact), block=True))]
    rows += [("meets the target", _decimal(found.holds)), ("fails", _decimal(found.fails)),
             ("beyond it", found.monotone or "nothing is known: there may be more changes"),
             ("by", found.method)]
    return _card(str(found), "calibrated parameter", rows)


def copies_card(found: Copies) -> str:
    """How many releases keep within a budget, and the certified delta on both sides."""
    rows: list[Row] = [(f"delta of {number}", str(delta)) for number, delta in (
        (found.count, found.within), ((found.count or 0) + 1, found.beyond)) if delta is not None]
    rows += [("because", found.monotone), ("by", found.method)]
    return _card(str(found), "most releases within a budget", rows)


def training_card(found: Training) -> str:
    """What was asked of noisy training, what was given, and the answer of each direction."""
    rows: list[Row] = [(name, str(value)) for name, value in found.given.items()]
    rows += [("neighbours", found.neighbours)]
    rows += [("further", str(phase)) for phase in found.further]
    rows += [(f"direction {side}", str(each)) for side, each in found.directions.items()]
    rows += [("by", found.answer.method)]
    return _card(f"{found.asked} = {found}", "noisy training", rows)


def _decimal(number: Fraction) -> str:
    short = f"{float(number)!r}"
    return short if Fraction(short) == number else f"{short}, rounded; exactly {number}" if (
        number.denominator < 10**9) else f"{short}, rounded"


def _card(title: str, label: str, rows: list[Row], verdict: Any = "") -> str:
    return framed(thing(title=title, label=label, rows=rows, verdict=verdict))


__all__ = ["calibration_card", "copies_card", "dominance_card", "dominance_formula",
           "training_card"]
