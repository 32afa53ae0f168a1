"""Expressions as NumPy source: constants rounded once, exponentials merged, no inf * 0.

A sum is written term by term, each as c e^A with all exponentials of the term in A, so that a large
factor never meets its small partner as two doubles.  Error functions go with their exponentials
(e^a erfc(x) = e^(a - x^2) erfcx(x)), logarithms of sums are scaled by their largest term, and
1 - e^A is ``expm1``.
"""

from __future__ import annotations

from math import isfinite, prod
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.balls.lattice import NormalTail
from lapdp.core.errors import Unsupported

MAX_TERMS = 20_000
"""Terms that products of sums may be multiplied out to."""
MAX_LOG = 300
"""Constants beyond e to this power are kept in the exponent."""
_SIMPLE = {sp.Abs: "np.abs", sp.re: "np.real", sp.im: "np.imag", sp.cos: "np.cos",
           sp.sin: "np.sin", sp.cosh: "np.cosh", sp.sinh: "np.sinh", sp.tanh: "np.tanh",
           sp.atan: "np.arctan", sp.floor: "np.floor", sp.ceiling: "np.ceil", sp.sign: "np.sign",
           sp.conjugate: "np.conj"}
SPECIAL = {sp.erfc: "erfc", sp.erf: "erf", sp.erfcinv: "erfcinv"}
"""What SciPy is needed for; Lambert's W and the inverse of erf, too."""
_FOLDS = {sp.Max: "np.maximum", sp.Min: "np.minimum", sp.And: "np.logical_and",
          sp.Or: "np.logical_or"}


