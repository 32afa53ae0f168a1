"""Arithmetic: sums, products and quotients as polynomials over the rationals in atoms.

``exp`` of a polynomial is a product of powers: exp(a + b/2) = exp(a) exp(b)^(1/2), where the power
exp(m)^c only ever means exp(c m), so exponents are rational and may be negative.  1/x distributes
over products; it meets x only through an equation x (1/x) = 1 that somebody proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lapdp.kernel.symbols import UNARY
from lapdp.kernel.terms import Bank, Refused

Number = int | Fraction
Power = Number
Monomial = tuple[tuple[int, Power], ...]
Polynomial = dict[Monomial, Number]
Tables = tuple[list[tuple[str, object]], dict[tuple[str, object], int], dict[int, Polynomial]]
"""Atoms, their numbers, and what was read, the gap of relation n as -1 - n: of one bank, they may
serve more than one reader."""
MOST_MONOMIALS = 4000
MOST_BITS = 20_000
"""What a coefficient or an exponent may have: repeated squares double it each time."""
IMAGINARY = 0
"""The number of the imaginary unit among a reader's atoms."""
ONE: Polynomial = {(): 1}


def plus(f: Polynomial, g: Polynomial, scale: Number = 1) -> Polynomial:
    """f + scale g."""
    found = dict(f)
    for m, c in g.items() if scale == 1 else [
            (m, -c if scale == -1 else scale * c) for m, c in g.items()]:
        # no sum of 0 and a fraction: it takes longer than all else here
        found[m] = found[m] + c if m in found else c
        if not found[m]:
            del found[m]
    return found


def times(f: Polynomial, g: Polynomial) -> Polynomial:
    """f g; the imaginary unit has square -1."""
    if ONE in (f, g):
        return g if f == ONE else f
    if len(f) * len(g) > MOST_MONOMIALS:
        raise Refused("too many monomials")
    found: Polynomial = {}
    for m, a in f.items():
        for n, c in g.items():
            value = a * c
            if not m or not n:
                product = m or n
            else:
                powers = dict(m)
                for x, e in n:
                    powers[x] = plain(powers[x] + e) if x in powers else e
                if powers.get(IMAGINARY, 0) >= 2:
                    value, powers[IMAGINARY] = -value, powers[IMAGINARY] - 2
                product = tuple(sorted((x, e) for x, e in powers.items() if e))
            found[product] = found[product] + value if product in found else value
    if any(c.numerator.bit_length() > MOST_BITS or c.denominator.bit_length() > MOST_BITS
           for c in found.values()):
        raise Refused("a coefficient is too long")
    return {m: c for m, c in found.items() if c}


def plain(e: Power) -> Power:
    """A whole number as an int: one exponent has one form."""
    return e if isinstance(e, int) or e.denominator != 1 else e.numerator


def ratio(a: Number, c: Number) -> Number:
    """a / c exactly, a whole number as an int."""
    return plain(Fraction(a) / c)


def key(f: Polynomial) -> tuple[object, ...]:
    """A polynomial as a value that can be compared and hashed."""
    return tuple(sorted(f.items()))


