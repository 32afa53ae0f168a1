"""Forms: Laurent polynomials in real and complex parameters, with rational coefficients.

Exponents, breakpoints and frequencies are forms.  Atoms are SymPy symbols, logarithms of primes,
``pi``, the imaginary unit (reduced by i^2 = -1), so that equal forms have equal dictionaries, and
logarithms of field elements (:mod:`lapdp.calculus.logs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import flint
import sympy as sp

from lapdp.core.errors import Undefined, Unsupported

TRIAL_PRIMES = 80_000
"""Primes, up to a million, by which every rational is divided."""
SPLIT_BITS = 140
"""What is left is factored up to so many bits: a second for one number at most."""
Monomial = tuple[tuple[Any, int], ...]


class LogOf(sp.AtomicExpr):
    """The logarithm of a positive real field element, made by ``logs.log_form`` only."""

    is_commutative = True
    is_real = True
    argument: Any
    index: int

    def __new__(cls, argument: Any, index: int) -> Any:
        obj = sp.AtomicExpr.__new__(cls)
        obj.argument, obj.index = argument, index
        return obj

    @cached_property
    def _text(self) -> str:
        """Generators of the field are sorted by it."""
        return f"log({self.argument.to_sympy()})"

    def _hashable_content(self) -> Any:
        return (self.index,)

    @property
    def free_symbols(self) -> set[Any]:
        """The parameters of the argument."""
        return {s for a in self.argument.parameters() for s in a.free_symbols}

    def _eval_subs(self, old: Any, new: Any) -> Any:
        if old not in self.free_symbols:
            return self
        return sp.log(self.argument.to_sympy())._subs(old, new)

    def _sympystr(self, printer: Any) -> str:
        return self._text

    def _sympyrepr(self, printer: Any) -> str:
        return f"LogOf({self.index})"

    def _latex(self, printer: Any) -> str:
        return str(printer._print(sp.log(self.argument.to_sympy())))


class Named(sp.AtomicExpr):
    """A positive number that the field takes for a letter, such as sqrt(2) or 1 + 10^-30.

    ``ball`` encloses it at the precision of the moment.  What is 0 for every value of the letter is
    0; that something is not 0 only balls can tell.
    """

    is_commutative = True
    is_real = True
    is_positive = True
    value: Any
    ball: Callable[[], Any]

    def __new__(cls, value: Any, ball: Callable[[], Any]) -> Any:
        obj = sp.AtomicExpr.__new__(cls)
        obj.value, obj.ball = value, ball
        return obj

    def _hashable_content(self) -> Any:
        return (self.value,)

    def _sympystr(self, printer: Any) -> str:
        return f"({printer._print(self.value)})"

    def _sympyrepr(self, printer: Any) -> str:
        return f"Named({printer._print(self.value)})"

    def _latex(self, printer: Any) -> str:
        return str(printer._print(self.value))


@lru_cache(maxsize=65536)
def _atom_key(atom: Any) -> str:
    """A name that tells symbols of equal name and different assumptions apart."""
    return f"{atom} {sp.srepr(atom)} {getattr(atom, 'dummy_index', '')}"


@lru_cache(maxsize=65536)
def monomial_key(m: Monomial) -> str:
    """A name by which monomials are sorted."""
    return str(m)


def _mono_mul(a: Monomial, b: Monomial) -> tuple[Monomial, int]:
    powers: dict[Any, int] = dict(a)
    for atom, p in b:
        powers[atom] = powers.get(atom, 0) + p
    sign = 1
    if sp.I in powers:
        k = powers.pop(sp.I) % 4
        sign = -1 if k >= 2 else 1
        if k % 2:
            powers[sp.I] = 1
    kept = ((x, p) for x, p in powers.items() if p)
    return tuple(sorted(kept, key=lambda t: _atom_key(t[0]))), sign


class NoValue(Unsupported, Undefined):
    """No form is there because no number is: for methods that stop, and for cells that are empty.
    """


class Form:
    """An immutable Laurent polynomial; compares and hashes by value.

    >>> z, eps = sp.symbols("z eps", real=True)
    >>> Form.of(z) + Form.of(2) - Form.of(eps) == Form.of(2 - eps + z)
    True
    """

    __slots__ = ("_atoms", "_hash", "terms")
    _atoms: frozenset[Any] | None
    _hash: int | None

    def __init__(self, terms: Mapping[Monomial, Fraction]) -> None:
        self.terms = {m: c for m, c in terms.items() if c}
        self._atoms = self._hash = None

    def __reduce__(self) -> Any:
        """What is remembered stays behind: hashes differ between processes."""
        return Form, (self.terms,)

    @staticmethod
    def of(value: Any) -> Form:
        """Convert a SymPy expression that is a Laurent polynomial; else :class:`Unsupported`."""
        if isinstance(value, Form):
            return value
        if isinstance(value, (int, Fraction)):
            return Form({(): Fraction(value)})
        return _from_sympy(sp.sympify(value))

    @staticmethod
    def atom(atom: Any) -> Form:
        """The form that is one atom."""
        return Form({((atom, 1),): Fraction(1)})

    def __add__(self, other: Form) -> Form:
        terms = dict(self.terms)
        for m, c in other.terms.items():
            terms[m] = terms.get(m, Fraction(0)) + c
        return Form(terms)

    def __neg__(self) -> Form:
        return Form({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Form) -> Form:
        return self + (-other)

    def __mul__(self, other: Form) -> Form:
        terms: dict[Monomial, Fraction] = {}
        for m1, c1 in self.terms.items():
            for m2, c2 in other.terms.items():
                m, sign = _mono_mul(m1, m2)
                terms[m] = terms.get(m, Fraction(0)) + sign * c1 * c2
        return Form(terms)

    def inverse(self) -> Form:
        """1/self for a single term; sums have no inverse here, and 0 has none anywhere."""
        if not self.terms:
            raise NoValue("1/0 has no value")
        if len(self.terms) != 1:
            raise Unsupported(f"1/({self}) is no Laurent polynomial")
        ((m, c),) = self.terms.items()
        inverted, sign = _mono_mul(tuple((a, -p) for a, p in m), ())
        return Form({inverted: sign / c})

    def __pow__(self, n: int) -> Form:
        base = self if n >= 0 else self.inverse()
        result = Form.of(1)
        for _ in range(abs(n)):
            result = result * base
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __repr__(self) -> str:
        return str(self.to_sympy())

    def atoms(self) -> frozenset[Any]:
        """All atoms that occur, parameters inside logarithms included."""
        if self._atoms is None:
            found = {a for m in self.terms for a, _ in m}
            for a in [a for a in found if isinstance(a, LogOf)]:
                found |= a.argument.parameters()
            self._atoms = frozenset(found)
        return self._atoms

    def constant(self) -> Fraction | None:
        """The value, if the form is a rational number."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(()) if set(self.terms) == {()} else None

    def to_sympy(self) -> Any:
        """The same polynomial as a SymPy expression."""
        return sp.Add(*(sp.Rational(c.numerator, c.denominator)
                        * sp.Mul(*(_shown(a)**p for a, p in m)) for m, c in self.terms.items()))

    def slope(self, variable: Any) -> Form:
        """The coefficient of an atom in which the form is affine; else :class:`Unsupported`.

        >>> z, eps = sp.symbols("z eps", real=True)
        >>> Form.of(2*z*eps - z + 3).slope(z)
        2*eps - 1
        """
        if any(isinstance(a, LogOf) and variable in a.argument.parameters()
               for m in self.terms for a, _ in m):
            raise Unsupported(f"{self} is not affine in {variable}")
        found: dict[Monomial, Fraction] = {}
        for m, c in self.terms.items():
            power = dict(m).get(variable, 0)
            if power == 1:
                found[tuple(x for x in m if x[0] != variable)] = c
            elif power:
                raise Unsupported(f"{self} is not affine in {variable}")
        return Form(found)

    def substitute(self, values: Mapping[Any, Form]) -> Form:
        """Replace atoms by forms."""
        if not values or not (self.atoms() & set(values)):
            return self
        total = Form({})
        for m, c in self.terms.items():
            term = Form.of(c)
            for atom, p in m:
                term = term * _image(atom, p, values)
            total = total + term
        return total

    def split_complex(self) -> tuple[Form, Form]:
        """Real and imaginary part; a complex symbol q becomes re(q) + i im(q)."""
        parts: dict[Any, Form] = {}
        for atom in self.atoms():
            if atom is not sp.I and not is_real_atom(atom):
                parts[atom] = Form.atom(sp.re(atom)) + Form.atom(sp.I) * Form.atom(sp.im(atom))
        whole = self.substitute(parts)
        real, imag = {}, {}
        for m, c in whole.terms.items():
            if (sp.I, 1) in m:
                imag[tuple(x for x in m if x[0] is not sp.I)] = c
            else:
                real[m] = c
        return Form(real), Form(imag)

    def real_part(self) -> Form:
        """Real part as a form in real atoms."""
        return self.split_complex()[0]


