"""Integrands with transforms, compared with those of the named facts of inversion.

f is w exp(i u X), or w exp(-s X), almost everywhere; exp(-i u v), or exp(s v), times its integral
is the transform of the fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Source:
    """A fact with its parameters: w, X, v, for a line its r, and what is known of it."""

    name: str
    weight: int
    seen: int
    place: int
    rate: int | None

    @property
    def terms(self) -> list[int]:
        """As the kernel wants them."""
        return [self.weight, self.seen, self.place, *([] if self.rate is None else [self.rate])]


class Waves:
    """Integrands at one letter u, for a :class:`Prover`, under facts that :meth:`start` takes."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.facts: list[int] = []
        self.equal: dict[tuple[int, int], int] = {}
        self.letter = "", 0
        self.integrable: list[int] = []

    def start(self, facts: Sequence[int]) -> None:
        """Forget what was compared; these are the facts from now on."""
        self.facts, self.equal, self.integrable = list(facts), {}, []
        self.letter = self.d.fresh("R", "u")

    def source(self, f: int, u: int) -> Source | None:
        """The fact about the integrand at the letter u; None where there is none."""
        d, a = self.d, self.a
        transforms = a.uniqueness.transforms(f, u)
        if len(transforms) != 1:
            return None
        (one,) = transforms
        inside = set(d.subterms(one.term))
        rates = [d.kids(d.kids(s)[0])[0] for s in d.subterms(f) if d.head(s) == "add"
                 and d.head(d.kids(s)[0]) == "cx" and s == self._line(d.kids(d.kids(s)[0])[0], u)]
        rate = rates[0] if rates else None
        line = self._wave(u) if rate is None else self._line(rate, u)
        loss = a.uniqueness.loss(one.p, one.q)
        turned = self._same(one.exponent, d.neg(line)) != (rate is not None)
        if not turned and not self._same(one.exponent, line if rate is None else d.neg(line)):
            return None
        for e in d.subterms(f):
            if d.head(e) == "exp" and e not in inside and u in d.subterms(e):
                for v in self._numbers(e, u):
                    if self._same(d.kids(e)[0], d.mul(line, d.mk("cx", v if rate is not None
                                                                 else d.neg(v)))):
                        return Source("gil-pelaez" if rate is None else "bromwich",
                                      a.uniqueness.weight(one.p, one.q, d.num(0)),
                                      d.neg(loss) if turned else loss, v, rate)
        return None

    def _wave(self, u: int) -> int:
        return self.d.mk("mul", self.d.mk("i"), self.d.mk("cx", u))

    def _line(self, rate: int, u: int) -> int:
        return self.d.mk("add", self.d.mk("cx", rate), self._wave(u))

    def _same(self, s: int, t: int) -> bool:
        return bool(self.a.reader.read(s) == self.a.reader.read(t))

    def _numbers(self, e: int, u: int) -> Iterator[int]:
        """Numbers of which an exponent may be a multiple."""
        d = self.d
        for t in reversed(d.subterms(e)):
            if d.b.sorts[t] == "R" and u not in d.subterms(t):
                yield t
                yield d.neg(t)

    def same(self, f: int, g: int, u: int, source: Source, given: int) -> int:
        """f = g under a condition, f the integrand of the claim and g that of the fact."""
        d, a = self.d, self.a
        zero = d.mk("eq", u, d.num(0))
        apart = []
        if source.rate is None:
            size = d.mk("abs", u)
            small = d.assume(zero)
            none = a.refute([given, a.prove(d.mk("eq", size, d.num(0)), [small]), small])
            apart = [d.taut(d.mk("not", zero), d.disch(zero, none))]
        key = (f, g)
        if key not in self.equal:
            self.equal[key] = self._wave_equation(f, g, u, source, [
                *self.facts, *(d.assume(d.mk("not", zero)) for _ in apart)])
        found = self.equal[key]
        for i in apart:
            found = d.mp(d.disch(d.claim(i), found), i)
        return found

    def _wave_equation(self, f: int, g: int, u: int, source: Source, facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        (one,) = a.uniqueness.transforms(f, u)
        # oint f = oint w exp(i u X), and exp(-i u v) times that is the transform of the fact
        line = self._wave(u) if source.rate is None else d.neg(self._line(source.rate, u))
        bare = d.mul(d.mk("cx", source.weight), d.mk("exp", d.mul(line, d.mk("cx", source.seen))))
        (inside,) = d.kids(one.term)
        alike, same = self._transform(inside, bare, facts)
        factor = d.mk("exp", d.mul(d.neg(line), d.mk("cx", source.place)))
        scaled = d.mk("mul", factor, bare)
        plain = d.mk("oint", bare)
        iny = a.prove(d.mk("oiny", bare), facts)
        self._keep(d.taut(d.mk("oiny", inside), alike, iny), facts)
        _, product = d.parts(d.do("integral", d.conj([d.mk("oiny", scaled), d.mk(
            "eq", d.mk("oint", scaled), d.mul(factor, plain))]), [iny], ["scale", factor]))
        inner = next(t for t in d.subterms(g) if d.head(t) == "oint")
        shifted = a.uniqueness.everywhere("oint", scaled, d.kids(inner)[0], [])
        return a.identity(d.mk("eq", f, g), [same, d.chain(d.turn(shifted), product)])

    def _keep(self, iny: int, facts: Sequence[int]) -> None:
        """Keep ``oiny f`` for all u, u != 0 where that was supposed."""
        d = self.d
        name, u = self.letter
        apart = d.mk("not", d.mk("eq", u, d.num(0)))
        if apart in {d.claim(i) for i in facts}:
            iny = d.disch(apart, iny)
        self.integrable.append(d.gen(name, "R", iny))

    def _transform(self, f: int, bare: int, facts: Sequence[int]) -> list[int]:
        """oiny f <-> oiny g and oint f = oint g: at every outcome, or almost everywhere."""
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        at = d.mk("eq", *(d.b.open(t, x) for t in (f, bare)))
        try:
            everywhere = d.gen(name, "O", a.uniqueness.pointwise(at, facts))
        except (NotFound, NeedSplit):
            return a._alike_outside(f, bare, facts)
        return [d.under("oiny", everywhere), d.under("oint", everywhere)]

    def converges(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny f`` for a transform that was compared with that of a fact; None for others."""
        d = self.d
        for general in self.integrable:
            for t in d.subterms(goal):
                if d.head(t) == "v" and d.b.sorts[t] == "R":
                    made = d.inst(general, t)
                    claim = d.claim(made)
                    if claim == goal:
                        return made
                    if d.head(claim) == "imp" and d.kids(claim)[1] == goal:
                        return d.mp(made, self.a.prove(d.kids(claim)[0], facts))
        return None
