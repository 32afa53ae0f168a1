"""Sentences about mixtures by way of others, in which a mixture is a distribution of its own.

What holds for every distribution holds for sum w_i P_i with w_i >= 0 and sum w_i = 1: the kernel
gives a letter for its density.  That it is a mixture is forgotten but for one thing: P_i <= M/w_i
where w_i > 0, so that the loss of P_i against M is at most -log w_i.  Where moments are spoken of,
it is supposed (:mod:`lapdp.proving.convex_moments`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lapdp.kernel import Bank
from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.kernel.symbols import SIGNATURES
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.channels import Way
from lapdp.proving.citing import parts
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.space import Prover

MOST_BLENDS = 3
_ONE: Polynomial = {(): 1}


@dataclass(frozen=True)
class Blend:
    """A mixture as the body of a binder; its letter, its parts with their weights >= 0, and: for
    all x, the letter's density is the mixture."""

    body: int
    letter: tuple[str, int]
    weights: dict[int, int]
    law: int


def blended(b: Bank, goal: int) -> list[Way]:
    """The way to a sentence about mixtures; none for other sentences."""
    if not any(_sum(b, t) for t in _below(b, goal)):
        return []

    def way(d: Derivation, prove: Callable[[Derivation, int], int]) -> int:
        return _as_letters(d, goal, prove)

    def with_laws(d: Derivation, prove: Callable[[Derivation, int], int]) -> int:
        return _as_letters(d, goal, prove, laws=True)
    return [way, with_laws] if _of_moments(b, parts(b, goal)[1]) else [way]


def _of_moments(b: Bank, claim: int) -> bool:
    """Does a claim speak of the logarithm, or of the power, of a mixture?"""
    return any(b.rows[t][0] == "exp" and any(_sum(b, u) for u in _below(b, t))
               for t in _below(b, claim))


def _below(b: Bank, t: int) -> Iterator[int]:
    todo, seen = [t], {t}
    while todo:
        t = todo.pop()
        yield t
        more = [k for k in b.children(t) if k not in seen]
        seen.update(more)
        todo += more


def _sum(b: Bank, t: int) -> bool:
    """Is a term a sum of multiples of densities at the variable of one binder?"""
    if b.rows[t][0] != "add" or [s for s in b.loose[t] if s] != ["O"] or b.sorts[t] != "R":
        return False
    todo, found = [t], 0
    while todo:
        t = todo.pop()
        kids = b.children(t)
        if b.rows[t][0] == "add":
            todo += kids
        elif b.rows[t][0] == "mul" and any(not b.loose[k] for k in kids):
            todo += [k for k in kids if b.loose[k]]
        elif b.rows[t][0] == "dens" and not b.loose[kids[0]]:
            found += 1
        else:
            return False
    return found > 1


def _body(b: Bank, t: int) -> int:
    """A sum of densities as the body of a binder."""
    return b.walk(t, lambda u, _: b.bound(0, "O") if b.rows[u][0] == "b" else None)


def _as_letters(d: Derivation, goal: int, prove: Callable[[Derivation, int], int], *,
                laws: bool = False) -> int:
    a = Prover(d)
    premises, claim = parts(d.b, goal)
    given = [d.assume(h) for h in premises]
    plain = a.loss_means.plain(given)
    found: dict[int, Blend] = {}
    for f in dict.fromkeys(_body(d.b, t) for t in _below(d.b, goal) if _sum(d.b, t)):
        weights = _weights(a, f, plain)
        if weights is not None:
            made = d.fresh("D", "M")
            law = d.assume(d.mk("allO", d.mk("eq", d.mk(
                "dens", d.b.lift(made[1]), d.b.bound(0, "O")), f)))
            found[f] = Blend(f, made, weights, law)
    if not 0 < len(found) <= MOST_BLENDS:
        raise NotFound("no mixture, or too many")

    def letter(t: int, _: int) -> int | None:
        if not _sum(d.b, t) or (blend := found.get(_body(d.b, t))) is None:
            return None
        at = next(u for u in _below(d.b, t) if d.b.rows[u][0] == "b")
        return d.mk("dens", blend.letter[1], at)

    known, other = [d.b.walk(h, letter) for h in premises], d.b.walk(claim, letter)
    if not laws and _loose(a, [*known, other], found.values()):
        raise NotFound("nothing else is said of a distribution")
    exchange = Exchange(d, [x.law for x in found.values()])
    bounds = [] if laws else [
        i for x in found.values() for i in _bounds(a, x, other, plain, exchange)]
    whole = [*(d.claim(i) for i in bounds), *known]
    wanted = d.mk("imp", d.conj(whole), other) if whole else other
    if laws:
        said = [x.law for x in found.values()]
        least = prove(d, d.mk("imp", d.conj([*map(d.claim, said), *whole]), other))
        least = exchange.turned(d.taut(wanted, least, *said))
    else:
        least = exchange.turned(prove(d, wanted))
    final = d.taut(claim, least, *map(exchange.turned, bounds), *given)
    for x in found.values():
        final = d.do("choose", claim, [_exists(a, x, plain), final], [x.letter[0], "D"])
    return d.taut(goal, d.disch_all(premises, final))


def _loose(a: Prover, formulas: Sequence[int], blends: Iterable[Blend]) -> bool:
    """Is some distribution compared with one other alone, and not with a mixture it is in, where
    more pairs occur than one?  What is said of all such ones is hardly true."""
    inside = {frozenset((p, x.letter[1])) for x in blends for p in x.weights}
    pairs = {frozenset(a.masses(t)) for f in formulas for t in a.d.subterms(f)
             if a.d.head(t) in ("oint", "oiny")}
    pairs = {two for two in pairs if len(two) == 2}
    return len(pairs) > 1 and any(sum(p in other for other in pairs) == 1
                                  for two in pairs - inside for p in two)


