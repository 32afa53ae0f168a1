"""Elementary and special functions over the coefficient field, one generator for each.

A tower gives an expression a normal form: rational in parameters, exponentials, roots and function
values, equal arguments sharing a generator.  Functional equations of the logarithm, roots and erfc
are applied on the way.  A zero normal form is a zero function; nothing follows from a non-zero one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.balls.compare import sign as ball_sign
from lapdp.calculus import convert
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, is_real_atom, log_of_rational
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import Unsupported

EXPONENTIAL = (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, sp.sinh, sp.cosh, sp.tanh, sp.coth,
                sp.sech, sp.csch)
SIGNED = (sp.Abs, sp.sign, sp.Max, sp.Min)
ENTIRE = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.erf, sp.erfc, sp.erfi, sp.Si, sp.Shi,
           sp.fresnels, sp.fresnelc)
ON_REALS = (sp.tanh, sp.sech, sp.atan, sp.asinh)
ON_POSITIVES = (sp.log, sp.gamma, sp.loggamma, sp.expint, sp.uppergamma, sp.lowergamma, sp.besselk,
                 sp.bessely, sp.besseli, sp.besselj, sp.Ci, sp.Chi, sp.Ei)


_symbols: dict[Any, Any] = {}
_meanings: dict[Any, Any] = {}


def _generator_of(e: Any) -> Any:
    """The symbol that stands for a function value, with the sign its assumptions give."""
    if e not in _symbols:
        positive = e.is_positive or (isinstance(e, sp.erfc) and e.args[0].is_real)
        signs = {"positive": True} if positive else {"real": True} if e.is_real else {}
        _symbols[e] = sp.Dummy(str(e), **signs)
        _meanings[_symbols[e]] = e
    return _symbols[e]


def plain(x: Scalar) -> Any:
    """A normal form as a SymPy expression."""
    return meaning(x.to_sympy())


def meaning(e: Any) -> Any:
    """An expression in generators, written out."""
    return e.xreplace({s: _meanings[s] for s in e.free_symbols if s in _meanings})


class Tower:
    """Normal forms in one cell.

    >>> x = sp.Symbol("x", positive=True)
    >>> tower = Tower(Cell())
    >>> tower.scalar(sp.log(2 * x**2) - 2 * sp.log(x) - sp.log(2))
    0
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.known: list[tuple[Any, tuple[Scalar, ...], Any]] = []
        self.roots: dict[Any, tuple[int, Scalar]] = {}
        self.logs: dict[Any, Scalar] = {}

    # -- normal form ----------------------------------------------------------------------------

    def scalar(self, e: Any) -> Scalar:
        """The normal form; :class:`Unsupported` outside the class, :class:`NeedSplit` for |x|."""
        e = sp.sympify(e)
        if e.is_Add or e.is_Mul:
            parts = [self.scalar(a) for a in e.args]
            total = parts[0]
            for x in parts[1:]:
                total = total + x if e.is_Add else total * x
            return self.reduce(total)
        if isinstance(e, sp.exp):
            return self.exponential(self.scalar(e.args[0]))
        if e.is_Pow:
            return self.reduce(self.power(self.scalar(e.base), e.exp))
        if isinstance(e, sp.log):
            return self.logarithm(self.scalar(e.args[0]))
        if isinstance(e, EXPONENTIAL):
            return self.scalar(e.rewrite(sp.exp))
        if isinstance(e, sp.erf):
            return 1 - self.scalar(sp.erfc(e.args[0]))
        if isinstance(e, SIGNED):
            return self._signed(e)
        if isinstance(e, sp.NumberSymbol) and e != sp.E:
            return Scalar.of(Form.atom(e))
        if isinstance(e, (*ENTIRE, *ON_REALS, *ON_POSITIVES)):
            return self._function(e)
        return convert.to_scalar(e).substitute(self.cell.values)

    def _function(self, e: Any) -> Scalar:
        args = tuple(self.scalar(a) for a in e.args)
        if isinstance(e, sp.erfc):
            return self._erfc(args[0])
        return self._generator(type(e), args, type(e))

    def _erfc(self, x: Scalar) -> Scalar:
        if x.is_zero():
            return Scalar.of(1)
        if x.num.leading_coefficient() < 0:
            return 2 - self._erfc(-x)
        return self._generator(sp.erfc, (x,), lambda a: sp.erfc(a, evaluate=False))

    def _signed(self, e: Any) -> Scalar:
        parts = [self.scalar(a) for a in e.args]
        if isinstance(e, (sp.Max, sp.Min)):
            best = parts[0]
            for x in parts[1:]:
                if (self.sign(x - best) > 0) == isinstance(e, sp.Max):
                    best = x
            return best
        sign = self.sign(parts[0])
        return Scalar.of(sign) if isinstance(e, sp.sign) else parts[0] * sign

    def _generator(self, kind: Any, args: tuple[Scalar, ...], make: Callable[..., Any]) -> Scalar:
        for other, values, atom in self.known:
            if other == kind and all(self.reduce(x - y).is_zero()
                                     for x, y in zip(args, values, strict=True)):
                return Scalar.of(Form.atom(atom)).substitute(self.cell.values)
        value = make(*(plain(x) for x in args))
        if not isinstance(value, (sp.Function, sp.Pow)):
            return self.scalar(value)
        atom = _generator_of(value)
        self.known.append((kind, args, atom))
        return Scalar.of(Form.atom(atom)).substitute(self.cell.values)

    def exponential(self, x: Scalar) -> Scalar:
        """e^x: of a polynomial in the field, with e^(k log u) = u^k; else a generator."""
        form = self.reduce(x).as_form()
        if form is None:
            if x.num.leading_coefficient() < 0:
                return self.exponential(-x).inverse()
            return self._generator(sp.exp, (x,), lambda a: sp.exp(a, evaluate=False))
        total = Scalar.of(1)
        for m, c in form.terms.items():
            if len(m) == 1 and m[0] in ((a, 1) for a in self.logs):
                total = total * self._rational_power(self.logs[m[0][0]], c)
            else:
                total = total * Scalar.exp(Form({m: c}))
        return total

    def power(self, base: Scalar, exponent: Any) -> Scalar:
        """base^exponent, the principal value; the base positive unless the exponent is whole."""
        if exponent.is_Integer:
            return convert.power(base, exponent)
        if exponent.is_Rational:
            return self._rational_power(base, Fraction(int(exponent.p), int(exponent.q)))
        return self.exponential(self.scalar(exponent) * self.logarithm(base))

    def _rational_power(self, base: Scalar, k: Fraction) -> Scalar:
        if k.denominator == 1:
            return base ** int(k)
        if base.is_zero():
            return convert.power(base, sp.Integer(1 if k > 0 else -1))
        try:
            return convert.power(base, sp.Rational(k.numerator, k.denominator))
        except Unsupported:
            parts = self.positive_factors(base)
        if parts is None:
            return self._root(base, k)
        total = Scalar.exp(log_of_rational(parts[0]) * Form.of(k))
        for factor, n in parts[1]:
            shape = factor.as_exponential()
            total = total * (self._root(factor, k * n) if shape is None
                             else Scalar.exp(shape[1] * Form.of(k * n)))
        return total

    def _root(self, base: Scalar, k: Fraction) -> Scalar:
        whole, rest = divmod(k.numerator, k.denominator)
        q = k.denominator
        root = self._generator(("root", q), (base,), lambda b: sp.Pow(
            b, sp.Rational(1, q), evaluate=False))
        for atom in _atoms(root):
            if isinstance(_meanings.get(atom), sp.Pow):
                self.roots.setdefault(atom, (q, base))
        return base**whole * root**rest

    def logarithm(self, x: Scalar) -> Scalar:
        """log x, as a sum over the positive factors of x."""
        try:
            return Scalar.of(convert.logarithm(x))
        except Unsupported:
            parts = self.positive_factors(x)
        if parts is None:
            return self._log_atom(x)
        total = Scalar.of(log_of_rational(parts[0]))
        for factor, n in parts[1]:
            shape = factor.as_exponential()
            total = total + (self._log_atom(factor) if shape is None else Scalar.of(shape[1])) * n
        return total

    def _log_atom(self, x: Scalar) -> Scalar:
        for atom, (q, base) in list(self.roots.items()):
            if x == Scalar.of(Form.atom(atom)):
                return self.logarithm(base) * Scalar.of(Fraction(1, q))
        value = self._generator(sp.log, (x,), lambda a: sp.log(a, evaluate=False))
        for atom in _atoms(value):
            if isinstance(_meanings.get(atom), sp.log):
                self.logs.setdefault(atom, x)
        return value

    def positive_factors(self, x: Scalar) -> tuple[Fraction, list[tuple[Scalar, int]]] | None:
        """x = c product f^k with c > 0 and every f > 0 in the cell, or None."""
        found: list[tuple[Scalar, int]] = []
        content = Fraction(1)
        for poly, turn in ((x.num, 1), (x.den, -1)):
            one = poly / poly
            c, factors = poly.factor()
            content *= Fraction(int(c)) ** turn
            for p, k in factors:
                f = Scalar(x.keys, p, one)
                try:
                    sign = self.sign(f)
                except (NeedSplit, Unsupported):
                    return None
                if sign == 0:
                    return None
                found.append((f if sign > 0 else -f, int(k) * turn))
                content *= sign ** int(k)
        return (content, found) if content > 0 else None

    def reduce(self, x: Scalar) -> Scalar:
        """Replace powers r^q of roots, in numerator and denominator."""
        for atom, (q, base) in list(self.roots.items()):
            if ("s", atom) not in x.keys:
                continue
            j = x.keys.index(("s", atom))
            if all(int(e[j]) < q for e in x.num.to_dict()) and not any(
                    int(e[j]) for e in x.den.to_dict()):
                continue
            num, den = _powers(x, x.num, atom), _powers(x, x.den, atom)
            shift = -next(iter(den)) % q if len(den) == 1 else 0
            root = Scalar.of(Form.atom(atom))
            top, bottom = (sum((c * base ** ((p + shift) // q) * root ** ((p + shift) % q)
                                for p, c in side.items()), Scalar.of(0)) for side in (num, den))
            x = top / bottom
        return x

    # -- signs ----------------------------------------------------------------------------------

    def sign(self, x: Scalar) -> int:
        """Sign of a real value in the cell; numbers by balls."""
        x = self.reduce(x)
        if x.is_zero():
            return 0
        value = plain(x)
        if not value.free_symbols:
            found = ball_sign(value)
            if found is None:
                raise Unsupported(f"the sign of {value} is not decided")
            return found
        return self.cell.sign_of(x)

    def nonzero(self, x: Scalar) -> bool:
        """Is a real or complex value different from 0 all over the cell?"""
        x = self.reduce(x)
        if self.real(x):
            return self.sign(x) != 0
        return self.cell.nonzero(x)

    def real(self, x: Scalar) -> bool:
        """Is the value real by its form?"""
        return all(a is not sp.I and is_real_atom(a) for a in _atoms(x))


def _atoms(x: Scalar) -> set[Any]:
    return {a for poly in (x.num, x.den) for _, log, rest, _ in x.polynomial_terms(poly)
            for a in log.atoms() | rest.atoms()}


def _powers(x: Scalar, poly: Any, atom: Any) -> dict[int, Scalar]:
    """A polynomial by the powers of one generator."""
    out: dict[int, Scalar] = {}
    for c, log, rest, _ in x.polynomial_terms(poly):
        ((m, k),) = rest.terms.items()
        p = dict(m).get(atom, 0)
        others = Form({tuple(y for y in m if y[0] != atom): k})
        out[p] = out.get(p, Scalar.of(0)) + Scalar.of(others) * c * Scalar.exp(log)
    return out