class Writer:
    """Writes expressions in one array variable; collects what the source must define."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable
        self.helpers: set[str] = set()
        self.special: set[str] = set()
        """Functions of SciPy."""

    def __call__(self, e: Any) -> str:
        """An expression; a product, power or sum that stands inside another gets brackets."""
        if e.is_Add:
            return self.sum(e)
        if e.is_Mul and not e.is_number:
            return self.term(e)
        return self.factor(e)

    # -- sums of c e^A ------------------------------------------------------------------------

    def sum(self, e: Any) -> str:
        """A sum, its products multiplied out and constants added up exactly."""
        if e.is_number:
            return literal(e)
        # e^a = Y goes with erfc(... log Y ...), so that Y must stay whole
        whole = any(_open_logs(f.args[0]) for f in e.atoms(sp.erfc))
        terms = sp.Add.make_args(e if whole else _multiplied_out(e))
        plain = [t for t in terms if not t.has(sp.erfc)]
        found = self._expm1(plain) if len(plain) == 2 else None
        if found is None:
            constant = sp.Add(*(t for t in plain if t.is_number))
            found = [self(t) for t in plain if not t.is_number]
            found += [literal(constant)] if constant else []
        found += self._error_functions([t for t in terms if t.has(sp.erfc)])
        if not found:
            return "0.0"
        first = next((i for i, text in enumerate(found) if not text.startswith("-")), 0)
        joined = found.pop(first)
        for text in found:
            joined += f" - {text[1:]}" if text.startswith("-") else f" + {text}"
        return joined

    def _expm1(self, terms: list[Any]) -> list[str] | None:
        """c - c e^A."""
        for one, other in (terms, terms[::-1]):
            c, exponent = _split(other)
            if one.is_number and c.is_number and exponent:
                ratio = -c / one
                if ratio.is_positive:
                    shown = self(sp.expand(exponent + (sp.log(ratio) if ratio != 1 else 0)))
                    return [_times(literal(-one), f"np.expm1({shown})")]
        return None

    def term(self, e: Any) -> str:
        """c e^A."""
        c, exponent = _split(e)
        numbers, rest = (c, sp.S.One) if c.is_number else c.as_independent(
            *c.free_symbols, as_Add=False)
        above: list[Any] = []
        below: list[Any] = []
        for factor in (f for f in sp.Mul.make_args(rest) if f != 1):
            base, power = factor.as_base_exp()
            if power.could_extract_minus_sign():
                below.append(base**-power)
            else:
                above.append(factor)
        if exponent and numbers.is_real and abs(size := sp.log(abs(numbers))) > MAX_LOG:
            numbers, exponent = sp.sign(numbers), exponent + size
        sums = [x for x in above if isinstance(x, NormalTail)]
        parts = [self.factor(x) for x in above if x not in sums[:1]]
        if sums:
            # the exponent goes into the sum, whose terms may be as small as it is large
            parts.append(self._normal_tail(sums[0], exponent))
        elif exponent:
            parts.append(f"np.exp({self(exponent)})")
        text = "*".join(parts)
        if numbers != 1 or not parts:
            text = _times(literal(numbers), text)
        return text + "".join(f"/{self.factor(x)}" for x in below)

    def _error_functions(self, terms: list[Any]) -> list[str]:
        """Terms c e^A erfc(B), those with equal A - B^2 together."""
        groups: dict[Any, list[tuple[Any, tuple[Any, Any, Any]]]] = {}
        found = []
        for t in terms:
            inner = [f for f in sp.Mul.make_args(t) if isinstance(f, sp.erfc)]
            others = [f for f in sp.Mul.make_args(t) if not isinstance(f, sp.erfc)]
            if len(inner) != 1 or any(f.has(sp.erfc) for f in others):
                found.append(self.term(t) if t.is_Mul else self.factor(t))
                continue
            # a factor Y stands for e^(log Y) where log Y occurs in the argument
            logs = {log: sp.Dummy(real=True) for log in _open_logs(inner[0].args[0])}
            scales = {log.args[0]: sp.exp(short) for log, short in logs.items()}
            c, exponent = _split(sp.Mul(*(f.xreplace(scales) for f in others)))
            common = sp.expand(exponent - inner[0].args[0].xreplace(logs)**2)
            common, exponent = (e.xreplace({short: log for log, short in logs.items()})
                                for e in (common, exponent))
            groups.setdefault(common, []).append((t, (c, exponent, inner[0].args[0])))
        for common, members in groups.items():
            if len(members) == 1 and members[0][1][1] == 0:
                found.append(self.term(members[0][0]))
            else:
                self.helpers.add("_erfc_sum")
                self.special.add("erfcx")
                listed = ", ".join(f"({', '.join(map(self, parts))})" for _, parts in members)
                found.append(f"_erfc_sum({self(common)}, {listed})")
        return found

    # -- everything else ----------------------------------------------------------------------

    def factor(self, e: Any) -> str:
        """An expression that may stand in a product."""
        if e.is_Symbol:
            return str(e.name)
        if isinstance(e, sp.Expr) and e.is_number and not e.has(sp.Sum):
            return literal(e)
        if e.is_Add or e.is_Mul:
            return f"({self(e)})"
        if isinstance(e, sp.exp):
            return f"np.exp({self(sp.expand(e.exp))})"
        if e.is_Pow:
            return self._power(e)
        if isinstance(e, sp.log):
            return self._log(e.args[0])
        if isinstance(e, sp.Piecewise):
            return self.cases(e)
        if isinstance(e, sp.LambertW):
            self.special.add("lambertw")
            self.helpers.add("_lambertw")
            return f"_lambertw({self(e.args[0])}, {e.args[1] if len(e.args) > 1 else 0})"
        if isinstance(e, sp.erfinv):
            # near its poles erfcinv keeps the digits
            near, side = (1 - e.args[0], "") if e.args[0].subs(self.variable, 0) == 1 else (
                1 + e.args[0], "-")
            inverse = self.factor(sp.erfcinv(sp.expand(near), evaluate=False))
            return f"({side}{inverse})" if side else inverse
        if isinstance(e, NormalTail):
            return self._normal_tail(e)
        if isinstance(e, sp.Sum):
            return self._finite_sum(e)
        for kind, name in (_SIMPLE | SPECIAL).items():
            if isinstance(e, kind):
                self.special |= {name} if kind in SPECIAL else set()
                return f"{name}({self(e.args[0])})"
        if type(e) in _FOLDS and isinstance(e, (sp.Max, sp.Min)):
            return _folded(_FOLDS[type(e)], [self(a) for a in e.args])
        raise Unsupported(f"{type(e).__name__} has no NumPy code here")

    def _normal_tail(self, e: Any, exponent: Any = sp.S.Zero) -> str:
        self.helpers.add("_normal_tail")
        return f"_normal_tail({', '.join(map(self, (*e.args, exponent)))})"

    def _power(self, e: Any) -> str:
        base, power = e.as_base_exp()
        if e.exp == sp.Rational(1, 2):
            return f"np.sqrt({self(e.base)})"
        if power.is_number and power.could_extract_minus_sign():
            return f"(1.0/{self._power_text(base, -power)})"
        return self._power_text(base, power)

    def _power_text(self, base: Any, power: Any) -> str:
        if power == sp.Rational(1, 2):
            return f"np.sqrt({self(base)})"
        shown = self.factor(base)
        shown = f"({shown})" if shown.startswith("-") else shown
        if power == 1:
            return shown
        return f"{shown}**{power if power.is_Integer else self.factor(power)}"

    def _log(self, e: Any) -> str:
        """log of a positive value: products become sums, a sum is scaled by its largest term."""
        if e.is_number:
            return literal(sp.log(abs(e)))
        if isinstance(e, sp.exp):
            return f"({self(sp.expand(e.exp))})"
        if e.is_Pow and e.exp.is_number:
            return _times(self.factor(e.exp), self._log(e.base))
        if isinstance(e, sp.Piecewise):
            logs = [(sp.log(f, evaluate=False), c) for f, c in e.args]
            return self.cases(sp.Piecewise(*logs, evaluate=False))
        if e.is_Mul:
            return "(" + " + ".join(self._log(f) for f in e.args) + ")"
        if e.is_Add:
            parts = [_split(t) for t in sp.Add.make_args(_multiplied_out(e))]
            if any(a for _, a in parts):
                self.helpers.add("_log_sum")
                listed = ", ".join(f"({self(c)}, {self(a)})" for c, a in parts)
                return f"_log_sum({listed})"
        return f"np.log(np.abs({self(e)}))"

    def _finite_sum(self, e: Any) -> str:
        if len(e.limits) != 1:
            raise Unsupported("a sum over several letters has no NumPy code: take mpmath")
        (limits,) = e.limits
        index, first, last = limits
        if first.is_infinite or last.is_infinite:
            raise Unsupported("an infinite sum has no NumPy code: take mpmath")
        if first.has(self.variable) or last.has(self.variable):
            raise Unsupported("a sum whose length varies has no NumPy code: take mpmath")
        return (f"sum({self.factor(e.function)} for {index} in "
                f"range(int({self(first)}), int({self(last)}) + 1))")

    # -- conditions ---------------------------------------------------------------------------

    def cases(self, e: Any) -> str:
        """A Piecewise: each formula is evaluated where it applies, and nowhere else."""
        x = self.variable.name
        if not any(c.has(self.variable) for _, c in e.args):
            text = "np.nan"
            for formula, condition in reversed(e.args):
                text = self(formula) if condition == sp.true else (
                    f"({self(formula)} if {self.condition(condition)} else {text})")
            return f"({text})"
        self.helpers.add("_cases")
        listed = ", ".join(f"(lambda {x}: {self.condition(condition)}, lambda {x}: {self(formula)})"
                           for formula, condition in e.args)
        return f"_cases({x}, {listed})"

    def condition(self, c: Any) -> str:
        """A condition, on arrays where it speaks of the variable."""
        if c in (sp.true, sp.false):
            return str(bool(c))
        if isinstance(c, (sp.And, sp.Or)):
            return _folded(_FOLDS[type(c)], [self.condition(a) for a in c.args])
        if isinstance(c, sp.Not):
            return f"np.logical_not({self.condition(c.args[0])})"
        if not isinstance(c, Relational):
            raise Unsupported(f"{type(c).__name__} is no condition for NumPy")
        lhs, rhs = c.lhs, c.rhs
        if isinstance(lhs, sp.exp) and rhs.is_positive:
            lhs, rhs = lhs.exp, sp.log(rhs)
        return f"{self(lhs)} {c.rel_op} {self(rhs)}"


def literal(value: Any) -> str:
    """A constant, rounded once to a double or a pair of doubles.

    >>> literal(sp.exp(-1) / 3), literal(sp.Integer(2)), literal(sp.I * sp.log(2))
    ('0.12262648039048077', '2.0', '0.6931471805599453j')
    """
    number = sp.N(value, 40)
    real, imag = number.as_real_imag()
    if not (real.is_number and imag.is_number):
        raise Unsupported(f"{value} is no number")
    found = complex(float(real), float(imag))
    if not (isfinite(found.real) and isfinite(found.imag)):
        raise Unsupported("a constant of the closed form exceeds the doubles: take mpmath")
    if imag == 0:
        return repr(found.real)
    return f"{found.imag!r}j" if real == 0 else repr(found)


def _times(number: str, text: str) -> str:
    if not text:
        return number
    return {"1.0": text, "-1.0": f"-{text}"}.get(number, f"{number}*{text}")


def _folded(name: str, parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text = f"{name}({text}, {part})"
    return text


def _split(e: Any) -> tuple[Any, Any]:
    """(c, A) with e = c e^A, all exponentials of a product in A."""
    exponents, others = [], []
    for f in sp.Mul.make_args(e):
        if isinstance(f, sp.exp):
            exponents.append(f.exp)
        elif f is sp.E:
            exponents.append(sp.S.One)
        elif f.is_Pow and isinstance(f.base, sp.exp) and f.exp.is_integer:
            exponents.append(f.base.exp * f.exp)
        else:
            others.append(f)
    exponent = sp.expand(sp.Add(*exponents))
    if exponent.is_number:
        return e, sp.S.Zero
    return sp.Mul(*others), exponent


def _open_logs(e: Any) -> list[Any]:
    return [log for log in e.atoms(sp.log) if not log.args[0].is_number]


def _multiplied_out(e: Any) -> Any:
    sizes = [prod(len(sp.Add.make_args(f)) for f in sp.Mul.make_args(t))
             for t in sp.Add.make_args(e)]
    if sum(sizes) > MAX_TERMS:
        return e
    return sp.expand(e, power_exp=False, power_base=False, log=False, multinomial=False,
                     basic=False, complex=False, func=False, trig=False, deep=False)


__all__ = ["Writer", "literal"]
