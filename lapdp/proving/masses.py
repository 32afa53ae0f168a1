"""Constants as sums of masses: c = w_1 oint p_1 + w_2 oint p_2 + ..., with weights read off.

Where an integrand is linear in the densities its coefficients there are the only weights with which
a constant can cancel it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Polynomial, plus
from lapdp.proving.balanced import Balanced
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.models import POINTS

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_WEIGHTS = 4
Weights = dict[int, Polynomial]


class MassWeights:
    """Relations between integrals and constants, the constants spread over the distributions."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.balanced = Balanced(prover)
        self.busy = False

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """The goal, ``s = t`` or ``s <= t``.  Raises :class:`NotFound`."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        constant = {m: c for m, c in gap.items() if not self._integral(m)}
        rest = {m: c for m, c in gap.items() if m not in constant}
        if self.busy or not rest or d.b.sorts[s] != "R":
            raise NotFound("no integrals of real functions")
        spoken = a.terms.term(rest, "R")
        for weights in self._weights(spoken, facts):
            total = constant
            for w in weights.values():
                total = plus(total, w, -1)
            if total and d.head(goal) == "eq":
                continue
            try:
                return self._with(goal, spoken, weights, facts)
            except (NotFound, NeedSplit):
                continue
        raise NotFound("no weights of the distributions fit")

    def _with(self, goal: int, spoken: int, weights: Weights, facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        whole, totals = spoken, []
        for p, w in weights.items():
            body = d.mk("dens", d.b.lift(p), d.b.bound(0, "O"))
            mass = d.mk("oint", body)
            whole = d.mk("add", whole, d.mk("mul", a.terms.term(w, "R"), mass))
            made = d.do("density", d.conj([d.mk("oiny", body), d.mk("eq", mass, d.num(1))]),
                        [], [p])
            totals.append(d.parts(made)[1])
        self.busy = True
        try:
            inner = a.compared(d.mk(d.head(goal), d.num(0), whole), facts)
        finally:
            self.busy = False
        return a.by_arithmetic(goal, [*facts, *totals, inner])

    def _integral(self, m: Monomial) -> bool:
        return any(self.a._speaks(self.a.terms.term({((a, 1),): 1})) for a, _ in m)

    def _weights(self, spoken: int, facts: Sequence[int]) -> Iterator[Weights]:
        """Weights that cancel the integrand in one of its pieces."""
        d, a = self.d, self.a
        body = a.normal(spoken, facts, a.choices(spoken)[0]).body
        _, x = d.fresh("O", "x")
        at = d.b.open(body, x)
        seen: list[Weights] = []
        for k in range(0, POINTS, 3):
            piece = self._piece(at, k)
            weights = None if piece is None else self._linear(a.reader.read(piece))
            if weights is not None and weights not in seen:
                seen.append(weights)
                yield weights
                if len(seen) == MOST_WEIGHTS:
                    return

    def _piece(self, t: int, k: int) -> int | None:
        """The term with its cases as they are at a point of the models."""
        d, models = self.d, self.a.models
        head, kids = d.head(t), d.kids(t)
        if head == "if":
            yes, no = models.masks(kids[0])
            if not (yes | no) >> k & 1:
                return None
            return self._piece(kids[1] if yes >> k & 1 else kids[2], k)
        if head in ("max", "min"):
            x, y = (models.values(u)[k] for u in kids)
            return self._piece(kids[int((y > x) == (head == "max"))], k)
        if head == "abs" and d.b.sorts[kids[0]] == "R":
            inner = self._piece(kids[0], k)
            below = models.values(kids[0])[k] < 0
            return d.neg(inner) if inner is not None and below else inner
        if head in ("add", "mul"):
            parts = [self._piece(u, k) for u in kids]
            known = [p for p in parts if p is not None]
            return d.mk(head, *known) if len(known) == 2 else None
        return t

    def _linear(self, f: Polynomial) -> Weights | None:
        """Minus the coefficients of the densities, powers by their tangent lines; None where f is
        not linear in them."""
        found: Weights = {}
        for whole, scale in f.items():
            line = self.a.losses.tangents.line(whole)
            for m, c in ({whole: 1} if line is None else line).items():
                inside = [(a, e) for a, e in m if self.d.head(
                    self.a.terms.term({((a, 1),): 1})) == "dens"]
                if len(inside) != 1 or inside[0][1] != 1:
                    return None
                p = self.d.kids(self.a.terms.term({((inside[0][0], 1),): 1}))[0]
                rest = tuple(x for x in m if x != inside[0])
                found[p] = plus(found.get(p, {}), {rest: -c * scale})
        return {p: w for p, w in found.items() if w}
