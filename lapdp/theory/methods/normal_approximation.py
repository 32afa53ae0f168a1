"""Claims about n independent copies of a pair, by the theorems of Berry-Esseen and Nagaev.

Let Y be the loss of one copy given that it is finite, with mean m, variance s^2 > 0 and absolute
central third moment b < oo; let Y_n be the loss of n >= 1 copies, given that it is finite.  Y_n is
a sum of n independent copies of Y.  With N ~ N(n m, n s^2) and r = C b/(sqrt(n) s^3):

* |Pr[Y_n <= x] - Pr[N <= x]| < r for every real x (Berry-Esseen, C = 0.4748);
* |Pr[Y_n <= x] - Pr[N <= x]| <= 25.80 b/(sqrt(n) s^3 (1 + t^3)), t = (x - n m)/(sqrt(n) s) >= 0.

With w = Pr[loss < oo]: Pr[Z_n <= x] = w Pr[Y_n <= x].  By parts, delta(x) = 1 - w + w times the
integral of e^(x - y) Pr[Y_n > y] over y > x, and the same for N, where the integral is
(erfc(u) - e^(x - n m + n s^2/2) erfc(u + s sqrt(n/2)))/2, u = (x - n m)/(s sqrt(2 n)).  The weight
e^(x - y) has mass 1 there, and both bounds do not increase in y >= x: so delta differs from its
normal approximation by less than w r (Theorem 6 of Sommer, Meiser and Mohammadi 2020, mended).

A claim is proved by putting Pr[Z_n <= x] = w (Phi + theta r), or the like for delta, with
|theta| < 1: what is left is a relation between numbers that holds at theta = -1 and 1.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.privacy.families import Composed
from lapdp.privacy.inner_loss import InnerMean, InnerMoment, InnerVariance
from lapdp.theory import language as lang
from lapdp.theory.methods.having_values import doubtful
from lapdp.theory.methods.inner_losses import is_lost, releases
from lapdp.theory.methods.letters import denominators
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import Fresh
from lapdp.theory.statement import Statement

UNIFORM, NONUNIFORM = sp.Rational(4748, 10000), sp.Rational(2580, 100)


def by_normal_approximation(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a bound on the distance of n copies from their normal approximation."""
    claim = statement.claim
    if not isinstance(claim, (sp.Le, sp.Lt)):
        return None
    values = {x for e in (claim.lhs, claim.rhs) for x in sp.sympify(e).atoms(
        pn.LossCDF, pn.Profile, pn.Probability) if not is_lost(x) and _copies(x) is not None}
    if len(values) != 1:
        return None
    return _Approximation(statement, values.pop()).judge(prove)


def _copies(node: Any) -> tuple[Any, Any] | None:
    """The loss of one copy and the number of copies, for a value of an n-fold product."""
    loss = pn.PLD(*node.args[:2]) if isinstance(node, pn.Profile) else node.args[0]
    identity, _ = pn.oriented(*loss.args)
    parts = releases(loss) if isinstance(identity.role, Composed) else None
    return None if parts is None or len(parts) != 1 else (parts[0][0], parts[0][1])


