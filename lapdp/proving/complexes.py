"""Absolute values of complex products: what integrability of complex functions is measured by."""

from __future__ import annotations

from collections.abc import Sequence

from lapdp.kernel.polynomials import IMAGINARY, Polynomial, plus, times
from lapdp.proving.arithmetic import Arithmetic
from lapdp.proving.derivation import NotFound


class Complexes:
    """Real and imaginary parts, and absolute values, as real terms with their equations."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.a, self.d = arithmetic, arithmetic.d

    def parts(self, z: int) -> tuple[int, int, int]:
        """Real terms x, y and the theorem z = x + i y."""
        d, terms = self.d, self.a.terms
        total: Polynomial = {}
        laws: list[int] = []
        for m, c in self.a.reader.read(z).items():
            product: Polynomial = {(): c}
            for number, e in m:
                atom: Polynomial = {((number, 1),): 1}
                t = terms.term(atom)
                if number != IMAGINARY and d.b.sorts[t] == "C":
                    if d.head(t) == "exp" or not isinstance(e, int):
                        raise NotFound("the parts of an exponential")
                    law = d.law("parts", d.mk("eq", t, self._sum(d.mk("re", t), d.mk("im", t))), t)
                    laws.append(law)
                    atom = self.a.reader.read(d.kids(d.claim(law))[1])
                for _ in range(int(e) if isinstance(e, int) else 1):
                    product = times(product, atom)
            total = plus(total, product)
        real = {m: c for m, c in total.items() if IMAGINARY not in dict(m)}
        turned = {m: c for m, c in total.items() if IMAGINARY in dict(m)}
        straight = {tuple((a, e) for a, e in m if a != IMAGINARY): c for m, c in turned.items()}
        x, y = terms.term(real, "R"), terms.term(straight, "R")
        return x, y, self.a.identity(d.mk("eq", z, self._sum(x, y)), laws)

    def _sum(self, x: int, y: int) -> int:
        d = self.d
        return d.mk("add", d.mk("cx", x), d.mk("mul", d.mk("i"), d.mk("cx", y)))

    def real_part(self, z: int) -> int:
        """re z = x."""
        d = self.d
        x, y, equation = self.parts(z)
        together = d.kids(d.claim(equation))[1]
        law = d.law("re", d.conj([d.mk("eq", d.mk("re", together), x),
                                  d.mk("eq", d.mk("im", together), y)]), x, y)
        return d.chain(d.alike(d.mk("re", z), equation), d.parts(law)[0])

    def size(self, z: int, facts: Sequence[int]) -> int:
        """|z| = a real term, for a product of exponentials, real and complex factors."""
        d = self.d
        f = self.a.reader.read(z)
        if len(f) > 1:
            raise NotFound("the absolute value of a sum")
        flat = self.a.terms.term(f, "C")
        same = self.a.identity(d.mk("eq", z, flat), facts)
        return d.chain(d.alike(d.mk("abs", z), same), self._of_factors(flat))

    def of_product(self, z: int) -> int:
        """|w v| = |w| |v|, for z = w v."""
        d = self.d
        return d.law("abs of product", d.mk("eq", d.mk("abs", z), d.mk(
            "mul", *(d.mk("abs", k) for k in d.kids(z)))), *d.kids(z))

    def at_least_zero(self, z: int) -> int:
        """0 <= |z|."""
        d = self.d
        size, real, turned = d.mk("abs", z), d.mk("re", z), d.mk("im", z)
        return d.parts(d.law("abs complex", d.conj([d.mk("le", d.num(0), size), d.mk(
            "eq", d.mul(size, size), d.add(d.mul(real, real), d.mul(turned, turned)))]), z))[0]

    def _of_factors(self, z: int) -> int:
        d = self.d
        head, kids = d.head(z), d.kids(z)
        size = d.mk("abs", z)
        if head == "mul":
            law = self.of_product(z)
            for k in kids:
                law = d.chain(law, d.alike(d.kids(d.claim(law))[1], self._of_factors(k)))
            return law
        if head == "exp":
            law = d.law("abs of exp", d.mk("eq", size, d.mk("exp", d.mk("re", kids[0]))), kids[0])
            return d.chain(law, d.alike(d.kids(d.claim(law))[1], self.real_part(kids[0])))
        if head == "cx":
            return d.law("abs of cx", d.mk("eq", size, d.mk("abs", kids[0])), kids[0])
        return d.refl(size)
