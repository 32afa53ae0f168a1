"""The kernel's rules as Rocq terms: one method a rule, each naming a lemma of the library."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lapdp.kernel import Bank, Checker, Theorem, domain
from lapdp.kernel.analysis import derivative
from lapdp.kernel.symbols import SIGNATURES
from lapdp.report.rocq.identities import Identities, conjunction, rows
from lapdp.report.rocq.structure import conditions, measurable, smooth
from lapdp.report.rocq.words import FUNCTIONS, QUANTIFIERS, SPACES, NotPrinted, Words

FORMS = {"not": "Not", "and": "And", "or": "Or", "imp": "Imp", "iff": "Iff", "false": "False_"}
LAWS = frozenset({"inverse", "exp positive", "exp above tangent", "exp monotone", "exp of log",
                  "log of exp", "square", "sqrt", "abs", "max", "min", "circle", "erfc", "pi",
                  "abs of product"})
PAIRED = frozenset({"exp monotone", "max", "min", "abs of product"})
TACTIC = "by "
"""Begins a proof that is no term but a tactic."""
Letter = tuple[str, str]


@dataclass(frozen=True)
class Step:
    """A step while it is printed: its number and claim, its premises, by number and as the Rocq
    terms that apply them, and its data."""

    i: int
    goal: int
    premises: list[int]
    calls: list[str]
    data: list[Any]


class Steps:
    """The steps of a derivation that the kernel accepted, as lemmas."""

    def __init__(self, checker: Checker, lines: Sequence[str]) -> None:
        self.b: Bank = checker.bank
        self.theorems: list[Theorem] = checker.theorems
        self.words = Words(self.b)
        self.same = Identities(self.words)
        self.rows: list[tuple[str, list[int], list[Any]]] = []
        terms: list[int] = []
        for row in map(json.loads, lines):
            if row[0] == "t":
                kids = row[2:] if row[1] in ("n", "v", "b") else [terms[a] for a in row[2:]]
                terms.append(self.b.make(row[1], *kids))
            else:
                self.rows.append((row[1], row[3], [
                    x if type(x) is str else [terms[x[0]], x[1]] if type(x) is list else terms[x]
                    for x in row[4]]))

    def lemma(self, i: int) -> str:
        """Step i as a lemma: its letters and hypotheses, its claim, its proof."""
        proof = self._proof(i)
        script = proof[len(TACTIC):] if proof.startswith(TACTIC) else f"exact {proof}"
        return (f"Lemma s_{i + 1}{self.parameters(i)} : {self.claim(i)}.\n"
                f"Proof. {script}. Qed.  (* {self.rows[i][0]} *)")

    def claim(self, i: int) -> str:
        """What step i says."""
        return self.words.text(self.theorems[i].claim)

    def letters(self, i: int) -> list[Letter]:
        """The letters of a step."""
        theorem = self.theorems[i]
        found = self.b.letters[theorem.claim].union(*(self.b.letters[h] for h in theorem.hyps))
        return sorted(found)

    def parameters(self, i: int) -> str:
        """``(x : R) (h_7 : 0 < x)``"""
        found = [f" ({self.words.letter(v)} : {self.words.type(v[1])})" for v in self.letters(i)]
        return "".join([*found, *(f" (h_{h} : {self.words.text(h)})"
                                  for h in sorted(self.theorems[i].hyps))])

    def call(self, j: int, i: int, extra: dict[Letter, str] | None = None,
             hyps: Callable[[int], str] = "h_{}".format) -> str:
        """Step j applied inside step i, whose letters, and more, it sees."""
        scope = {v: self.words.letter(v) for v in self.letters(i)} | (extra or {})
        parts = [self.words.some(v, scope) for v in self.letters(j)]
        return f"({' '.join([f's_{j + 1}', *parts, *map(hyps, sorted(self.theorems[j].hyps))])})"

    def _proof(self, i: int) -> str:
        rule, premises, data = self.rows[i]
        made: Callable[[Step], str] | None = getattr(self, f"_{rule}", None)
        if made is None:
            raise NotPrinted(f"the rule {rule}")
        calls = [] if rule in ("gen", "put", "choose") else [self.call(j, i) for j in premises]
        return made(Step(i, self.theorems[i].claim, premises, calls, data))

    def _claim(self, j: int) -> int:
        return self.theorems[j].claim

    def _kids(self, t: int) -> tuple[int, ...]:
        return self.b.children(t)

    def _head(self, t: int) -> str:
        return str(self.b.rows[t][0])

    def _apply(self, name: str, *parts: str | int) -> str:
        texts = (p if isinstance(p, str) else self.words.text(p) for p in parts)
        return f"({' '.join([name, *texts])})"

    def _function(self, symbol: str, body: int) -> str:
        return self.words.function(symbol, 0, body)

    # logic ----------------------------------------------------------------------------------------

    def _hyp(self, step: Step) -> str:
        return f"h_{step.goal}"

    def _disch(self, step: Step) -> str:
        premise = self._kids(step.goal)[0]
        return f"(fun h_{premise} : {self.words.text(premise)} => {step.calls[0]})"

    def _taut(self, step: Step) -> str:
        atoms: dict[int, int] = {}

        def form(f: int) -> str:
            symbol = self._head(f)
            if symbol not in FORMS:
                return f"(Atom {atoms.setdefault(f, len(atoms) + 1)})"
            return self._apply(FORMS[symbol], *map(form, self._kids(f)))

        whole = form(step.goal)
        for j in reversed(step.premises):
            whole = f"(Imp {form(self._claim(j))} {whole})"
        return self._apply("taut", rows(map(self.words.text, atoms)), whole, "eq_refl", *step.calls)

    def _gen(self, step: Step) -> str:
        letter = (str(step.data[0]), str(step.data[1]))
        name = self.words.letter(letter)
        inner = self.call(step.premises[0], step.i, {letter: name})
        return f"(fun {name} : {self.words.type(letter[1])} => {inner})"

    def _inst(self, step: Step) -> str:
        return self._apply(step.calls[0], step.data[0])

    def _put(self, step: Step) -> str:
        values = {(str(step.data[k]), str(step.data[k + 1])): int(step.data[k + 2])
                  for k in range(0, len(step.data), 3)}
        return self.call(step.premises[0], step.i, {v: self.words.text(t) for v, t in values.items()},
                         lambda h: f"h_{self.b.put(h, values)}")

    def _wit(self, step: Step) -> str:
        return self._apply("ex_intro", self._function(self._head(step.goal), self._kids(step.goal)[0]),
                           step.data[0], step.calls[0])

    def _choose(self, step: Step) -> str:
        letter = (str(step.data[0]), str(step.data[1]))
        name = self.words.letter(letter)
        (body,) = self._kids(self._claim(step.premises[0]))
        opened = self.b.open(body, self.b.letter(*letter))
        return (f"(match {self.call(step.premises[0], step.i)} with ex_intro _ {name} h_{opened} => "
                f"{self.call(step.premises[1], step.i, {letter: name})} end)")

    def _quant(self, step: Step) -> str:
        quantified = self._kids(self._kids(step.goal)[0])[0]
        symbol = self._head(quantified)
        lemma = "not_all" if symbol.startswith("all") else "not_some"
        return self._apply(lemma, self._function(symbol, self._kids(quantified)[0]))

    def _refl(self, step: Step) -> str:
        return self._apply("eq_refl" if self._head(step.goal) == "eq" else "iff_refl",
                           self._kids(step.goal)[0])

    def _rewrite(self, step: Step) -> str:
        equation = self._claim(step.premises[0])
        s, t = self._kids(equation)
        if self._head(equation) == "eq":
            return self._apply("eq_ind", s, self.words.over("R", step.data[0]), step.calls[1], t, step.calls[0])
        hole = self.words.letter(("@", "F"))
        return self._apply("replaced", s, t, f"(fun {hole} : Prop => {self.words.text(step.data[0])})",
                           step.calls[0], step.calls[1])

    def _under(self, step: Step) -> str:
        left, right = self._kids(step.goal)
        symbol = self._head(left)
        if symbol in QUANTIFIERS:
            kind = f"{self.words.type(symbol[-1])} -> Prop"
            whole = f"(fun f_ : {kind} => {QUANTIFIERS[symbol]} x_, f_ x_)"
        else:
            whole = f"({FUNCTIONS[symbol]})"
        f, g = (self._function(symbol, self._kids(side)[0]) for side in (left, right))
        inner = self._kids(self._claim(step.premises[0]))[0]
        each = step.calls[0] if self._head(inner) == "eq" else f"(formulas {f} {g} {step.calls[0]})"
        return self._apply("equal" if self._head(step.goal) == "eq" else "alike", whole, f, g, each)

    def _cases(self, step: Step) -> str:
        test, equation = self._kids(step.goal)
        condition, yes, no = self._kids(self._kids(equation)[0])
        return self._apply("If_true" if test == condition else "If_false", condition, yes, no)

    def _order(self, step: Step) -> str:
        left = self._kids(step.goal)[0]
        if self._head(step.goal) == "or":
            return self._apply("order_total", *self._kids(left))
        if self._head(left) == "eq":
            return self._apply("order_eq", *self._kids(left))
        (inner,) = self._kids(left)
        return self._apply(f"order_not_{self._head(inner)}", *self._kids(inner))

    def _induct(self, step: Step) -> str:
        body = self._kids(self._kids(step.goal)[0])[1]
        return self._apply("induct", self.words.over("R", body), *step.calls)

    def _natural(self, step: Step) -> str:
        if self._head(step.goal) == "nat":
            n = self.b.rows[self._kids(step.goal)[0]][1]
            return f"(whole_number {n}%nat {n}%Z eq_refl)"
        given, claim = self._kids(step.goal)
        if self._head(given) == "and":
            operation = self._head(self._kids(claim)[0])
            both = [self._kids(k)[0] for k in self._kids(given)]
            return self._apply("whole_sum" if operation == "add" else "whole_product", *both)
        lemma = {"nat": "whole_next", "le": "whole_pos", "or": "whole_before"}[self._head(claim)]
        return self._apply(lemma, self._kids(given)[0])

    # arithmetic -----------------------------------------------------------------------------------

    def _arith(self, step: Step) -> str:
        if any(self.b.sorts[k] == "C" for j in step.premises for k in self._kids(self._claim(j))):
            raise NotPrinted("complex numbers")
        zero = self.b.number(0)
        false = self._head(step.goal) == "false"
        kind = "lt" if false else self._head(step.goal)
        s, t = (zero, zero) if false else self._kids(step.goal)
        total, proof, have = zero, "(eq_refl 0)" if kind == "eq" else "(Rle_refl 0)", (
            "eq" if kind == "eq" else "le")
        for weight, used in step.data:
            part, reason, strict = self._part(weight, [step.premises[k] for k in used],
                                              [step.calls[k] for k in used], kind == "eq")
            lemma, have = (("sum_eq", "eq") if kind == "eq" else ("sum_ge", "lt") if strict and
                           have == "le" else ("sum_lt", "lt") if have == "lt" else
                           ("sum_le", "le"))
            if lemma == "sum_lt" and strict:
                reason = f"(weak _ {reason})"
            total = self.b.make("add", total, part)
            proof = self._apply(lemma, "_", "_", proof, reason)
        if kind == "le" and have == "lt":
            proof = f"(weak _ {proof})"
        same = self.same.proof(self._gap(s, t), total)
        found = self._apply(f"by_{kind}", s, t, total, proof, same)
        return f"(Rlt_irrefl 0 {found})" if false else found

    def _gap(self, s: int, t: int) -> int:
        return self.b.make("add", t, self.b.make("mul", self.b.number(-1), s))

    def _part(self, weight: int, used: list[int], calls: list[str], equation: bool
              ) -> tuple[int, str, bool]:
        """A weight times a product of gaps: the term, why it is 0, >= 0 or > 0, and whether > 0."""
        terms, kinds, reasons = [], [], []
        for j, call in zip(used, calls, strict=True):
            claim = self._claim(j)
            false = self._head(claim) == "false"
            s, t = (self.b.number(0),) * 2 if false else self._kids(claim)
            kind = "lt" if false else self._head(claim)
            terms.append(self._gap(s, t))
            kinds.append(kind)
            given = f"(False_ind (0 < 0) {call})" if false else call
            reasons.append(self._apply(f"gap_{kind}", s, t, given))
        if "eq" in kinds:
            k = kinds.index("eq")
            reason = reasons[k]
            whole = terms[-1]
            for other in reversed(terms[:-1]):
                whole = self.b.make("mul", other, whole)
            if k + 1 < len(terms):
                reason = f"(zero_left _ _ {reason})"
            for _ in range(k + 1):
                reason = f"(zero_right _ _ {reason})"
            whole = self.b.make("mul", weight, whole)
            return whole, reason if equation else f"(nonneg _ {reason})", False
        q = Fraction(int(str(self.b.rows[weight][1])), int(str(self.b.rows[weight][2])))
        strict = q > 0
        whole, reason = weight, (f"(weight_{'lt' if strict else 'le'} "
                                 f"(Qmake ({q.numerator}) {q.denominator}) eq_refl)")
        for term, kind, call in zip(terms, kinds, reasons, strict=True):
            if strict and kind == "lt":
                reason = f"(Rmult_lt_0_compat _ _ {reason} {call})"
            else:
                factors = [f"(weak _ {r})" if positive else r
                           for r, positive in ((reason, strict), (call, kind == "lt"))]
                strict, reason = False, f"(Rmult_le_pos _ _ {' '.join(factors)})"
            whole = self.b.make("mul", whole, term)
        return whole, reason, strict

    def _ball(self, step: Step) -> str:
        return f"{TACTIC}ball {max(int(step.data[0]), 30)}%positive"

    # analysis -------------------------------------------------------------------------------------

    def _law(self, step: Step) -> str:
        name, terms = str(step.data[0]), step.data[1:]
        if name not in LAWS:
            raise NotPrinted(f"the law {name}")
        terms = [*terms, terms[0]][:2] if name in PAIRED else terms[:1]
        return self._apply(f"law_{name.replace(' ', '_')}", *terms)

    def _limit(self, step: Step) -> str:
        case, (body, value) = str(step.data[0]), self._kids(step.goal)
        inner = [self._kids(self._claim(j)) for j in step.premises]
        if case == "constant":
            return self._apply("lim_constant", value)
        if case == "erfc":
            return "lim_erfc"
        if case == "decay":
            return self._apply("lim_decay", f"{step.data[1]}%nat", inner[0][1], step.calls[0])
        over = [self.words.over("R", k[0]) for k in inner]
        if case in ("sum", "product"):
            return self._apply(f"lim_{case}", *over, inner[0][1], inner[1][1], *step.calls)
        if case == "affine":
            return self._apply("lim_affine", over[1], inner[0][1], step.data[1], value, *step.calls)
        later = self._kids(inner[1][0])[0]
        last = [value] if case == "equal" else []
        return self._apply(f"lim_{case}", over[0], self.words.over("R", body), *last,
                           self._kids(later)[0], *step.calls)

    def _ftc(self, step: Step) -> str:
        finite, (whole, f, a, end) = step.data[0] == "finite", step.data[1:]
        over = self.words.over
        slope, asked = derivative(self.b, whole)
        given = conditions(self.b, whole, f"({step.calls[-1]} t_ H_)") if asked is not None else {}
        nice = f"(fun t_ H_ => {smooth(self.words, whole, 't_', given)})"
        functions = [over("R", whole), over("R", slope), over("R", f)]
        if finite:
            return self._apply("ftc_finite", *functions, a, end, step.calls[0], step.calls[1], nice)
        side = "or_intror" if self._head(self._claim(step.premises[2])) == "liny" else "or_introl"
        return self._apply("ftc_infinite", *functions, a, end, step.calls[0], step.calls[1],
                           f"({side} {step.calls[2]})", nice)

    # integrals ------------------------------------------------------------------------------------

    def _integrand(self, t: int) -> tuple[str, int]:
        """The sort of the variable, and the body, of an integral or of what says it exists."""
        return SIGNATURES[self._head(t)][0][0][0], self._kids(t)[0]

    def _integral(self, step: Step) -> str:
        sort, body = self._integrand(self._kids(step.goal)[0])
        functions = [self.words.over(sort, k) for k in self._kids(body)]
        if step.data[0] == "zero":
            return self._apply("int_zero", SPACES[sort])
        if step.data[0] == "sum":
            return self._apply("int_sum", SPACES[sort], *functions, *step.calls)
        if step.data[0] == "scale":
            return self._apply("int_scale", SPACES[sort], step.data[1], functions[1], *step.calls)
        raise NotPrinted(f"the rule integral ({step.data[0]})")

    def _dominate(self, step: Step) -> str:
        sort, body = self._integrand(step.goal)
        if len(step.calls) == 1:
            return self._apply("int_abs", SPACES[sort], self.words.over(sort, self._kids(body)[0]),
                               step.calls[0])
        bound = self._integrand(self._claim(step.premises[1]))[1]
        return self._apply("int_dominate", SPACES[sort], self.words.over(sort, body),
                           self.words.over(sort, bound), measurable(self.words, body, (sort,)),
                           *step.calls)

    def _mono(self, step: Step) -> str:
        left, right = self._kids(step.goal)
        sort, g = self._integrand(right)
        if self._head(left) == "abs":
            return self._apply("mono_abs", self.words.over(sort, self._kids(g)[0]), *step.calls)
        f = self._integrand(left)[1]
        return self._apply("int_mono", SPACES[sort], self.words.over(sort, f),
                           self.words.over(sort, g), *step.calls)

    def _alike(self, goal: int) -> tuple[str, int, int]:
        left, right = self._kids(self._kids(goal)[1])
        sort, f = self._integrand(left)
        return sort, f, self._integrand(right)[1]

    def _almost(self, step: Step) -> str:
        sort, f, g = self._alike(step.goal)
        nulls = [self.words.over(sort, self._integrand(self._claim(j))[1])
                 for j in step.premises[1:-1:3]]
        reasons = conjunction([f"(conj {step.calls[k]} (conj {step.calls[k + 1]} {step.calls[k + 2]}))"
                               for k in range(0, len(step.calls) - 1, 3)])
        return self._apply("almost", f"(s := {SPACES[sort]})", rows(nulls),
                           self.words.over(sort, f), self.words.over(sort, g), reasons, step.calls[-1],
                           measurable(self.words, f, (sort,)), measurable(self.words, g, (sort,)))

    def _density(self, step: Step) -> str:
        return self._apply("density_one" if self._head(step.goal) == "and" else "density_pos", step.data[0])

    def _swap(self, step: Step) -> str:
        outer, inside = self._integrand(self._kids(self._kids(step.goal)[1])[0])
        inner, body = self._integrand(inside)
        types = self.words.type(outer), self.words.type(inner)
        f = f"(fun (x_ : {types[0]}) (y_ : {types[1]}) => {self.words.text(body, ('x_', 'y_'))})"
        return self._apply("int_fubini", SPACES[outer], SPACES[inner], f,
                           measurable(self.words, body, (outer, inner)), *step.calls)

    def _affine(self, step: Step) -> str:
        return self._apply("line_affine", self.words.over("R", step.data[0]), step.data[1], step.data[2],
                           step.calls[0])

    def _except_at(self, step: Step) -> str:
        _, f, g = self._alike(step.goal)
        (claim,) = self._kids(self._claim(step.premises[0]))
        points = []
        while self._head(claim) == "imp":
            apart, claim = self._kids(claim)
            points.append(self.words.text(self._kids(self._kids(apart)[0])[1]))
        return self._apply("except_at", rows(points), self.words.over("R", f),
                           self.words.over("R", g), *step.calls)

    def _comprehension(self, step: Step) -> str:
        x, event = self._kids(self._kids(step.goal)[0])
        (body,) = self._kids(event)
        return self._apply("comprehension", self._function("set", body), x,
                           measurable(self.words, body, ("O",)))

    def _supremum(self, step: Step) -> str:
        sup = self._kids(self._kids(self._kids(step.goal)[0])[0])[0]
        (body,) = self._kids(sup)
        proof = f"(proj2 {step.calls[0]})" if domain(self.b, body) is not None else step.calls[0]
        lemma = "supremum_event" if self._head(sup) == "supS" else "supremum_real"
        return self._apply(lemma, self._function(self._head(sup), body), proof)