class _Approximation:
    def __init__(self, statement: Statement, value: Any) -> None:
        self.statement, self.value = statement, value
        found = _copies(value)
        assert found is not None
        self.one, self.n = found
        if not (self.n.is_integer and self.n.is_positive):
            raise Unsupported("the number of copies is not at least 1")
        self.many = (pn.PLD(*value.args[:2]) if isinstance(value, pn.Profile) else value.args[0])
        self.point = sp.sympify(value.args[2] if isinstance(value, (pn.Profile, pn.Probability))
                                else value.args[1])
        if isinstance(value, pn.Probability) and str(value.args[1]) not in (
                "<=", ">", ">="):
            raise Unsupported("Berry-Esseen is used for Pr[Z <= x]")
        if isinstance(value, pn.LossCDF) and value.args[2] == 1:
            raise Unsupported("Berry-Esseen is used for Pr[Z <= x]")
        if not all(x.is_real for x in self.point.free_symbols
                   if not isinstance(x, pn.Distribution)):
            raise Unsupported("a point that is not real")
        mean = InnerMean(self.one)
        self.third = InnerMoment(self.one, 3, mean)
        fresh = Fresh(statement)
        # t standard deviations from the mean of the sum
        self.m, self.theta, self.phi, self.far, self.t = map(
            fresh.real, ("m", "theta", "Phi", "Phi'", "t"))
        self.s, self.k, self.b, self.w, self.h = (
            sp.Symbol(fresh.name(c), positive=True) for c in "skbwh")
        self.x = self.k**2 * self.m + self.k * self.s * self.t
        self.letters = {mean: self.m, InnerVariance(self.one): self.s**2, self.third: self.b,
                        self.n: self.k**2}
        self.place = self.point
        if self.point.is_Symbol:
            self.letters[self.point] = self.x
        else:
            # n m + sqrt(n) s z for a letter z
            place = self.point.xreplace(self.letters)
            self.place = sp.expand((place - self.k**2 * self.m) / (self.k * self.s))
            if not self.place.is_Symbol:
                raise Unsupported("a point that is no letter")
            self.letters[self.place] = self.t
        self.right = bool({lang.Ge(self.point, self.n * mean), lang.Ge(self.place, 0)
                           if self.place != self.point else None} & set(statement.where))
        if lang.Eq(pn.Pr(self.one, "==", sp.oo), 0) in statement.where:
            self.w = sp.Integer(1)

    def _require_hypotheses(self) -> None:
        """0 < variance, and a finite third moment, which says that some loss is finite too."""
        where = self.statement.where
        if not any(isinstance(h, lang.Defined) and isinstance(h.expr, InnerMoment)
                   and h.expr.args[0] == self.one and h.expr.args[1] == 3 for h in where):
            raise Unsupported(f"suppose a finite third moment: Defined({self.third})")
        if lang.Gt(InnerVariance(self.one), 0) not in where:
            raise Unsupported(f"suppose a positive variance: Gt(inner_variance({self.one}), 0)")

    def judge(self, prove: Prove) -> Judgement:
        """Try the uniform bound, then the one that falls with the distance from the mean."""
        self._require_hypotheses()
        problems = []
        bounds = [("Berry-Esseen", UNIFORM, sp.Integer(1), known.BERRY_ESSEEN)]
        if self.right:
            bounds.append(("Nagaev", NONUNIFORM, self.h, known.NAGAEV))
        for name, constant, falling, fact in bounds:
            r = constant * self.b / (self.k * self.s**3 * falling)
            # Pr[Z < x] is a limit of Pr[Z <= y], y < x: the bounds stay, but may be attained
            strict = fact is known.BERRY_ESSEEN and not (
                isinstance(self.value, pn.Probability) and str(self.value.args[1]) == ">=")
            try:
                lemmas = self._lemmas(r, strict)
                return by_lemmas(name, [(what, prove(x)) for what, x in lemmas],
                                 (fact, known.FUBINI, known.PARTS))
            except Unsupported as problem:
                problems.append(f"{name}: {problem}")
        raise Unsupported("; ".join(problems))

    def _lemmas(self, r: Any, strict: bool) -> list[tuple[str, Statement]]:
        claim = self.statement.claim
        if isinstance(claim, sp.Lt) and not strict:
            raise Unsupported("a strict inequality from one that is not")
        large = self._lettered(claim.rhs, r)
        if isinstance(claim.lhs, sp.Abs):
            inside = self._lettered(claim.lhs.args[0], r)
            gaps = [inside, -inside]
        else:
            gaps = [self._lettered(claim.lhs, r)]
        about = [lang.Ge(self.t, 0)] if self.right else []
        # SymPy cancels what is put in: denominators are asked for as they were written
        lemmas = [(f"{x} is not 0", Statement(
            f"{self.statement.id}: denominator", lang.Ne(self._lettered(x, r), 0),
            where=tuple(about))) for x in denominators(claim)]
        lemmas += [(f"{x} has a value", Statement(
            f"{self.statement.id}: value", lang.Eq(y, y), where=tuple(about)))
            for side in claim.args for x in doubtful(side) for y in doubtful(self._lettered(x, r))]
        for j, gap in enumerate(gaps):
            difference = sp.expand(gap - large)
            slope = difference.coeff(self.theta, 1)
            if sp.expand(difference - slope * self.theta).has(self.theta):
                raise Unsupported("a claim that is not affine in the value")
            if isinstance(claim, sp.Lt):
                lemmas.append(("the claim depends on the value", Statement(
                    f"{self.statement.id}: slope", lang.Ne(sp.factor(slope), 0),
                    where=tuple(about))))
            for sign in (1, -1):
                end = difference.xreplace({self.theta: sp.Integer(sign)})
                lemmas.append((f"side {j + 1} at theta = {sign}", Statement(
                    f"{self.statement.id}: bound", lang.Le(sp.factor(end), 0),
                    where=tuple(about))))
        return lemmas

    def _lettered(self, e: Any, r: Any) -> Any:
        """An expression in the letters, the value of n copies replaced."""
        w, theta = self.w, self.theta
        bell = self.phi + theta * r
        put = 1 - w + w * bell if isinstance(self.value, pn.Profile) else w * bell
        if isinstance(self.value, pn.Probability) and str(self.value.args[1]) != "<=":
            put = 1 - w * bell
        e = sp.sympify(e).xreplace({self.value: put})
        e = e.xreplace({x: 1 - w for x in e.atoms(pn.Probability)
                        if is_lost(x) and x.args[0] == self.many})
        e = e.xreplace(self.letters)
        if e.has(Node, pn.Distribution):
            raise Unsupported("more than the class of one copy and one value of n copies")
        for x in e.atoms(sp.erfc):
            e = e.xreplace({x: self._tail(x)})
        if e.has(sp.erfc, sp.erf):
            raise Unsupported("another normal tail than that of the approximation")
        # 1 + t^3 as a letter of its own, positive where t >= 0
        return sp.expand(e.xreplace({1 + self.t**3: self.h})) if r.has(self.h) else sp.expand(e)

    def _tail(self, x: Any) -> Any:
        """A printed erfc through Phi, the normal approximation of the value."""
        k, s = self.k, self.s
        place, near = k * s * self.t, self.t / sp.sqrt(2)
        if not isinstance(self.value, pn.Profile):
            # Phi = Pr[N <= x] = erfc(-near)/2
            if sp.expand(x.args[0] + near) == 0:
                return 2 * self.phi
            if sp.expand(x.args[0] - near) == 0:
                return 2 - 2 * self.phi
            return x
        # Phi = (erfc(near) - e^(...) erfc(far))/2
        weight = sp.expand(sp.exp(place + k**2 * s**2 / 2))
        if sp.expand(x.args[0] - near) == 0:
            return 2 * self.phi + weight * self.far
        if sp.expand(x.args[0] - near - k * s / sp.sqrt(2)) == 0:
            return self.far
        return x


__all__ = ["by_normal_approximation"]
