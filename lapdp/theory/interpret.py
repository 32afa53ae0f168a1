"""The meaning of an expression in one case: field elements and exact functions.

An :class:`Interpreter` has a cell and, for each pair, a model (a kernel or a concrete mechanism)
and for each arbitrary function an exact object.  ``value`` gives parameters-only expressions a
field element, ``function`` gives expressions in a bound variable an exact function.

Where models are kernels, results are *graded* by the pairs they use: a constant is multiplied by
the kernel's P-mass when it is added to something that uses the pair (the 1 in 1 - F_Z is P(Omega)),
and degree 2 in one pair is refused, as are non-linear functions of a graded value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as cn
from lapdp.calculus.convert import logarithm, to_scalar
from lapdp.calculus.convert import power as power_of
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, is_real_atom
from lapdp.calculus.logs import log_form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import bilateral
from lapdp.core.errors import IllFormed, NotLinear, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.mixtures import PLAIN, REVERSED, coefficients, members, mix, require_weights
from lapdp.privacy.model import INFINITE, Infinite, Model
from lapdp.theory.several import Rows

Grade = frozenset[Any]
NONE: Grade = frozenset()


@dataclass(frozen=True)
class Graded:
    """A value or function with the set of kernel pairs (or functions) it is linear in."""

    grade: Grade
    x: Any


@dataclass(frozen=True)
class Exchange:
    """An integral whose exchange with the mixture over kernels must be earned."""

    grade: Grade
    function: Exact | None
    frequency: Form
    origin: str
    value: Any = None


@dataclass
class Interpreter:
    """One case: a cell, a model for each pair, an object for each function symbol."""

    cell: Cell
    models: Mapping[Any, Any]
    kernels: frozenset[Any] = frozenset()
    functions: Mapping[str, Exact] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    nonzero: frozenset[Any] = frozenset()
    """Expressions that a hypothesis declares different from 0."""
    continuous: frozenset[str] = frozenset()
    """Functions that a hypothesis declares continuous: a value is the mean of its limits."""
    line: tuple[Any, Form] | None = None
    """Inside an inversion integral: the frequency and the abscissa it runs along."""
    events: Mapping[Any, Any] = field(default_factory=dict)
    """Is the outcome inside each free event?  In an instance: the places of those that are."""
    joint: bool = False
    """Is the claim linear in all functions together, rather than in each?"""

    def outcomes(self, letters: set[Any]) -> Iterator[None]:
        """All outcomes that letters may be: only concrete families have them."""
        raise Unsupported(f"the outcomes {', '.join(map(str, letters))} of arbitrary families")

    # -- pairs ----------------------------------------------------------------------------------

    def model_of(self, loss: Any) -> Graded:
        """The model behind a loss variable."""
        if not isinstance(loss, pn.Loss):  # a mean over it has put a value in its place
            raise Unsupported("the law of a loss inside a mean over that loss")
        return self.model(*loss.args)

    def model(self, first: Any, second: Any) -> Graded:
        """The model of an oriented pair, graded by its kernel factors."""
        if pn.of_several(first, second):
            return Graded(NONE, self._of_several(first, second))
        identity, weights = members(first, second)
        atoms = identity.atoms()
        if not all(a in self.models for a in atoms):
            raise Unsupported("a family at an outcome that nothing binds")
        found = [self.models[a] for a in atoms]
        if any(not isinstance(m, Model) for m in found):
            raise Unsupported("a pair outside the exact class")
        if any(atoms.count(a) > 1 for a in atoms if a in self.kernels):
            raise Unsupported("a product of a pair with itself is of degree 2 in it")
        total = found[0]
        for m in found[1:]:
            total = total.product(m, self.cell)
        grade = frozenset(a for a in atoms if a in self.kernels)
        if weights == PLAIN:
            return Graded(grade, total)
        if weights == REVERSED:
            return Graded(grade, total.reverse())
        (a, b), (c, d) = ([self.scalar(w).substitute(self.cell.values) for w in row]
                          for row in weights)
        return Graded(grade, mix(total, ((a, b), (c, d)), self.cell))

    def _of_several(self, first: Any, second: Any) -> Model:
        """The model of two distributions of several, or of mixtures of them, with masses."""
        identity, rows = coefficients(first, second)
        several = self.models.get(identity)
        if not isinstance(several, Rows):
            raise Unsupported("kernels are those of pairs, not of several distributions")
        weights = [[self.scalar(w).substitute(self.cell.values) for w in row] for row in rows]
        require_weights(weights, self.cell)
        (*sums,) = ([sum((w * x for w, x in zip(row, masses, strict=True)), Scalar.of(0))
                     for row in weights] for masses in several.outcomes)
        return Model.of_masses(tuple((a, b) for a, b in sums))

    def mass(self, identity: Any) -> Scalar:
        """P-mass of a kernel: what a constant is multiplied by."""
        if isinstance(identity, str):
            raise NotLinear("a constant is added to an expression linear in a function")
        model: Model = self.models[identity]
        return model.p_mass(self.cell)

    def lift(self, g: Graded, grade: Grade) -> Any:
        """The payload of ``g`` at a larger grade."""
        x = g.x
        for identity in grade - g.grade:
            mass = self.mass(identity)
            if isinstance(x, Infinite):
                if not self.cell.nonzero(mass):
                    raise Unsupported("0 times oo")
                continue
            x = x.scale(mass) if isinstance(x, Exact) else x * mass
        return x

    def add(self, parts: list[Graded]) -> Graded:
        """Sum, after raising all parts to one grade; oo absorbs."""
        grade: Grade = frozenset().union(*(p.grade for p in parts))
        lifted = [self.lift(p, grade) for p in parts]
        if any(isinstance(x, Infinite) for x in lifted):
            return Graded(grade, INFINITE)
        total = lifted[0]
        for x in lifted[1:]:
            total = total + x
        return Graded(grade, total)

    def multiply_grades(self, a: Grade, b: Grade) -> Grade:
        """Grade of a product; a pair may occur once."""
        if a & b:
            raise Unsupported("an expression of degree 2 in one pair is not linear in it")
        return a | b

    # -- values ---------------------------------------------------------------------------------

    def value(self, e: Any) -> Graded:
        """Field element (or oo) of an expression without bound variables."""
        e = sp.sympify(e)
        kind = type(e)
        if isinstance(e, pn.Distribution):
            raise IllFormed(f"the density {e} stands outside an integral: write Omega(...)")
        if e.is_Add:
            return self._sum([self.value(a) for a in e.args], e)
        if e.is_Mul:
            return self._product([self.value(a) for a in e.args])
        handler = values_table().get(kind)
        if handler is not None:
            result: Graded = handler(self, e)
            return result
        if isinstance(e, sp.exp):
            return self._exponential(e.args[0])
        if isinstance(e, sp.log):
            return self._logarithm(e.args[0])
        if isinstance(e, AppliedUndef) and kind.__name__ in self.continuous:
            t = sp.Dummy("t", real=True)
            g, point = self.function(e.func(t), t), self.form(e.args[0])
            ends = g.x.limit(point, -1, self.cell) + g.x.limit(point, 1, self.cell)
            return Graded(g.grade, ends * Fraction(1, 2))
        if e.is_Pow:
            return self._power(e)
        self.require_denominators(e)
        return Graded(NONE, to_scalar(e, self._plain).substitute(self.cell.values))

    def _sum(self, parts: list[Graded], e: Any) -> Graded:
        infinite = [a for a, p in zip(e.args, parts, strict=True) if isinstance(p.x, Infinite)]
        if len(infinite) > 1 or any(a.could_extract_minus_sign() for a in infinite):
            raise Undefined("oo - oo, or -oo")
        return self.add(parts)

    def _product(self, parts: list[Graded]) -> Graded:
        grade, total = NONE, Scalar.of(1)
        infinite = False
        for p in parts:
            grade = self.multiply_grades(grade, p.grade)
            if isinstance(p.x, Infinite):
                infinite = True
            else:
                total = total * p.x
        if infinite:
            if self.cell.sign_of(total) <= 0:
                raise Undefined("0 times oo, or -oo")
            return Graded(grade, INFINITE)
        return Graded(grade, total)

    def _plain(self, e: Any) -> Scalar:
        """A sub-expression that must be a number: grade 0 and finite."""
        g = self.value(e) if type(e) in values_table() else None
        if g is None:
            raise Unsupported(f"{e} is not an expression of the exact class")
        if g.grade or isinstance(g.x, Infinite):
            raise Unsupported(f"a non-linear function of {e}")
        x: Scalar = g.x
        return x

    def scalar(self, e: Any) -> Scalar:
        """A number: refuses graded and infinite values."""
        g = self.value(e)
        if g.grade:
            raise Unsupported("a non-linear function of a value that depends on an arbitrary pair")
        if isinstance(g.x, Infinite):
            raise Undefined("the value is +oo")
        x: Scalar = g.x
        return x

    def form(self, e: Any) -> Form:
        """An exponent, frequency or breakpoint."""
        self.require_denominators(e)
        try:
            return Form.of(e).substitute(self.cell.values)
        except Unsupported:
            if sp.sympify(e).has(sp.oo, -sp.oo):
                raise
            found = self.scalar(e).as_form()
        if found is None:
            raise Unsupported(f"{e} is not a polynomial in the parameters")
        return found

    def require_denominators(self, e: Any, bound: Any = None) -> None:
        """Every denominator of parameters must differ from 0 (forms divide formally)."""
        for quotient in sp.sympify(e).atoms(sp.Pow):
            base = quotient.base
            checked = (quotient.exp.could_extract_minus_sign() and base.free_symbols
                       and bound not in base.free_symbols
                       and not base.has(cn.Node, pn.Distribution))
            if checked and not self.cell.nonzero(self.scalar(base)):
                raise Undefined("a division by zero")

    def _logarithm(self, arg: Any) -> Graded:
        x = self.value(arg)
        if x.grade or isinstance(x.x, Infinite):
            raise Unsupported(f"the logarithm of {arg}")
        inner: Scalar = x.x.substitute(self.cell.values)
        if not inner.is_real():
            return Graded(NONE, Scalar.of(logarithm(inner)))
        if self.cell.sign_of(inner) <= 0:
            raise Undefined("the logarithm of a number <= 0")
        return Graded(NONE, Scalar.of(log_form(inner)))

    def _exponential(self, arg: Any) -> Graded:
        """e^(c1 R_1 + c2 R_2 + ... + d): each R_q gives E_q^(c/(q - 1))."""
        rest = sp.expand(arg)
        parts: list[Graded] = []
        for node in sorted(rest.atoms(pn.RenyiDivergence), key=str):
            linear = rest.coeff(node, 1)
            rest = sp.expand(rest - linear * node)
            parts.append(self._power_of_moment(node, linear))
        if rest.has(pn.RenyiDivergence):
            raise Unsupported("an exponent that is not linear in R_q")
        if not parts:
            return self._plain_exponential(arg)
        return self._product([*parts, self._plain_exponential(rest)])

    def _plain_exponential(self, exponent: Any) -> Graded:
        """e^x without Renyi divergences in x."""
        return Graded(NONE, Scalar.exp(self.form(exponent)))

    def _power_of_moment(self, node: Any, linear: Any) -> Graded:
        q, p, r = node.args
        if not self.cell.nonzero(self.scalar(q - 1)):
            raise Undefined("R_q is not defined at q = 1")
        ratio = sp.cancel(linear / (q - 1))
        if not ratio.is_Rational:
            raise Unsupported("e^(c R_q) needs c = n (q - 1) with a rational n")
        before = len(self.exchanges)
        moment = self.value(pn.Moment(q, p, r))
        if ratio == 1 and q.is_real:
            # R_q in [-oo, oo]: e^((q - 1) R_q) = E_q where E_q is 0 or +oo, too
            return moment
        self.exchanges[before:] = [replace(x, origin="logarithm") for x in self.exchanges[before:]]
        self.require_nonzero(moment, (q, p, r))
        if ratio != 1 and moment.grade:
            raise Unsupported("a power of a moment is not linear in the pair")
        return Graded(moment.grade, moment.x if ratio == 1 else power_of(moment.x, ratio))

    def require_nonzero(self, g: Graded, moment: tuple[Any, Any, Any]) -> None:
        """The argument of a logarithm.  On a kernel it must be positive wherever P has mass.

        On a line of inversion it is enough at the real point: an analytic function that does not
        vanish there has isolated zeros on the line, and they have no weight in the integral.
        """
        declared = {_oriented_moment(*m.args) for m in self.nonzero if isinstance(m, pn.Moment)}
        identity, weights, order = _oriented_moment(*moment)
        # the moment of a product is the product of the moments of its factors
        if (identity, weights, order) in declared or (weights == PLAIN and all(
                (a, PLAIN, order) in declared for a in identity.atoms())):
            return
        if isinstance(g.x, Infinite):
            raise Undefined("the logarithm of oo")
        x: Scalar = g.x
        if self.line is not None:
            x = x.substitute({self.line[0]: self.line[1]})
        if not g.grade:
            if not self.cell.nonzero(x):
                raise Undefined("the logarithm of 0")
            return
        if not all(self.cell.nonzero(self.mass(p)) for p in g.grade):
            return
        for q in sorted(x.parameters(), key=str):
            if not is_real_atom(q) and self.cell.sign(Form.atom(sp.im(q))) != 0:
                raise Undefined("the logarithm of a moment that may vanish at complex orders")
        if self.cell.sign_of(x) <= 0:
            raise Undefined("the logarithm of a moment that may vanish")

    def _power(self, e: Any) -> Graded:
        if not e.exp.is_Integer:
            if not e.base.has(*_GRADED):
                self.require_denominators(e)
                return Graded(NONE, to_scalar(e, self._plain).substitute(self.cell.values))
            raise Unsupported(f"the power {e} of a value that depends on a pair")
        g = self.value(e.base)
        if g.grade or isinstance(g.x, Infinite):
            raise Unsupported(f"the power {e} of a value that depends on a pair, or of +oo")
        base: Scalar = g.x
        if e.exp < 0 and not self.cell.nonzero(base):
            raise Undefined("a division by zero")
        return Graded(NONE, base ** int(e.exp))

    def integral(self, g: Graded, s: Form, origin: str, lower: bool = False) -> Graded:
        """Bilateral (or one-sided) transform of a graded function at ``s``."""
        f: Exact = g.x.after(ZERO, self.cell) if lower else g.x
        if g.grade:
            self.exchanges.append(Exchange(g.grade, f, s, origin))
        return Graded(g.grade, bilateral(f, s, self.cell))

    def function(self, e: Any, t: Any) -> Graded:
        """The exact function of ``t`` that an expression denotes."""
        from lapdp.theory.curves import function_of

        e = sp.sympify(e)
        if not t.is_real:
            # the variable of a transform runs over the real line: re(t) is t
            real = sp.Dummy(str(t), real=True)
            e, t = e.subs(t, real), real
        return function_of(self, e, t)

    def truth(self, relation: Any) -> bool:
        """A relation between numbers, decided by the cell."""
        sign = self.cell.sign_of(self.scalar(relation.lhs - relation.rhs))
        return {sp.Eq: sign == 0, sp.Ne: sign != 0, sp.Gt: sign > 0, sp.Ge: sign >= 0,
                sp.Lt: sign < 0, sp.Le: sign <= 0}[relation.func]


def _oriented_moment(q: Any, p: Any, r: Any) -> Any:
    """A moment in its pair's own order: E_q(Q||P) = E_(1-q)(P||Q)."""
    identity, weights = coefficients(p, r)
    if weights == REVERSED:
        return identity, PLAIN, sp.expand(1 - q)
    return identity, weights, sp.expand(q)


def values_table() -> dict[type, Any]:
    """The meaning of each node, by its class (loaded late: the two modules need each other)."""
    from lapdp.theory.values import VALUES

    return VALUES


_GRADED = (pn.Profile, pn.LossCDF, pn.LossDensity, pn.Probability, pn.Expectation, pn.Moment,
           pn.RenyiDivergence, pn.SupOverEvents, pn.IntegralOverSpace, pn.Measure,
           AppliedUndef)

__all__ = ["NONE", "Exchange", "Graded", "Interpreter"]
