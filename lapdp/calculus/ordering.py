"""Cells: case distinctions over real parameters, decided by linear reasoning or split.

A :class:`Cell` knows linear constraints on real forms.  ``sign`` answers what the constraints
entail; where they entail nothing it raises :class:`NeedSplit`, and :func:`explore` splits the cell
in three and starts again.  So every case that matters is visited, and no case is sampled.  A cell
may also know, and be split on, the sign of a polynomial in parameters and exponentials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.calculus.elements import (
    Fact,
    Reasoner,
    polynomial_fact,
    root_of,
    same_up_to_sign,
)
from lapdp.calculus.enclose import ERFC_ATOMS, differs_from_zero, enclose
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, Monomial, is_real_atom, log_of_rational, monomial_key
from lapdp.calculus.linear import Constraint, Row, infeasible, log_bounds, rows_of
from lapdp.calculus.logs import LogOf, exponential_of
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.precision import workdps
from lapdp.core.verdict import Leaf, Rejected, Split

Condition = tuple[Form | Scalar, str]
"""``form rel 0``, or ``element rel 0``, with rel one of ``>``, ``>=``, ``=``."""
MAX_DEPTH = 14
_EXCESSES: list[Any] = []
"""Positive symbols w of the substitutions e^m = 1 + w; no parameter is one of them."""


@dataclass(frozen=True)
class SignOf:
    """The question: is this real form, or field element, below, at or above 0?"""

    form: Form | Scalar

    def answers(self) -> tuple[str, ...]:
        """The three signs."""
        return ("<", "=", ">")

    def __str__(self) -> str:
        return str(self.form)


class NeedSplit(Exception):
    """The cell does not decide the sign of a form or of a field element."""

    def __init__(self, form: Form | Scalar) -> None:
        self.form = form


class Cell:
    """A set of parameter values given by constraints, with the path of questions that led here.

    >>> x, y = sp.symbols("x y", real=True)
    >>> cell = Cell([(Form.of(x - y), ">"), (Form.of(y - 1), ">=")])
    >>> cell.sign(Form.of(x - 1))
    1
    """

    def __init__(self, constraints: Iterable[Condition] = (),
                 path: tuple[tuple[SignOf, str], ...] = ()) -> None:
        self.base = tuple(constraints)
        self.path = path
        self.values: dict[Any, Form] = {}
        self.constraints: list[Constraint] = []
        self.elements: list[Fact] = []
        conditions: list[Condition] = [*self.base, *(
            (q.form if a in ("=", ">") else -q.form, "=" if a == "=" else ">") for q, a in path)]
        self._signs: dict[Form, int] = {}
        self._found: list[tuple[Scalar, int | None]] = []
        self._entailed: dict[tuple[Form, str], bool] = {}
        self._implied: tuple[set[Any], set[Monomial], list[Row]] | None = None
        try:
            self._assume(conditions)
        except Undefined:
            # a condition holds only where it is defined: log of a number <= 0 leaves nothing
            self.elements.append((Scalar.of(0), ">"))

    def narrowed(self, values: Mapping[Any, Form], *constraints: Constraint) -> Cell:
        """This cell where atoms that are new have given values, and further constraints hold."""
        part = Cell(self.base, self.path)
        part.values.update(values)
        part.constraints.extend(constraints)
        return part

    def _assume(self, conditions: list[Condition]) -> None:
        equations = [subject for subject, rel in conditions if rel == "="]
        for subject in equations:
            if isinstance(subject, Form):
                self._eliminate(subject)
        for subject in equations:
            if isinstance(subject, Scalar):
                self._solve(subject)
        self.link_complex()
        for k, (subject, rel) in enumerate(conditions):
            self._note(subject, rel, keep=k < len(self.base) or rel != "=")

    def _note(self, subject: Form | Scalar, rel: str, keep: bool) -> None:
        """Remember a condition after all substitutions."""
        subject = subject.substitute(self.values)
        if isinstance(subject, Form):
            if keep:
                self.constraints.append((subject, rel))
            power = exponential_of(subject)
            if power is None:
                return
            subject = power - 1
        if not subject.is_zero() or rel == ">":
            self.elements.append(polynomial_fact(subject, rel))

    def _solve(self, element: Scalar) -> None:
        """Use ``element = 0`` to replace a symbol that occurs in one exponential only."""
        element = element.substitute(self.values)
        factors = [f for f, _ in element.factors()[1] if not self._surely_nonzero(f)]
        found = root_of(factors[0]) if len(factors) == 1 else None
        if found is None:
            return
        atom, value = found
        self.elements.append(polynomial_fact(Scalar.exp(value), ">"))
        self.values = {a: v.substitute({atom: value}) for a, v in self.values.items()}
        self.values[atom] = value

    def _eliminate(self, form: Form) -> None:
        """Use ``form = 0`` to replace one atom; nonlinear equations stay constraints."""
        form = form.substitute(self.values)
        inside = {a for k in form.terms for x, _ in k if isinstance(x, LogOf)
                  for a in x.argument.parameters()}
        candidates = [
            (m[0][0], c) for m, c in sorted(form.terms.items(), key=lambda t: monomial_key(t[0]))
            if len(m) == 1 and m[0][1] == 1
            and (m[0][0].is_Symbol or isinstance(m[0][0], (sp.re, sp.im)))
            and sum(1 for k in form.terms if m[0][0] in dict(k)) == 1
            and m[0][0] not in inside
        ]
        # a positive symbol keeps its sign constraint, so replace plain real ones first
        candidates.sort(key=lambda t: (bool(t[0].is_positive), str(t[0])))
        if not candidates:
            return
        atom, c = candidates[0]
        rest = form - Form({((atom, 1),): c})
        value = rest * Form.of(-1 / c)
        self.values = {a: v.substitute({atom: value}) for a, v in self.values.items()}
        self.values[atom] = value

    def link_complex(self) -> None:
        """Where re(q) or im(q) is known, q itself is re(q) + i im(q)."""
        for atom in list(self.values):
            if isinstance(atom, (sp.re, sp.im)) and atom.args[0].is_Symbol:
                q = atom.args[0]
                parts = [Form.atom(part(q)).substitute(self.values) for part in (sp.re, sp.im)]
                self.values[q] = parts[0] + Form.atom(sp.I) * parts[1]

    def _system(self, extra: Constraint) -> list[Row]:
        if self._implied is None:
            atoms = {a for form, _ in self.constraints for a in form.atoms()}
            monomials = {m for form, _ in self.constraints for m in form.terms}
            positive = [(v, ">") for a, v in self.values.items() if a.is_positive]
            self._implied = atoms, monomials, rows_of(
                [*self.constraints, *positive, *self._signs_of(atoms, monomials)])
        atoms, monomials, rows = self._implied
        form, _ = extra
        new = self._signs_of(form.atoms() - atoms, form.terms.keys() - monomials)
        return [*rows, *rows_of([*new, extra])]

    def _signs_of(self, atoms: Iterable[Any], monomials: Iterable[Monomial]) -> list[Constraint]:
        """What atoms and monomials satisfy by their assumptions."""
        implied: list[Constraint] = []
        for atom in atoms:
            image = self.values.get(atom, Form.atom(atom))
            if isinstance(atom, sp.log) or atom == sp.pi:
                low, high = log_bounds(atom)
                implied += [(Form.atom(atom) - Form.of(low), ">"),
                            (Form.of(high) - Form.atom(atom), ">")]
            elif atom.is_positive:
                implied.append((image, ">"))
            elif atom.is_nonnegative:
                implied.append((image, ">="))
        for m in monomials:
            products = len(m) > 1 or (m and m[0][1] != 1)
            signed = all(a.is_positive or (p % 2 == 0 and p > 0) for a, p in m)
            if products and signed:
                strict = all(a.is_positive for a, _ in m)
                implied.append((Form({m: Fraction(1)}), ">" if strict else ">="))
        return implied

    def is_empty(self) -> bool:
        """Do the constraints contradict each other?"""
        if infeasible(self._system((Form.of(1), ">"))):
            return True
        return bool(self.elements) and Reasoner(self, []).contradiction()

    def entails(self, form: Form, rel: str) -> bool:
        """Do the constraints imply ``form rel 0`` for rel in ``>``, ``>=``?"""
        if (form, rel) not in self._entailed:
            negation = (-form, ">=" if rel == ">" else ">")
            self._entailed[form, rel] = infeasible(self._system(negation))
        return self._entailed[form, rel]

    def sign(self, form: Form) -> int:
        """The sign (-1, 0, 1) of a real form; :class:`NeedSplit` when the cell leaves it open."""
        form = form.substitute(self.values)
        value = form.constant()
        if value is not None:
            return (value > 0) - (value < 0)
        if any(not is_real_atom(a) for a in form.atoms()):
            raise Unsupported(f"the sign of {form} is asked, which is not known to be "
                              "real: declare its symbols real or positive")
        power = exponential_of(form)
        if power is not None:
            return self.sign_of(power - 1)
        if form not in self._signs:
            self._signs[form] = self._decide(form)
        return self._signs[form]

    def _decide(self, form: Form) -> int:
        if self.entails(form, ">"):
            return 1
        if self.entails(-form, ">"):
            return -1
        if self.entails(form, ">=") and self.entails(-form, ">="):
            return 0
        content, parts = Scalar.of(form).factors()
        factors = [(p.as_form(), k) for p, k in parts]
        if len(factors) > 1 or any(k > 1 for _, k in factors):
            result = content
            for factor, k in factors:
                assert factor is not None
                result *= self.sign(factor) ** k
            return result
        known = self._reasoned(Scalar.of(form)) if self.elements else None
        if known is None and not Scalar.of(form).parameters():
            # a number: balls tell, or nothing does
            return self._numeric_sign(Scalar.of(form))
        if known is None:
            raise NeedSplit(form)
        return known

    def sign_of(self, x: Scalar) -> int:
        """Sign of a real field element, factor by factor."""
        x = x.substitute(self.values)
        if x.is_zero():
            return 0
        if not x.is_real():
            raise Unsupported(f"the sign of {x} is asked, which is not known to be "
                              "real: declare its symbols real or positive")
        if not x.parameters():
            # a number: balls are faster than factors
            found = _separated_sign(x)
            if found:
                return found
        result, parts = x.factors()
        for factor, k in parts:
            if k % 2 or not self._surely_nonzero(factor):
                result *= self._factor_sign(factor) ** k
        return result

    def nonzero(self, x: Scalar) -> bool:
        """Is a real or complex field element different from 0 all over the cell?"""
        x = x.substitute(self.values)
        if x.is_zero():
            return False
        if not x.parameters() and differs_from_zero(x):
            # a number: balls are faster than factors
            return True
        for factor, _ in x.factors()[1]:
            form = factor.as_form()
            if self._surely_nonzero(factor):
                continue
            if factor.is_real():
                if self._factor_sign(factor) == 0:
                    return False
                continue
            if not factor.parameters() and differs_from_zero(factor):
                continue
            if form is None:
                self._two_terms_differ(factor)
                continue
            real, imag = form.split_complex()
            if self.sign(real) == 0 and self.sign(imag) == 0:
                return False
        return True

    def _two_terms_differ(self, factor: Scalar) -> None:
        """c1 e^m1 + c2 e^m2 with complex exponents has no zero where the moduli differ."""
        terms = factor.polynomial_terms(factor.num)
        if len(terms) == 2 and all(t[2].constant() is not None for t in terms):
            (c1, m1, r1, _), (c2, m2, r2, _) = terms
            k1, k2 = (abs(c * (r.constant() or Fraction(1))) for c, r in ((c1, r1), (c2, r2)))
            gap = (m1 - m2).real_part() + log_of_rational(k1 / k2)
            if self.sign(gap) != 0:
                return
        raise Unsupported(f"{factor} may vanish for complex parameters")

    def _surely_nonzero(self, factor: Scalar) -> bool:
        terms = factor.polynomial_terms(factor.num)
        return len(terms) == 1 and terms[0][2] == Form.of(1)

    def _factor_sign(self, factor: Scalar) -> int:
        for x, rel in self.elements:
            same = same_up_to_sign(factor, x) if rel != ">=" else 0
            if same:
                return same if rel == ">" else 0
        terms = factor.polynomial_terms(factor.num)
        values = _atoms(terms)
        if values and all(a in ERFC_ATOMS and not ERFC_ATOMS[a].parameters() for a in values):
            return self._numeric_sign(factor)
        form = factor.as_form()
        if form is not None:
            return self.sign(form)
        known = self._reasoned(factor) if self.elements else None
        if known is not None:
            return known
        signs = []
        for c, _, rest, _ in terms:
            signs.append((1 if c > 0 else -1) * (self.sign(rest) if rest.constant() is None else 1))
        if all(s >= 0 for s in signs) or all(s <= 0 for s in signs):
            return max(signs) if max(signs) > 0 else min(signs)
        if len(terms) == 2 and all(t[2].constant() is not None for t in terms):
            (c1, m1, _, _), (c2, m2, _, _) = terms
            gap = m1 - m2 + log_of_rational(Fraction(abs(c1), abs(c2)))
            return self.sign(gap) * (1 if c1 > 0 else -1)
        if not values:
            return self._numeric_sign(factor)
        bounded = self._bounded_sign(factor, terms)
        if bounded:
            return bounded
        found = self._reasoned(factor)
        if found is None:
            raise NeedSplit(factor)
        return found

    def _reasoned(self, factor: Scalar) -> int | None:
        for x, found in self._found:
            same = same_up_to_sign(factor, x) if factor.keys == x.keys else 0
            if same:
                return None if found is None else same * found
        found = Reasoner(self, [factor]).sign(factor)
        self._found.append((factor, found))
        return found

    def _numeric_sign(self, factor: Scalar) -> int:
        found = _separated_sign(factor)
        if not found:
            raise Unsupported(f"the sign of {factor} is not decided at 400 digits")
        return found

    def _bounded_sign(self, factor: Scalar, terms: tuple[Any, ...]) -> int:
        """Write every exponential of known sign as (1 + w)^(+-1), w > 0: then read signs off."""
        monomials = sorted({m for _, log, _, _ in terms for m in log.terms}, key=str)
        total = factor
        for j, m in enumerate(monomials):
            form = Form({m: Fraction(1)})
            if self.entails(form, ">"):
                direction = 1
            elif self.entails(-form, ">"):
                direction = -1
            else:
                return 0
            while len(_EXCESSES) <= j:
                _EXCESSES.append(sp.Dummy("w", positive=True))
            w = _EXCESSES[j]
            replaced = _replace_exponential(total, m, w, direction)
            if replaced is None:
                return 0
            total = replaced
        result, parts = total.factors()
        for part, k in parts:
            coefficients = part.polynomial_terms(part.num)
            signs = {1 if c > 0 else -1 for c, _, _, _ in coefficients}
            if len(signs) != 1 or not all(a.is_positive for _, _, rest, _ in coefficients
                                          for a in rest.atoms()):
                return 0
            result *= signs.pop() ** k
        return result

    def vanishes(self, x: Scalar) -> bool:
        """Is the element zero all over the cell: after substitution, or by a known factor?"""
        x = x.substitute(self.values)
        zeros = [p for p, rel in self.elements if rel == "="]
        return x.is_zero() or (bool(zeros) and any(
            same_up_to_sign(f, p) for f, _ in x.numerator_factors()
            for p in zeros))

    def split(self, form: Form | Scalar) -> list[tuple[SignOf, str, Cell]]:
        """The three cells below, at and above ``form = 0``."""
        question = SignOf(form)
        found = [(question, a, Cell(self.base, (*self.path, (question, a))))
                 for a in question.answers()]
        for _, answer, part in found:
            if answer != "=":
                # nothing was replaced and a condition was added: signs stay
                part._signs = dict(self._signs)
                part._entailed = {q: True for q, known in self._entailed.items() if known}
                part._found = [(x, sign) for x, sign in self._found if sign is not None]
        return found

    def __str__(self) -> str:
        return ", ".join(f"{q} {a} 0" for q, a in self.path) or "everywhere"


def _separated_sign(x: Scalar) -> int:
    """The sign of a real number that balls separate from 0 at 400 digits, else 0."""
    for digits in (30, 100, 400):
        with workdps(digits):
            ball = enclose(x, {}).real
            if ball > 0:
                return 1
            if ball < 0:
                return -1
    return 0


def _atoms(terms: tuple[Any, ...]) -> set[Any]:
    return {a for _, log, rest, _ in terms for a in (log.atoms() | rest.atoms())
            if a.is_Symbol or isinstance(a, (sp.re, sp.im))}


def _replace_exponential(x: Scalar, m: Monomial, w: Any, direction: int) -> Scalar | None:
    """Substitute e^m by (1 + w)^direction, if only whole powers occur."""
    base = (Scalar.of(1) + Scalar.of(Form.atom(w))) ** direction
    def convert(poly: Any) -> Scalar | None:
        total = Scalar.of(0)
        for c, log, rest, _ in x.polynomial_terms(poly):
            power = log.terms.get(m, Fraction(0))
            if power.denominator != 1:
                return None
            others = Form({k: v for k, v in log.terms.items() if k != m})
            total = total + Scalar.of(rest) * c * Scalar.exp(others) * base ** int(power)
        return total
    num, den = convert(x.num), convert(x.den)
    return None if num is None or den is None else num / den


@dataclass(frozen=True)
class EmptyCell:
    """Obligation: the case cannot occur."""

    base: tuple[Condition, ...]

    def discharge(self, path: tuple[tuple[Any, str], ...]) -> None:
        """The constraints on the path contradict each other."""
        if not Cell(self.base, path).is_empty():
            raise Rejected("a case called empty is not")

    def describe(self) -> str:
        """One line."""
        return "the case is empty"


def explore(base: Iterable[Condition], leaf: Callable[[Cell], tuple[Any, ...]],
            max_cells: int = 400, path: tuple[tuple[SignOf, str], ...] = ()) -> Split | Leaf:
    """Build the case tree: run ``leaf`` on a cell, split whenever it needs a sign.

    ``leaf`` returns the obligations of the cell; ``path`` starts below earlier answers.  Raises
    what ``leaf`` raises, and :class:`Unsupported` when the tree grows too deep.
    """
    constraints = tuple(base)
    budget = [max_cells]

    def build(cell: Cell) -> Split | Leaf:
        budget[0] -= 1
        if budget[0] < 0 or len(cell.path) > MAX_DEPTH + len(path):
            raise Unsupported("the case tree grows beyond its limit")
        if cell.is_empty():
            return Leaf((EmptyCell(constraints),))
        try:
            return Leaf(leaf(cell))
        except NeedSplit as need:
            parts = cell.split(need.form)
            return Split(parts[0][0], {answer: build(part) for _, answer, part in parts})

    return build(Cell(constraints, path))


__all__ = ["Cell", "Constraint", "EmptyCell", "NeedSplit", "SignOf", "explore"]
