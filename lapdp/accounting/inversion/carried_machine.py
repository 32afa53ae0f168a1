"""What draws from the pieces of wide releases add, in double precision, rounding bounded.

See :mod:`lapdp.accounting.inversion.carried`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.atom_sums import pieced
from lapdp.accounting.inversion.carried_parts import Carried, Rule
from lapdp.accounting.inversion.contour import unfold
from lapdp.accounting.inversion.machine import BITS, TOGETHER, Rows, Table, over_kernel
from lapdp.accounting.inversion.machine_factors import moments_of
from lapdp.accounting.inversion.machine_parts import Law
from lapdp.accounting.inversion.saddle import Saddle
from lapdp.accounting.inversion.split_machine import power, times
from lapdp.accounting.moments.doubled import DOUBLE, SAFE, UNIT, bits_for, joined, powered, sizes
from lapdp.core.precision import workprec


def beyond(here: Carried, line: Saddle, rule: Rule, eps: Any) -> Any:
    """At one eps, at the working precision of the moment."""
    table = _table(here, line.gamma, rule)
    chosen = replace(line, period=2 * flint.arb.pi() / flint.arb(table.step))
    return unfold(here, eps, chosen, table.total(eps))


@lru_cache(maxsize=16)
def _table(here: Carried, gamma: float, rule: Rule) -> Table:
    step, count = 2 * math.pi / rule.period, rule.nodes
    with workprec(bits_for(step)):
        laws = [Law.of(s, k, gamma, step, count) for s, k in pieced(here.wide)]
        beside = [moments_of(s, k, gamma, step * (count - 1), step, count)
                  for s, k in here.narrow.parts]
        size = flint.arb(1)
        for mean, copies in [(x.mean, x.copies) for x in laws] + [
                (x.mean, x.copies) for x in beside]:
            size *= mean**copies
        known = [(moments.moments(step, count, DOUBLE), moments.copies) for moments in beside]
        return Table(gamma, step, _rows(laws, known, gamma, step, count), size,
                     (here.rest(gamma, step, rule) / size).upper(), [])


def _rows(laws: list[Law], beside: list[Any], gamma: float, step: float, count: int) -> Rows:
    values, errors = np.empty(count, dtype=complex), np.empty(count)
    for first in range(0, count, TOGETHER):
        part = slice(first, min(first + TOGETHER, count))
        whole, atoms = None, None
        for law in laws:
            less = powered(*law.less(part), law.copies)
            whole = less if whole is None else joined(*whole, *less)
            alone = law.numbers(part)[0]
            one = np.ones_like(alone[0]), np.zeros_like(alone[1])
            alone = power(alone, law.copies, one)
            atoms = alone if atoms is None else times(atoms, alone)
        assert whole is not None and atoms is not None
        value = 1 + whole[0] - atoms[0]
        here = value, SAFE * (whole[1] + atoms[1] + 2 * UNIT * (sizes(value) + sizes(atoms[0])))
        others = None
        for (less, off), copies in beside:
            found = powered(less[part], off[part], copies)
            others = found if others is None else joined(*others, *found)
        if others is not None:
            other = 1 + others[0]
            here = times(here, (other, SAFE * (others[1] + UNIT * sizes(other))))
        u = step * np.arange(part.start, part.stop, dtype=float)
        values[part], errors[part] = over_kernel(*here, u, gamma, DOUBLE)
    # where a bound is no number nothing is known
    return Rows(values, np.where(np.isfinite(errors), errors, np.inf), DOUBLE)


__all__ = ["BITS", "beyond"]