def _shown(atom: Any) -> Any:
    return sp.log(atom.argument.to_sympy()) if isinstance(atom, LogOf) else atom


def _image(atom: Any, power: int, values: Mapping[Any, Form]) -> Form:
    if atom in values:
        return values[atom] ** power
    if isinstance(atom, LogOf) and atom.argument.parameters() & set(values):
        from lapdp.calculus.logs import log_form

        return log_form(atom.argument.substitute(values)) ** power
    return Form({((atom, power),): Fraction(1)})


def name_of(form: Form) -> str:
    """A text that tells forms apart, symbols of equal name and other assumptions too."""
    return ";".join(sorted(f"{[(_atom_key(a), p) for a, p in m]} {c}"
                           for m, c in form.terms.items()))


def is_real_atom(atom: Any) -> bool:
    """Is the atom real by its assumptions (logs of primes, pi, re(q) and im(q) are)?"""
    return bool(atom.is_real) or bool(atom.is_extended_real)


def log_of_rational(value: Fraction) -> Form:
    """log of a positive rational as a combination of logs of primes.

    >>> log_of_rational(Fraction(4, 3)) == Form.of(2 * sp.log(2) - sp.log(3))
    True
    """
    if value <= 0:
        raise Unsupported(f"log of {value} is not real")
    total = Form({})
    for number, sign in ((value.numerator, 1), (value.denominator, -1)):
        for p, k in _factors(number).items():
            total = total + Form({((sp.log(p, evaluate=False), 1),): Fraction(sign * k)})
    return total


