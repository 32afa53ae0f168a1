"""The coefficient field: fractions of integer polynomials in parameters and exponentials.

Generators are parameters, exponentials e^(m/N) of monomials m, radicals p^(1/N) of primes and the
imaginary unit; the N of an exponential is a whole number, or the inverse of a double.  An element
whose reduced numerator is the zero polynomial vanishes identically: only this half carries proofs.
(The converse, exponentials of distinct monomials are independent over the rational functions, is
true and never used: not being zero is proved by signs or balls.)
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Any

import flint
import sympy as sp

from lapdp.calculus.form import Form, LogOf, Monomial, is_real_atom
from lapdp.core.errors import Undefined, Unsupported

Key = tuple[Any, ...]
Term = tuple[int, Form, Form, bool]
"""Coefficient, log of the exponential part, rest as a form, has it radicals?"""
_contexts: dict[tuple[str, ...], Any] = {}
_names: dict[Key, str] = {}
FEW_TERMS, MANY, DENSE = 8, 32, 8
"""Terms that are taken one by one; from which on a polynomial in one letter is evaluated as a
whole, and its degree over these."""
MAX_EXPONENT = 4096
MAX_MONOMIAL = 10**6
"""The largest exponent of a product of generators: e^(n/N) has the numerator n, or is one."""


@lru_cache(maxsize=65536)
def _context(keys: tuple[Key, ...]) -> Any:
    names = tuple(_names.setdefault(k, f"x{len(_names)}") for k in keys)
    if names not in _contexts:
        _contexts[names] = flint.fmpz_mpoly_ctx.get(names, flint.Ordering.lex)
    return _contexts[names]


@lru_cache(maxsize=65536)
def _order(key: Key) -> tuple[str, str]:
    return (key[0], str(key[1:]))


@lru_cache(maxsize=65536)
def _algebraic(keys: tuple[Key, ...]) -> list[int]:
    return [j for j, k in enumerate(keys) if k[0] in "ir"]


def _reduced(keys: tuple[Key, ...], poly: Any) -> Any:
    """Reduce radicals (r^N = p) and the imaginary unit (i^2 = -1)."""
    algebraic = _algebraic(keys)
    if not algebraic:
        return poly
    out: dict[tuple[int, ...], int] = {}
    for exps, c in poly.to_dict().items():
        e, value = list(exps), int(c)
        for j in algebraic:
            order, base = (2, -1) if keys[j][0] == "i" else (keys[j][2], keys[j][1])
            whole, e[j] = divmod(int(e[j]), order)
            value *= base**whole
        out[tuple(e)] = out.get(tuple(e), 0) + value
    return _context(keys).from_dict(out)


def _cancelled(num: Any, den: Any) -> tuple[Any, Any]:
    """Both over their greatest common divisor."""
    if den.is_one():
        return num, den
    g = num.gcd(den)
    return (num, den) if g.is_one() else (num / g, den / g)


def _dense(poly: Any) -> Any:
    """With all coefficients in a row, where it has one letter and many terms; None elsewhere."""
    degrees = poly.degrees()
    if len(poly) < MANY or len(degrees) > 1 or degrees[0] > DENSE * len(poly):
        return None
    terms = [0] * (int(degrees[0]) + 1)
    for (power,), c in zip(poly.monoms(), poly.coeffs(), strict=True):
        terms[int(power)] = c
    return flint.fmpz_poly(terms)


def _of_terms(keys: tuple[Key, ...], *terms: dict[tuple[int, ...], int]) -> Scalar:
    return Scalar(keys, *(_context(keys).from_dict(t) for t in terms))


class Scalar:
    """An element of the field.  Immutable; ``==`` is exact equality of elements.

    >>> eps = sp.Symbol("eps", real=True)
    >>> x = Scalar.exp(Form.of(eps))
    >>> x / (1 + x) + 1 / (1 + x) == Scalar.of(1)
    True
    """

    __slots__ = ("_dense", "_factors", "_parameters", "_terms", "den", "keys", "num")
    # what is asked again and again of one element is computed once
    _factors: tuple[int, tuple[tuple[Scalar, int], ...]] | None
    _parameters: frozenset[Any] | None
    _dense: tuple[Any, Any] | None
    _terms: list[tuple[Any, tuple[Term, ...]]]

    def __init__(self, keys: tuple[Key, ...], num: Any, den: Any) -> None:
        num, den = _reduced(keys, num), _reduced(keys, den)
        if den.is_zero():
            raise Undefined("division by zero")
        num, den = _cancelled(num, den)
        if den.leading_coefficient() < 0:
            num, den = -num, -den
        self.keys, self.num, self.den = keys, num, den
        self._factors, self._parameters, self._terms, self._dense = None, None, [], None

    def __reduce__(self) -> Any:
        """Polynomials travel between processes as their terms."""
        terms = ({tuple(map(int, e)): int(c) for e, c in p.to_dict().items()}
                 for p in (self.num, self.den))
        return _of_terms, (self.keys, *terms)

    # -- construction ---------------------------------------------------------------------------

    @staticmethod
    def of(value: Any) -> Scalar:
        """A rational number or a form as a field element."""
        if isinstance(value, Scalar):
            return value
        if isinstance(value, Form):
            total = Scalar.of(0)
            for m, c in value.terms.items():
                term = Scalar.of(c)
                for atom, p in m:
                    term = term * _generator(("i",) if atom is sp.I else ("s", atom)) ** p
                total = total + term
            return total
        q = Fraction(value)
        ctx = _context(())
        return Scalar((), ctx.constant(q.numerator), ctx.constant(q.denominator))

    @staticmethod
    def exp(form: Form) -> Scalar:
        """e^form; multiples of log p become powers of p, multiples of i pi/2 powers of i."""
        result = Scalar.of(1)
        for m, c in form.terms.items():
            result = result * _exp_monomial(m, c)
        return result

    # -- arithmetic -----------------------------------------------------------------------------

    def _with(self, other: Scalar) -> tuple[tuple[Key, ...], Any, Any, Any, Any]:
        if self.keys == other.keys:
            return self.keys, self.num, self.den, other.num, other.den
        keys = _union(self.keys, other.keys)
        return (keys, _lift(self.keys, self.num, keys), _lift(self.keys, self.den, keys),
                _lift(other.keys, other.num, keys), _lift(other.keys, other.den, keys))

    def __add__(self, other: Any) -> Scalar:
        keys, n1, d1, n2, d2 = self._with(Scalar.of(other))
        return Scalar(keys, n1 + n2, d1) if d1 == d2 else Scalar(keys, n1 * d2 + n2 * d1, d1 * d2)

    __radd__ = __add__

    def __neg__(self) -> Scalar:
        return Scalar(self.keys, -self.num, self.den)

    def __sub__(self, other: Any) -> Scalar:
        return self + (-Scalar.of(other))

    def __rsub__(self, other: Any) -> Scalar:
        return Scalar.of(other) - self

    def __mul__(self, other: Any) -> Scalar:
        keys, n1, d1, n2, d2 = self._with(Scalar.of(other))
        # what cancels is taken out before it is multiplied: polynomials may have thousands of terms
        (n1, d2), (n2, d1) = _cancelled(n1, d2), _cancelled(n2, d1)
        return Scalar(keys, n1 * n2, d1 * d2)

    __rmul__ = __mul__

    def inverse(self) -> Scalar:
        """1/self; :class:`Undefined` for the zero element."""
        self._require_no_hidden_zero()
        return Scalar(self.keys, self.den, self.num)

    def _require_no_hidden_zero(self) -> None:
        """Generators that stay apart, see ``_union``, may hide that the element is 0."""
        heads = [k[:2] for k in self.keys if k[0] == "e"]
        if len(set(heads)) == len(heads):
            return
        used = [k[:2] for k, d in zip(self.keys, self.num.degrees(), strict=True)
                if k[0] == "e" and d]
        if len(set(used)) < len(used) and len(self.num) > 1:
            from lapdp.calculus.enclose import differs_from_zero

            if self.parameters() or not differs_from_zero(self):
                raise Unsupported(f"it is not seen whether {self} vanishes, by which is divided: "
                                  "write its numbers as short decimals or fractions")

    def __truediv__(self, other: Any) -> Scalar:
        return self * Scalar.of(other).inverse()

    def __rtruediv__(self, other: Any) -> Scalar:
        return Scalar.of(other) * self.inverse()

    def __pow__(self, n: int) -> Scalar:
        most = MAX_MONOMIAL if self._is_monomial() else MAX_EXPONENT
        if abs(n) > most:
            raise Unsupported(f"exponent {n} exceeds {most}")
        base = self if n >= 0 else self.inverse()
        return Scalar(base.keys, base.num ** abs(n), base.den ** abs(n))

    def _is_monomial(self) -> bool:
        """Do powers stay small: a product of generators, no radicals among them?"""
        return all(len(part) == 1 and part.leading_coefficient() == 1
                   for part in (self.num, self.den)) and all(k[0] != "r" for k in self.keys)

    def is_zero(self) -> bool:
        """Is this the zero element?"""
        return bool(self.num.is_zero())

    def __bool__(self) -> bool:
        return not self.is_zero()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and (self - other).is_zero()

    def __hash__(self) -> int:
        raise TypeError("field elements are compared, not hashed")

    def __repr__(self) -> str:
        return str(self.to_sympy())

    # -- views ----------------------------------------------------------------------------------

    def polynomial_terms(self, poly: Any) -> tuple[Term, ...]:
        """The terms of a polynomial in the generators of this element."""
        if poly is not self.num and poly is not self.den:
            return self._terms_of(poly)
        for known, found in self._terms:
            if known is poly:
                return found
        self._terms.append((poly, self._terms_of(poly)))
        return self._terms[-1][1]

    def _terms_of(self, poly: Any) -> tuple[Term, ...]:
        out = []
        for exps, c in poly.to_dict().items():
            log, rest, radical = Form({}), Form.of(1), False
            for key, power in zip(self.keys, exps, strict=True):
                e = int(power)
                if not e:
                    continue
                if key[0] == "e":
                    log = log + Form({key[1]: Fraction(e, key[2])})
                elif key[0] == "r":
                    log = log + Form({((sp.log(key[1], evaluate=False), 1),): Fraction(e, key[2])})
                    radical = True
                else:
                    atom = sp.I if key[0] == "i" else key[1]
                    rest = rest * Form({((atom, e),): Fraction(1)})
            out.append((int(c), log, rest, radical))
        return tuple(out)

    def parameters(self) -> frozenset[Any]:
        """Symbols (and re, im of symbols) that occur."""
        if self._parameters is None:
            self._parameters = frozenset(
                a for poly in (self.num, self.den)
                for _, log, rest, _ in self.polynomial_terms(poly)
                for a in log.atoms() | rest.atoms()
                if a.is_Symbol or isinstance(a, (sp.re, sp.im)))
        return self._parameters

    def dense(self) -> tuple[Any, Any]:
        """The numerator and the denominator as polynomials of FLINT in one letter, each of them
        None where it has few terms or more letters."""
        if self._dense is None:
            self._dense = _dense(self.num), _dense(self.den)
        return self._dense

    def atoms(self) -> frozenset[Any]:
        """The parameters, under the name they have in forms."""
        return self.parameters()

    def is_real(self) -> bool:
        """Is every parameter real and the imaginary unit absent?"""
        atoms = {a for poly in (self.num, self.den)
                 for _, log, rest, _ in self.polynomial_terms(poly)
                 for a in log.atoms() | rest.atoms()}
        return all(a is not sp.I and is_real_atom(a) for a in atoms)

    def as_form(self) -> Form | None:
        """The element as a form, if it is one."""
        den = self.polynomial_terms(self.den)
        if len(den) != 1 or den[0][1]:
            return None
        terms = self.polynomial_terms(self.num)
        if any(log for _, log, _, _ in terms):
            return None
        total = Form({})
        for c, _, rest, _ in terms:
            total = total + Form.of(c) * rest
        c, _, rest, _ = den[0]
        return total * (Form.of(c) * rest).inverse()

    def as_exponential(self) -> tuple[Fraction, Form] | None:
        """(c, m) with self = c e^m and c rational, if it has that shape."""
        num, den = self.polynomial_terms(self.num), self.polynomial_terms(self.den)
        if len(num) != 1 or len(den) != 1 or num[0][2] != Form.of(1) or den[0][2] != Form.of(1):
            return None
        return Fraction(num[0][0], den[0][0]), num[0][1] - den[0][1]

    def to_sympy(self) -> Any:
        """The same element as a SymPy expression."""
        def convert(poly: Any) -> Any:
            return sp.Add(*(c * sp.exp(log.to_sympy()) * rest.to_sympy()
                            for c, log, rest, _ in self.polynomial_terms(poly)))
        return convert(self.num) / convert(self.den)

    def substitute(self, values: Mapping[Any, Form]) -> Scalar:
        """Replace parameters by forms, in the exponents as well."""
        if not values:
            return self
        def convert(poly: Any) -> Scalar:
            total = Scalar.of(0)
            for c, log, rest, _ in self.polynomial_terms(poly):
                total = total + (Scalar.of(rest.substitute(values)) * c
                                 * Scalar.exp(log.substitute(values)))
            return total
        return convert(self.num) / convert(self.den)

    def factors(self) -> tuple[int, list[tuple[Scalar, int]]]:
        """Sign-relevant factorisation: (leading constant's sign, [(factor, exponent)])."""
        if self._factors is None:
            content, found = _factored(self.num * self.den)
            one = _context(self.keys).constant(1)
            sign = (int(content) > 0) - (int(content) < 0)
            self._factors = sign, tuple((Scalar(self.keys, p, one), int(k)) for p, k in found)
        return self._factors[0], list(self._factors[1])

    def numerator_factors(self) -> list[tuple[Scalar, int]]:
        """Irreducible factors of the numerator: where one vanishes, the element does."""
        one = _context(self.keys).constant(1)
        return [(Scalar(self.keys, p, one), int(k)) for p, k in _factored(self.num)[1]]


def _factored(poly: Any) -> tuple[Any, list[tuple[Any, int]]]:
    """A constant and factors with their powers: irreducible ones, as a rule.

    python-flint sorts factors by coefficients as C longs and overflows where two factors of one
    shape have larger ones, and it gives up on some large ones (RuntimeError): then a coarser
    product, as true, has to do.
    """
    for method in (poly.factor, poly.factor_squarefree):
        try:
            content, found = method()
            return content, list(found)
        except (OverflowError, RuntimeError):
            continue
    return (1 if poly.leading_coefficient() > 0 else -1), [
        (poly if poly.leading_coefficient() > 0 else -poly, 1)]


def _generator(key: Key) -> Scalar:
    ctx = _context((key,))
    return Scalar((key,), ctx.gens()[0], ctx.constant(1))


def _exp_monomial(m: Monomial, c: Fraction) -> Scalar:
    if len(m) == 1 and isinstance(m[0][0], sp.log) and m[0][1] == 1:
        prime = int(m[0][0].args[0])
        whole, rest = divmod(c.numerator, c.denominator)
        value = Scalar.of(Fraction(prime) ** whole)
        return value * _generator(("r", prime, c.denominator)) ** rest if rest else value
    if len(m) == 1 and isinstance(m[0][0], LogOf) and m[0][1] == 1:
        whole, rest = divmod(c.numerator, c.denominator)
        power: Scalar = m[0][0].argument ** whole
        return power * _generator(("e", m, c.denominator)) ** rest if rest else power
    if dict(m) == {sp.I: 1, sp.pi: 1}:
        if (2 * c).denominator != 1:
            raise Unsupported(f"exp(i pi {c}) is outside the field")
        return _generator(("i",)) ** (int(2 * c) % 4)
    root = root_of(c)
    return _generator(("e", m, root)) ** int(c * root)


def root_of(c: Fraction) -> Any:
    """The N for which e^(c m) is written as a power of e^(m/N).

    A double, such as 0.1, is no small multiple of a simple fraction: then it is N = 1/|c|.

    >>> root_of(Fraction(3, 4)), root_of(Fraction(-0.1))
    (4, Fraction(36028797018963968, 3602879701896397))
    """
    return c.denominator if abs(c.numerator) <= MAX_MONOMIAL else 1 / abs(c)


def common_root(a: Any, b: Any) -> Any:
    """The least N for which e^(m/a) and e^(m/b) are whole powers of e^(m/N).

    >>> common_root(4, 6), common_root(Fraction(2, 5), Fraction(1, 5))
    (12, Fraction(2, 5))
    """
    if isinstance(a, int) and isinstance(b, int):
        return lcm(a, b)
    a, b = Fraction(a), Fraction(b)
    return Fraction(lcm(a.numerator, b.numerator), gcd(a.denominator, b.denominator))


@lru_cache(maxsize=65536)
def _union(a: tuple[Key, ...], b: tuple[Key, ...]) -> tuple[Key, ...]:
    """Generators of which the old ones are powers.

    Two of one head stay apart where their common root is far from one of them: that may hide an
    identity, and makes none.
    """
    groups: dict[tuple[Any, ...], list[tuple[Any, Any]]] = {}
    for key in (*a, *b):
        head, n = (key[:2], key[2]) if key[0] in "er" else (key, 1)
        known = groups.setdefault(head, [])
        for j, (root, least) in enumerate(known):
            met = common_root(root, n)
            if key[0] == "r" or met == root or met <= MAX_MONOMIAL * min(least, n):
                known[j] = met, min(least, n)
                break
        else:
            known.append((n, n))
    keys = [(*head, n) if head[0] in "er" else head
            for head, found in groups.items() for n in dict.fromkeys(root for root, _ in found)]
    return tuple(sorted(keys, key=_order))


def _lift(old: tuple[Key, ...], poly: Any, new: tuple[Key, ...]) -> Any:
    if old == new:
        return poly
    position = _places(old, new)
    if len(poly) > FEW_TERMS and len({j for j, _ in position}) == len(position):
        return poly.inflate([scale for _, scale in position]).project_to_context(
            _context(new), {i: j for i, (j, _) in enumerate(position)})
    out: dict[tuple[int, ...], Any] = {}
    for exps, c in zip(poly.monoms(), poly.coeffs(), strict=True):
        e = [0] * len(new)
        for (j, scale), k in zip(position, exps, strict=True):
            # several old generators may be powers of one
            e[j] += int(k) * scale
        place = tuple(e)
        out[place] = out.get(place, 0) + c
    return _context(new).from_dict(out)


@lru_cache(maxsize=65536)
def _places(old: tuple[Key, ...], new: tuple[Key, ...]) -> list[tuple[int, int]]:
    return [_place(key, new) for key in old]


def _place(key: Key, new: tuple[Key, ...]) -> tuple[int, int]:
    """The generator of which the old one is a power, and which power."""
    if key[0] not in "er":
        return new.index(key), 1
    for j, other in enumerate(new):
        if other[:2] == key[:2]:
            scale = Fraction(other[2]) / key[2]
            if scale.denominator == 1:
                return j, int(scale)
    raise AssertionError(f"{key} is no power of the generators {new}")