def _weights(a: Prover, f: int, plain: Sequence[int]) -> dict[int, int] | None:
    """The theorem 0 <= w for each part of a mixture; None where it is none."""
    d = a.d
    _, x = d.fresh("O", "x")
    weights = a.joint_convexity._weights(a.reader.read(d.b.open(f, x)), x)
    if weights is None or len(weights) < 2:
        return None
    total: Polynomial = {}
    for w in weights.values():
        total = plus(total, w)
    if total != _ONE:
        return None
    try:
        return {p: a.joint_convexity._nonnegative(a.terms.term(w, "R"), plain)
                for p, w in weights.items()}
    except (NotFound, NeedSplit):
        return None


def _exists(a: Prover, blend: Blend, plain: Sequence[int]) -> int:
    """There is a distribution with the density of a mixture."""
    d, f, zero = a.d, blend.body, a.d.num(0)
    name, x = d.fresh("O", "x")
    at = d.b.open(f, x)
    positive = {d.kids(d.claim(i))[1]: i for i in a._positive(at)}
    pairs = [(sign, positive[d.mk("dens", p, x)]) for p, sign in blend.weights.items()]
    above = d.do("arith", d.mk("le", zero, at), [i for two in pairs for i in two], [
        [d.num(1), [2 * k, 2 * k + 1]] for k in range(len(pairs))])
    iny = a.prove(d.mk("oiny", f), plain)
    one = a.prove(d.mk("eq", d.mk("oint", f), d.num(1)), plain)
    goal = d.mk("exD", d.mk("allO", d.mk("eq", d.mk(
        "dens", d.b.bound(1, "D"), d.b.bound(0, "O")), f)))
    return d.do("as_density", goal, [d.gen(name, "O", above), iny, one])


def _bounds(a: Prover, blend: Blend, claim: int, plain: Sequence[int], exchange: Exchange
            ) -> Iterator[int]:
    """oint max(0, p - m/w) = 0 for the parts p of a mixture m that a claim speaks of beside it."""
    d = a.d
    _, m = blend.letter
    for p, sign in blend.weights.items():
        if not any(d.head(t) in ("oint", "oiny") and {*a.masses(t)} == {p, m}
                   for t in d.subterms(claim)):
            continue
        w = d.kids(d.claim(sign))[1]
        if a.positive(w, plain) is None:
            continue
        least = d.mk("log", d.num(1 / d.value(w))) if d.head(w) == "n" else d.neg(d.mk("log", w))
        none = a.guarantees.hinge(p, m, least)
        same = exchange.equation(none)
        try:
            yield d.chain(same, a.prove(d.mk("eq", d.kids(d.claim(same))[1], d.num(0)), plain))
        except (NotFound, NeedSplit):
            continue


class Exchange:
    """Terms with letters for mixtures, and the mixtures themselves: equations between the two."""

    def __init__(self, d: Derivation, laws: Sequence[int]) -> None:
        self.d = d
        self.laws = {d.kids(d.kids(d.kids(d.claim(i))[0])[0])[0]: i for i in laws}
        self.names = {(str(d.b.rows[m][1]), "D") for m in self.laws}
        self._equations: dict[int, int] = {}

    def binders(self, t: int) -> list[int]:
        """The outermost closed terms that bind a variable and have such a letter."""
        d = self.d
        if not self.names & d.b.letters[t]:
            return []
        if any(">" in sort for sort in SIGNATURES.get(d.head(t), ((), ""))[0]):
            return [t]
        return list(dict.fromkeys(u for k in d.kids(t) for u in self.binders(k)))

    def equation(self, t: int) -> int:
        """t = t', or t <-> t', for a term that binds a variable."""
        d = self.d
        if t not in self._equations:
            if len(d.kids(t)) != 1:
                raise NotFound("a mixture in a limit")
            sort = SIGNATURES[d.head(t)][0][0][0]
            name, x = d.fresh(sort, "x")
            inside = self._inside(d.b.open(d.kids(t)[0], x))
            self._equations[t] = d.under(d.head(t), d.gen(name, sort, inside))
        return self._equations[t]

    def turned(self, i: int) -> int:
        """A theorem with mixtures for their letters."""
        for t in self.binders(self.d.claim(i)):
            i = self.d.replace(i, self.equation(t))
        return i

    def _inside(self, t: int) -> int:
        d = self.d
        steps = [self.equation(u) for u in self.binders(t)]
        steps += [d.inst(self.laws[d.kids(u)[0]], d.kids(u)[1]) for u in d.subterms(t)
                  if d.head(u) == "dens" and d.kids(u)[0] in self.laws and not d.b.loose[u]]
        found, kind = d.refl(t), "iff" if d.b.sorts[t] == "F" else "eq"
        for e in steps:
            (s, other), (_, now) = d.kids(d.claim(e)), d.kids(d.claim(found))
            if d.head(d.claim(e)) == "iff":
                body, changed = d.formula_hole(now, s, other)
                body = d.mk("iff", t, body)
            else:
                body = d.hole(now, s)
                changed = d.b.open(body, other)
                body = d.mk(kind, d.b.lift(t), body)
            if changed != now:
                found = d.do("rewrite", d.mk(kind, t, changed), [e, found], [body])
        return found


__all__ = ["blended"]