@lru_cache(maxsize=1024)
def _factors(number: int) -> dict[int, int]:
    """Powers of primes; what is left of a long number, and is not one, stays as it is.

    >>> _factors(2**5 * (10**45 + 9)**3) == {2: 5, 10**45 + 9: 3}
    True
    """
    found: dict[int, int] = {}
    for part, power in flint.fmpz(number).factor(trial_limit=TRIAL_PRIMES):
        root, exponent = _root(part)
        split = root.factor() if root.bit_length() <= SPLIT_BITS else [(root, 1)]
        for p, k in split:
            found[int(p)] = found.get(int(p), 0) + int(power) * exponent * int(k)
    return found


def _root(number: Any) -> tuple[Any, int]:
    """(root, exponent) of the highest power that a number without small factors is."""
    for k in range(number.bit_length() // 20, 1, -1):
        root = number.root(k)
        if root**k == number:
            return root, k
    return number, 1


def _from_sympy(e: Any) -> Form:
    if e.is_Rational:
        return Form({(): Fraction(int(e.p), int(e.q))}) if e else Form({})
    if e.is_Symbol or e in (sp.pi, sp.I) or isinstance(e, (sp.re, sp.im, LogOf, Named)):
        return Form.atom(e)
    if isinstance(e, sp.log) and e.args[0].is_Rational and e.args[0] > 0:
        return log_of_rational(Fraction(int(e.args[0].p), int(e.args[0].q)))
    if e.is_Add:
        return _fold(e.args, Form.__add__, Form({}))
    if e.is_Mul:
        return _fold(e.args, Form.__mul__, Form.of(1))
    if e.is_Pow and e.exp.is_Integer and abs(int(e.exp)) <= 64:
        return _from_sympy(e.base) ** int(e.exp)
    raise Unsupported(f"{e} is not a polynomial in the parameters")


def _fold(args: Iterable[Any], op: Callable[[Form, Form], Form], start: Form) -> Form:
    for a in args:
        start = op(start, _from_sympy(a))
    return start