class Reader:
    """Terms of one bank read as polynomials, each once; atoms are numbers, ``atoms`` what they are:
    a symbol with the key of its argument, or ``""`` with a term."""

    def __init__(self, bank: Bank, tables: Tables | None = None) -> None:
        self.bank = bank
        self.atoms, self._numbers, self.known = tables or ([("i", None)], {}, {})

    def atom(self, symbol: str, argument: object) -> int:
        """The number of an atom."""
        found = self._numbers.get((symbol, argument))
        if found is None:
            found = self._numbers[symbol, argument] = len(self.atoms)
            self.atoms.append((symbol, argument))
        return found

    def read(self, t: int) -> Polynomial:
        """The polynomial of a term of sort R or C; what is no sum or product is an atom."""
        if t not in self.known:
            self.known[t] = self._read(t)
        return self.known[t]

    def _read(self, t: int) -> Polynomial:
        row, kids = self.bank.rows[t], self.bank.children(t)
        symbol = str(row[0])
        if symbol == "n":
            return {(): plain(Fraction(int(str(row[1])), int(str(row[2]))))} if row[1] else {}
        if symbol == "i":
            return {((IMAGINARY, 1),): 1}
        if symbol == "cx":
            return self.read(kids[0])
        if symbol == "add":
            return plus(self.read(kids[0]), self.read(kids[1]))
        if symbol == "mul":
            return times(self.read(kids[0]), self.read(kids[1]))
        if symbol == "exp":
            return {self.exponential(self.read(kids[0])): 1}
        if symbol == "inv":
            return self._inverse(self.read(kids[0]))
        unary = symbol in UNARY
        inner = key(self.read(kids[0])) if unary else t
        return {((self.atom(symbol if unary else "", inner), 1),): 1}

    def exponential(self, f: Polynomial) -> Monomial:
        """exp(f) as a monomial: a power of exp(m) for each monomial m of f."""
        return tuple(sorted((self.atom("exp", m), plain(c)) for m, c in f.items()))

    def _inverse(self, f: Polynomial) -> Polynomial:
        """1/f: of one term by factors, else an atom of the polynomial made monic."""
        if len(f) != 1:
            lead = f[min(f)] if f else 1
            monic = {m: ratio(c, lead) for m, c in f.items()}
            return {((self.atom("inv", key(monic)), 1),): ratio(1, lead)}
        ((monomial, c),) = f.items()
        found: Polynomial = {(): ratio(1, c)}
        for number, e in monomial:
            symbol, argument = self.atoms[number]
            if symbol == "exp":
                part: Polynomial = {((number, -e),): 1}
            elif symbol == "i":
                part = {((number, 1),): -1}
            elif symbol == "inv":
                part = power(dict(argument), e)  # type: ignore[call-overload]
            else:
                part = {((self.atom("inv", key({((number, 1),): 1})), e),): 1}
            found = times(found, part)
        return found


def power(f: Polynomial, e: Power) -> Polynomial:
    """f^e for a whole number e >= 0."""
    found: Polynomial = {(): 1}
    if not isinstance(e, int) or not 0 <= e <= 60:
        raise Refused("a power that is no product")
    for _ in range(e):
        found = times(found, f)
    return found


def gap(reader: Reader, formula: int) -> tuple[str, Polynomial]:
    """The kind of a relation and its right side minus its left; ``false`` counts as 0 < 0."""
    symbol, kids = str(reader.bank.rows[formula][0]), reader.bank.children(formula)
    if symbol == "false":
        return "lt", {}
    if symbol not in ("le", "lt", "eq"):
        raise Refused("arithmetic is about =, <= and < only")
    if ~formula not in reader.known:
        reader.known[~formula] = plus(reader.read(kids[1]), reader.read(kids[0]), -1)
    return symbol, reader.known[~formula]


def certify(bank: Bank, goal: int, facts: Sequence[int], parts: Sequence[tuple[int, Sequence[int]]]
            ) -> None:
    """Refuse unless goal's gap = sum of cofactor * gap of an equation (times others) + weight *
    product of gaps of inequalities, weight a rational >= 0.

    An equation allows any cofactor; a strict goal needs a strict product with positive weight.
    """
    reader = Reader(bank, bank.polynomials)
    kind, rest = gap(reader, goal)
    strict = False
    for weight, used in parts:
        factor, term = reader.read(weight), ONE
        gaps = [gap(reader, facts[i]) for i in used]
        for _, f in gaps:
            term = times(term, f)
        kinds = [k for k, _ in gaps]
        if "eq" not in kinds:
            row = bank.rows[weight]
            if row[0] != "n" or int(str(row[1])) < 0:
                raise Refused("the weight of an inequality is a number >= 0")
            if kind == "eq":
                raise Refused("an inequality does not prove an equation")
            strict |= int(str(row[1])) > 0 and all(k == "lt" for k in kinds)
        rest = (plus(rest, term, -factor.get((), 0)) if factor.keys() <= ONE.keys()
                else plus(rest, times(factor, term), -1))
    if rest:
        raise Refused("not an identity of polynomials")
    if kind == "lt" and not strict:
        raise Refused("a strict inequality needs a strict one")
