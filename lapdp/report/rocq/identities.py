"""Identities of polynomials in exponentials, inverses and other functions as Rocq terms.

The library checks an identity by normal forms, its atoms being whole subterms.  Where atoms depend
on each other, exp(a + b) = exp(a) exp(b), the equations between them are proved and handed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd

from lapdp.kernel.polynomials import Monomial, Polynomial, Reader
from lapdp.kernel.symbols import UNARY
from lapdp.report.rocq.words import FUNCTIONS, NotPrinted, Words


def conjunction(proofs: Sequence[str]) -> str:
    """A proof of A /\\ (B /\\ ... True)."""
    found = "I"
    for p in reversed(proofs):
        found = f"(conj {p} {found})"
    return found


def rows(texts: Iterable[str]) -> str:
    """A list."""
    return f"[{'; '.join(texts)}]"


class Identities:
    """Proofs of s = t for closed terms that read as the same polynomial."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.bank = words.bank

    def proof(self, s: int, t: int) -> str:
        """A Rocq term of the type s = t."""
        if s == t:
            return f"(eq_refl {self.words.text(s)})"
        return _Identity(self, s, t).proof

    def number(self, q: Fraction | int) -> int:
        """A rational number."""
        f = Fraction(q)
        return self.bank.number(f.numerator, f.denominator)

    def sum(self, terms: Sequence[int]) -> int:
        """a + (b + ... 0)."""
        found = self.bank.number(0)
        for t in reversed(terms):
            found = self.bank.make("add", t, found)
        return found

    def product(self, terms: Sequence[int]) -> int:
        """a (b ... 1)."""
        found = self.bank.number(1)
        for t in reversed(terms):
            found = self.bank.make("mul", t, found)
        return found


