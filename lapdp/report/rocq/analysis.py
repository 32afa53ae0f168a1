"""The kernel's rules of analysis and integration as Rocq terms: one method a rule."""

from __future__ import annotations

from lapdp.kernel import domain
from lapdp.kernel.analysis import derivative
from lapdp.kernel.symbols import SIGNATURES
from lapdp.report.rocq.identities import conjunction, rows
from lapdp.report.rocq.logic import Logic
from lapdp.report.rocq.steps import Step
from lapdp.report.rocq.structure import conditions, measurable, smooth
from lapdp.report.rocq.words import SPACES, NotPrinted

LAWS = frozenset({"inverse", "exp positive", "exp above tangent", "exp monotone", "exp of log",
                  "log of exp", "square", "sqrt", "abs", "max", "min", "circle", "erfc", "pi",
                  "abs of product"})
PAIRED = frozenset({"exp monotone", "max", "min", "abs of product"})


class Rules(Logic):
    """All rules: laws, limits, derivatives, integrals, events and suprema too."""

    def _law(self, at: Step) -> str:
        name, terms = str(at.data[0]), at.data[1:]
        if name not in LAWS:
            raise NotPrinted(f"the law {name}")
        terms = [*terms, terms[0]][:2] if name in PAIRED else terms[:1]
        return self._apply(f"law_{name.replace(' ', '_')}", *terms)

    def _limit(self, at: Step) -> str:
        case, (body, value) = str(at.data[0]), self._kids(at.goal)
        inner = [self._kids(self._claim(j)) for j in at.premises]
        if case == "constant":
            return self._apply("lim_constant", value)
        if case == "erfc":
            return "lim_erfc"
        if case == "decay":
            return self._apply("lim_decay", f"{at.data[1]}%nat", inner[0][1], at.calls[0])
        over = [self.words.over("R", k[0]) for k in inner]
        if case in ("sum", "product"):
            return self._apply(f"lim_{case}", *over, inner[0][1], inner[1][1], *at.calls)
        if case == "affine":
            return self._apply("lim_affine", over[1], inner[0][1], at.data[1], value, *at.calls)
        later = self._kids(inner[1][0])[0]
        last = [value] if case == "equal" else []
        return self._apply(f"lim_{case}", over[0], self.words.over("R", body), *last,
                           self._kids(later)[0], *at.calls)

    def _smooth(self, at: Step) -> str:
        raise NotPrinted("the rule smooth")

    def _near(self, at: Step) -> str:
        raise NotPrinted("the rule near")

    def _limint(self, at: Step) -> str:
        raise NotPrinted("the rule limint")

    def _fact(self, at: Step) -> str:
        raise NotPrinted(f"the named fact {at.data[0]}")

    def _ftc(self, at: Step) -> str:
        finite, (whole, f, a, end) = at.data[0] == "finite", at.data[1:]
        over = self.words.over
        slope, asked = derivative(self.b, whole)
        given = conditions(self.b, whole, f"({at.calls[-1]} t_ H_)") if asked is not None else {}
        nice = f"(fun t_ H_ => {smooth(self.words, whole, 't_', given)})"
        functions = [over("R", whole), over("R", slope), over("R", f)]
        if finite:
            return self._apply("ftc_finite", *functions, a, end, at.calls[0], at.calls[1], nice)
        side = "or_intror" if self._head(self._claim(at.premises[2])) == "liny" else "or_introl"
        return self._apply("ftc_infinite", *functions, a, end, at.calls[0], at.calls[1],
                           f"({side} {at.calls[2]})", nice)

    # integrals ------------------------------------------------------------------------------------

    def _integrand(self, t: int) -> tuple[str, int]:
        """The sort of the variable, and the body, of an integral or of what says it exists."""
        return SIGNATURES[self._head(t)][0][0][0], self._kids(t)[0]

    def _integral(self, at: Step) -> str:
        sort, body = self._integrand(self._kids(at.goal)[0])
        functions = [self.words.over(sort, k) for k in self._kids(body)]
        if at.data[0] == "zero":
            return self._apply("int_zero", SPACES[sort])
        if at.data[0] == "sum":
            return self._apply("int_sum", SPACES[sort], *functions, *at.calls)
        if at.data[0] == "scale":
            return self._apply("int_scale", SPACES[sort], at.data[1], functions[1], *at.calls)
        raise NotPrinted(f"the rule integral ({at.data[0]})")

    def _dominate(self, at: Step) -> str:
        sort, body = self._integrand(at.goal)
        if len(at.calls) == 1:
            return self._apply("int_abs", SPACES[sort], self.words.over(sort, self._kids(body)[0]),
                               at.calls[0])
        bound = self._integrand(self._claim(at.premises[1]))[1]
        return self._apply("int_dominate", SPACES[sort], self.words.over(sort, body),
                           self.words.over(sort, bound), measurable(self.words, body, (sort,)),
                           *at.calls)

    def _mono(self, at: Step) -> str:
        left, right = self._kids(at.goal)
        sort, g = self._integrand(right)
        if self._head(left) == "abs":
            return self._apply("mono_abs", self.words.over(sort, self._kids(g)[0]), *at.calls)
        f = self._integrand(left)[1]
        return self._apply("int_mono", SPACES[sort], self.words.over(sort, f),
                           self.words.over(sort, g), *at.calls)

    def _alike(self, goal: int) -> tuple[str, int, int]:
        left, right = self._kids(self._kids(goal)[1])
        sort, f = self._integrand(left)
        return sort, f, self._integrand(right)[1]

    def _almost(self, at: Step) -> str:
        sort, f, g = self._alike(at.goal)
        nulls = [self.words.over(sort, self._integrand(self._claim(j))[1])
                 for j in at.premises[1:-1:3]]
        *each, last = at.calls
        reasons = conjunction([f"(conj {each[k]} (conj {each[k + 1]} {each[k + 2]}))"
                               for k in range(0, len(each), 3)])
        return self._apply("almost", f"(s := {SPACES[sort]})", rows(nulls),
                           self.words.over(sort, f), self.words.over(sort, g), reasons, last,
                           measurable(self.words, f, (sort,)), measurable(self.words, g, (sort,)))

    def _density(self, at: Step) -> str:
        kind = "one" if self._head(at.goal) == "and" else "pos"
        return self._apply(f"density_{kind}", at.data[0])

    def _as_density(self, at: Step) -> str:
        _, body = self._integrand(self._claim(at.premises[1]))
        return self._apply("as_density", self.words.over("O", body),
                           measurable(self.words, body, ("O",)), *at.calls)

    def _swap(self, at: Step) -> str:
        outer, inside = self._integrand(self._kids(self._kids(at.goal)[1])[0])
        inner, body = self._integrand(inside)
        types = self.words.type(outer), self.words.type(inner)
        f = f"(fun (x_ : {types[0]}) (y_ : {types[1]}) => {self.words.text(body, ('x_', 'y_'))})"
        return self._apply("int_fubini", SPACES[outer], SPACES[inner], f,
                           measurable(self.words, body, (outer, inner)), *at.calls)

    def _affine(self, at: Step) -> str:
        f, r, c = at.data
        return self._apply("line_affine", self.words.over("R", f), r, c, *at.calls)

    def _except_at(self, at: Step) -> str:
        _, f, g = self._alike(at.goal)
        (claim,) = self._kids(self._claim(at.premises[0]))
        points = []
        while self._head(claim) == "imp":
            apart, claim = self._kids(claim)
            points.append(self.words.text(self._kids(self._kids(apart)[0])[1]))
        return self._apply("except_at", rows(points), self.words.over("R", f),
                           self.words.over("R", g), *at.calls)

    def _comprehension(self, at: Step) -> str:
        x, event = self._kids(self._kids(at.goal)[0])
        (body,) = self._kids(event)
        return self._apply("comprehension", self._function("set", body), x,
                           measurable(self.words, body, ("O",)))

    def _supremum(self, at: Step) -> str:
        sup = self._kids(self._kids(self._kids(at.goal)[0])[0])[0]
        (body,) = self._kids(sup)
        proof = f"(proj2 {at.calls[0]})" if domain(self.b, body) is not None else at.calls[0]
        lemma = "supremum_event" if self._head(sup) == "supS" else "supremum_real"
        return self._apply(lemma, self._function(self._head(sup), body), proof)
