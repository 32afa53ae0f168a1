"""Signs of field elements from known signs of others, by linear reasoning over monomials.

A cell may know that polynomials in parameters and exponentials are positive, zero or non-negative.
Each monomial (an exponential times a power product of parameters) counts as a variable of its own;
the rows are what is known, positivity of monomials, order of exponentials, and linear constraints
multiplied by exponentials.  Every row is true, so what they entail is true.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lapdp.calculus.farkas import contradictory
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Row
from lapdp.calculus.logs import log_form

if TYPE_CHECKING:
    from lapdp.calculus.ordering import Cell

Fact = tuple[Scalar, str]
"""``element rel 0`` with rel one of ``>``, ``>=``, ``=``; the element is a polynomial."""
_Key = tuple[Form, Form]
_ONE = Form.of(1)
_MAX_MONOMIALS = 14


def polynomial_fact(x: Scalar, rel: str) -> Fact:
    """The same condition on a polynomial: x has the sign of numerator times denominator."""
    if rel == "=":
        sign, parts = 1, x.numerator_factors()
    else:
        sign, parts = x.factors()
    total = Scalar.of(sign if not x.is_zero() else 0)
    for factor, k in parts:
        if surely_positive(factor):
            continue
        if rel == ">=":
            total = total * (factor if k % 2 else factor**2)
        elif rel == "=" or k % 2:
            # what is not 0 has a positive square
            total = total * factor
    return total, rel


def surely_positive(factor: Scalar) -> bool:
    """A single monomial with a positive coefficient, in exponentials and positive symbols?"""
    terms = factor.polynomial_terms(factor.num)
    return len(terms) == 1 and terms[0][0] > 0 and all(
        a.is_positive for m in terms[0][2].terms for a, _ in m)


def root_of(x: Scalar) -> tuple[Any, Form] | None:
    """(s, value) where x = 0 determines a real symbol s that occurs in one exponential only.

    x = A e^(c s) + B with A and B free of s and A a monomial without zeros; then
    s = log(-B/A)/c, and -B/A is positive since it is an exponential.  Raises :class:`Undefined`
    where -B/A is a constant <= 0: then x has no zero.
    """
    candidates: list[tuple[bool, str, Any, Form]] = []
    for key in x.keys:
        if key[0] != "e" or len(key[1]) != 1 or key[1][0][1] != 1 or not key[1][0][0].is_Symbol:
            continue
        found = _root_in(x, key[1][0][0])
        if found is not None:
            plain, value = found
            candidates.append((not plain, str(key[1][0][0]), key[1][0][0], value))
    if not candidates:
        return None
    _, _, symbol, value = min(candidates, key=lambda c: c[:2])
    return symbol, value


def _root_in(x: Scalar, symbol: Any) -> tuple[bool, Form] | None:
    rate = None
    outer, rest_terms = Scalar.of(0), Scalar.of(0)
    monomial = ((symbol, 1),)
    for c, log, rest, _ in x.polynomial_terms(x.num):
        here = log.terms.get(monomial, Fraction(0))
        others = Form({m: v for m, v in log.terms.items() if m != monomial})
        if symbol in others.atoms() or symbol in rest.atoms():
            return None
        term = Scalar.of(rest) * c * Scalar.exp(others)
        if not here:
            rest_terms = rest_terms + term
        elif rate in (None, here):
            rate, outer = here, outer + term
        else:
            return None
    if rate is None or rest_terms.is_zero():
        return None
    terms = outer.polynomial_terms(outer.num)
    if len(terms) != 1 or not all(a.is_positive for m in terms[0][2].terms for a, _ in m):
        return None
    return not outer.parameters(), log_form(-rest_terms / outer) * Form.of(1 / rate)


class Reasoner:
    """Linear reasoning over the monomials of some elements, in one cell."""

    def __init__(self, cell: Cell, elements: list[Scalar]) -> None:
        self.cell = cell
        self.known: list[Fact] = [f for f in cell.elements]
        self.names: dict[_Key, Any] = {}
        self.usable = all(x.is_real() for x in elements)
        for x in [*elements, *(f for f, _ in self.known)]:
            for _, log, rest, _ in x.polynomial_terms(x.num):
                self._name((log, rest))
        self.usable = self.usable and len(self.names) <= _MAX_MONOMIALS
        self.rows: list[Row] = []
        if self.usable:
            self._collect()

    def _name(self, key: _Key) -> Any:
        if key == (Form({}), _ONE):
            return ()
        return self.names.setdefault(key, ((f"m{len(self.names):02d}", 1),))

    def _row(self, terms: dict[_Key, Fraction], rel: str) -> list[Row]:
        row = tuple(sorted(((self._name(k), c) for k, c in terms.items() if c),
                           key=lambda t: str(t[0])))
        found: list[Row] = [(row, rel == ">")]
        if rel == "=":
            found.append((tuple((m, -c) for m, c in row), False))
        return found

    def rows_of(self, x: Scalar, rel: str) -> list[Row]:
        """``x rel 0`` for a polynomial x."""
        return self._row({(log, rest): Fraction(c)
                          for c, log, rest, _ in x.polynomial_terms(x.num)}, rel)

    def _collect(self) -> None:
        for x, rel in self.known:
            self.rows += self.rows_of(x, rel)
        present = list(self.names)
        logs = list(dict.fromkeys([Form({}), *(log for log, _ in present)]))
        factors = self._factors(list(dict.fromkeys([_ONE, *(rest for _, rest in present)])))
        for form, rel in factors:
            for log in logs:
                self._multiply(form, rel, {log: 1})
        for a, b in combinations(logs, 2):
            for high, low in ((a, b), (b, a)):
                strict = self.cell.entails(high - low, ">")
                if strict or self.cell.entails(high - low, ">="):
                    for form, rel in factors:
                        self._multiply(form, rel if strict else ">=", {high: 1, low: -1})

    def _factors(self, rests: list[Form]) -> list[tuple[Form, str]]:
        """Forms in the parameters of the elements that are known to be positive, or not negative:
        monomials that occur, and linear constraints."""
        found = [(_ONE, ">")]
        for rest in rests:
            if rest != _ONE and self.cell.entails(rest, ">"):
                found.append((rest, ">"))
            elif rest != _ONE and self.cell.entails(rest, ">="):
                found.append((rest, ">="))
        atoms = {a for rest in rests for a in rest.atoms()}
        found += [(form, rel) for form, rel in self.cell.constraints
                  if form.atoms() and form.atoms() <= atoms and rel in (">", ">=")]
        return [f for k, f in enumerate(found) if f not in found[:k]]

    def _multiply(self, form: Form, rel: str, exponentials: dict[Form, int]) -> None:
        """The row ``form * (sum of exponentials) rel 0``; both factors are known."""
        self.rows += self._row({(log, Form({m: Fraction(1)})): c * sign
                                for log, sign in exponentials.items()
                                for m, c in form.terms.items()}, rel)

    def contradiction(self) -> bool:
        """Do the known signs contradict each other?"""
        return self.usable and contradictory(self.rows)

    def entails(self, x: Scalar, rel: str) -> bool:
        """Do the known signs imply ``x rel 0`` for rel in ``>``, ``>=``?"""
        negation = self.rows_of(-x, ">=" if rel == ">" else ">")
        return contradictory([*self.rows, *negation])

    def sign(self, x: Scalar) -> int | None:
        """The sign of a polynomial, if what is known entails one."""
        if not self.usable:
            return None
        above, below = self.entails(x, ">="), self.entails(-x, ">=")
        if above and below:
            return 0
        if above and self.entails(x, ">"):
            return 1
        if below and self.entails(-x, ">"):
            return -1
        return None


def same_up_to_sign(a: Scalar, b: Scalar) -> int:
    """1 where a = b, -1 where a = -b, else 0."""
    if (a - b).is_zero():
        return 1
    return -1 if (a + b).is_zero() else 0


__all__ = ["Fact", "Reasoner", "polynomial_fact", "root_of", "same_up_to_sign", "surely_positive"]
