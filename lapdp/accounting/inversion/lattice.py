"""The privacy profile of many releases whose losses lie on a lattice z0 + h Z.

The moments are periodic up to a factor, so that the inversion integral (37) becomes a finite sum.
With q_j = gamma + 2 pi i j/(N h) and m0 the first lattice point above eps,

    (1/N) sum_j E_{q_j} K(q_j) = sum_n sum_m w(m) p(m + n N) e^((gamma-1) n N h),

where K sums e^((1-q) z) w over the lattice, w = max(0, 1 - e^(eps - z)) for gamma > 1 and
-min(1, e^(eps - z)) for 0 < gamma < 1: geometric series.  The terms n != 0 are the aliases, bounded
as for the integral with the period L = N h.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import flint

from lapdp.accounting.inversion.contour import unfold
from lapdp.accounting.inversion.saddle import Saddle, saddle
from lapdp.accounting.moments.exact import common_step
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported

MOST_NODES = 2_000_000
MOST_OPEN = 16
"""Lattice points that may lie on either side of eps; with more, a higher precision is asked for."""


def lattice(factors: Factors) -> tuple[Form, Form] | None:
    """(offset, step) of the losses of the whole product; None where they lie on no lattice."""
    parts = [(getattr(s, "lattice", None), k) for s, k in factors.parts]
    offset, steps = Form({}), []
    for found, k in parts:
        if found is None:
            return None
        offset = offset + found[0] * Form.of(k)
        steps.append(found[1])
    step = common_step(steps)
    return None if step is None else (offset, step)


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, for losses on a lattice."""
    found = lattice(factors)
    if found is None:
        raise Unsupported("the losses do not lie on a lattice")
    chosen = saddle(factors, float(eps), bits * LOG2)
    inner = bits + factors.count.bit_length() + 20
    with flint.ctx.workprec(inner + 20 + int(abs(chosen.gamma)).bit_length()):
        offset, step = (enclose(x, {}).real for x in found)
        step = abs(step)
        nodes = math.ceil(chosen.period / float(step)) + 1
        if nodes > MOST_NODES:
            raise Unsupported(f"the sum needs {nodes} terms, more than {MOST_NODES}")
        factors.refuse_many_terms(nodes // 2 + 1, chosen.gamma, 0.0, inner)
        total = _summed(factors, eps, chosen, nodes, offset, step, inner)
        # a shorter period bounds the aliases as well
        period = float((step * nodes).lower()) * (1 - 2.0**-50)
        return unfold(factors, eps, replace(chosen, period=period), total)


def _summed(factors: Factors, eps: Any, chosen: Saddle, nodes: int, offset: Any, step: Any,
            bits: int) -> Any:
    gamma = flint.arb(chosen.gamma)
    lines = [(s.line(gamma, 0.0, bits), k) for s, k in factors.parts]
    place = (eps - offset) / step
    # surely above eps; the points between that may lie above have a weight of about 0
    last = place.upper().floor().unique_fmpz()
    between = last - place.lower().floor().unique_fmpz()
    if between > MOST_OPEN:
        return flint.arb.nan()
    first = offset + step * (last + 1)
    open_weight = flint.arb(0)
    for m in range(int(between)):
        z = first - step * (m + 1)
        open_weight += ((1 - gamma) * z).exp() * abs((eps - z).expm1())
    blur = flint.arb(0, open_weight.upper())
    turn = 2 * flint.arb.pi() / (step * nodes)
    total = flint.arb(0)
    # j and N - j give conjugate terms
    for j in range(nodes // 2 + 1):
        q = flint.acb(gamma, turn * j)
        value = _kernel(q, first, eps, step, chosen.gamma > 1) + flint.acb(blur, blur)
        for line, k in lines:
            value *= line.at(turn * j) ** k
        total += value.real * (1 if j == 0 or 2 * j == nodes else 2)
    return total / nodes


def _kernel(q: Any, first: Any, eps: Any, step: Any, right: bool) -> Any:
    """The sum over z = first + m h of e^((1-q) z) w(z)."""
    above = (eps - q * first).exp() / (1 - (-q * step).exp())
    if right:
        return ((1 - q) * first).exp() / (1 - ((1 - q) * step).exp()) - above
    below = ((1 - q) * (first - step)).exp() / (1 - ((q - 1) * step).exp())
    return -(below + above)


__all__ = ["delta", "lattice"]