class _Identity:
    """One identity: its atoms, and the equations between them."""

    def __init__(self, made: Identities, s: int, t: int) -> None:
        self.made, self.bank, self.words = made, made.bank, made.words
        self.reader = Reader(made.bank)
        self.places: dict[int, int] = {}
        self.equations: list[tuple[str, str]] = []
        opaque: dict[int, Polynomial] = {}
        self._opaque((s, t), opaque)
        if not self._independent(opaque):
            self.steps = self._steps(opaque)
            cancelled = [self._cancel(atom, step) for atom, step in self.steps.items()]
            for u in opaque:
                self._equation(u)
            self.equations += cancelled
        left, right = self._poly(s), self._poly(t)
        pairs = rows(pair for pair, _ in self.equations)
        atoms = rows(self.words.text(u) for u in self.places)
        self.proof = (f"(identity {atoms} {pairs} {left} {right} eq_refl "
                      f"{conjunction([p for _, p in self.equations])})")

    def _opaque(self, terms: Iterable[int], found: dict[int, Polynomial]) -> None:
        for t in terms:
            symbol = self.bank.rows[t][0]
            if self.bank.sorts[t] == "C":
                raise NotPrinted("complex numbers")
            if symbol in ("add", "mul"):
                self._opaque(self.bank.children(t), found)
            elif symbol != "n":
                found[t] = self.reader.read(t)

    def _independent(self, opaque: dict[int, Polynomial]) -> bool:
        """Is each of these an atom of its own?"""
        whole = [next(iter(f)) for f in opaque.values() if list(f.values()) == [1]]
        single = {m for m in whole if len(m) == 1 and m[0][1] == 1}
        return len(single) == len(opaque)

    def _steps(self, opaque: dict[int, Polynomial]) -> dict[int, Fraction]:
        """For each exponential atom the largest exponent of which all that occur are multiples."""
        found: dict[int, Fraction] = {}
        for f in opaque.values():
            for m in f:
                for atom, e in m:
                    if self.reader.atoms[atom][0] == "exp":
                        c, d = Fraction(e), found.get(atom, Fraction(0))
                        found[atom] = Fraction(gcd(c.numerator * d.denominator,
                                                   d.numerator * c.denominator),
                                               c.denominator * d.denominator)
        return found

    # canonical terms ------------------------------------------------------------------------------

    def _exponents(self, atom: int, e: Fraction) -> list[int]:
        """Exponents v with exp(atom)^e = exp(v) exp(v) ..."""
        step = self.steps.get(atom, abs(e)) or Fraction(1)
        inner = self._monomial(self.reader.atoms[atom][1], plain=True)  # type: ignore[arg-type]
        v = self.bank.make("mul", self.made.number(step if e > 0 else -step), inner)
        return [v] * int(abs(e) / step)

    def _factors(self, m: Monomial, plain: bool = False) -> list[int]:
        found: list[int] = []
        for atom, e in m:
            symbol, argument = self.reader.atoms[atom]
            if symbol == "exp" and plain:
                inner = self._monomial(argument, plain=True)  # type: ignore[arg-type]
                found.append(self.bank.make("exp", self.bank.make(
                    "mul", self.made.number(e), inner)))
            elif symbol == "exp":
                found += [self.bank.make("exp", v) for v in self._exponents(atom, Fraction(e))]
            else:
                found += [self._atom(symbol, argument)] * int(e)
        return found

    def _atom(self, symbol: str, argument: object) -> int:
        if symbol == "i":
            raise NotPrinted("complex numbers")
        if not symbol:
            return int(str(argument))
        return self.bank.make(symbol, self._term(dict(argument)))  # type: ignore[call-overload]

    def _monomial(self, m: Monomial, plain: bool = False) -> int:
        return self.made.product(self._factors(m, plain))

    def _term(self, f: Polynomial) -> int:
        """A polynomial as a term, the same for the same polynomial."""
        return self.made.sum([self.bank.make("mul", self.made.number(c), self._monomial(m, True))
                              for m, c in sorted(f.items())])

    # equations ------------------------------------------------------------------------------------

    def _equation(self, u: int) -> None:
        """How an atom is made of others, where it is."""
        symbol, text = str(self.bank.rows[u][0]), self.words.text
        if symbol == "exp":
            (inner,) = self.bank.children(u)
            ((m, _),) = self.reader.read(u).items()
            vs = [v for atom, e in m for v in self._exponents(atom, Fraction(e))]
            if vs != [inner]:
                self._equate(u, self.made.product([self.bank.make("exp", v) for v in vs]),
                             f"(exp_sum {text(inner)} {rows(map(text, vs))} "
                             f"{self.made.proof(inner, self.made.sum(vs))})")
        elif symbol == "inv":
            self._inverse(u)
        elif symbol in UNARY:
            (inner,) = self.bank.children(u)
            other = self._term(self.reader.read(inner))
            if other != inner:
                self._equate(u, self.bank.make(symbol, other), f"(f_equal {FUNCTIONS[symbol]} "
                             f"{self.made.proof(inner, other)})")

    def _inverse(self, u: int) -> None:
        make, number, text = self.bank.make, self.made.number, self.words.text
        (inner,) = self.bank.children(u)
        f = self.reader.read(inner)
        pairs: list[tuple[int, int, str]] = []
        lead = f[min(f)] if f else 1
        if lead != 1:
            a, c = number(lead), number(1 / Fraction(lead))
            pairs.append((a, c, f"(inv_number {text(a)} {text(c)} "
                          f"{self.made.proof(make('mul', a, c), number(1))})"))
        if len(f) == 1:
            for atom, e in next(iter(f)):
                symbol, argument = self.reader.atoms[atom]
                if symbol == "exp":
                    ups = self._exponents(atom, Fraction(e))
                    downs = self._exponents(atom, -Fraction(e))
                    pairs += [(make("exp", v), make("exp", w), f"(inv_exp {text(v)} {text(w)} "
                               f"{self.made.proof(make('add', v, w), number(0))})")
                              for v, w in zip(ups, downs, strict=True)]
                else:
                    part = self._atom(symbol, argument)
                    (below,) = self.bank.children(part) if symbol == "inv" else (-1,)
                    pairs += [(part, below, f"(Rinv_inv {text(below)})") if symbol == "inv" else
                              (part, make("inv", part), "eq_refl")] * int(e)
        else:
            monic = self._term({m: Fraction(c) / lead for m, c in f.items()})
            pairs.append((monic, make("inv", monic), "eq_refl"))
        if [(a, c) for a, c, _ in pairs] == [(inner, u)]:
            return
        self._equate(u, self.made.product([c for _, c, _ in pairs]),
                     f"(inv_product {text(inner)} "
                     f"{rows(f'({text(a)}, {text(c)})' for a, c, _ in pairs)} "
                     f"{self.made.proof(inner, self.made.product([a for a, _, _ in pairs]))} "
                     f"{conjunction([p for _, _, p in pairs])})")

    def _equate(self, u: int, other: int, proof: str) -> None:
        if u != other:
            self.equations.append((f"({self._poly(u)}, {self._poly(other)})", proof))

    def _cancel(self, atom: int, step: Fraction) -> tuple[str, str]:
        """exp(v) exp(-v) = 1.  The two are atoms beside each other: Rocq's normal forms replace
        products of neighbours only."""
        v, w = self._exponents(atom, step)[0], self._exponents(atom, -step)[0]
        up, down = (self._poly(self.bank.make("exp", e)) for e in (v, w))
        zero = self.made.proof(self.bank.make("add", v, w), self.made.number(0))
        return (f"(PEmul {up} {down}, PEc 1%Q)",
                f"(exp_cancel {self.words.text(v)} {self.words.text(w)} {zero})")

    def _poly(self, t: int) -> str:
        row, kids = self.bank.rows[t], self.bank.children(t)
        if row[0] == "n":
            return f"(PEc (Qmake ({row[1]}) {row[2]}))"
        if row[0] in ("add", "mul"):
            return f"(PE{row[0]} {self._poly(kids[0])} {self._poly(kids[1])})"
        return f"(PEX Q {self.places.setdefault(t, len(self.places) + 1)})"
