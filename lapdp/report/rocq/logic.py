"""The kernel's rules of logic and arithmetic as Rocq terms: one method a rule."""

from __future__ import annotations

from fractions import Fraction

from lapdp.report.rocq.identities import rows
from lapdp.report.rocq.steps import TACTIC, Step, Steps
from lapdp.report.rocq.words import FUNCTIONS, QUANTIFIERS, NotPrinted

FORMS = {"not": "Not", "and": "And", "or": "Or", "imp": "Imp", "iff": "Iff", "false": "False_"}


class Logic(Steps):
    """Hypotheses, quantifiers, equations, gaps."""

    def _hyp(self, at: Step) -> str:
        return f"h_{at.goal}"

    def _disch(self, at: Step) -> str:
        premise = self._kids(at.goal)[0]
        return f"(fun h_{premise} : {self.words.text(premise)} => {at.calls[0]})"

    def _taut(self, at: Step) -> str:
        atoms: dict[int, int] = {}

        def form(f: int) -> str:
            symbol = self._head(f)
            if symbol not in FORMS:
                return f"(Atom {atoms.setdefault(f, len(atoms) + 1)})"
            return self._apply(FORMS[symbol], *map(form, self._kids(f)))

        whole = form(at.goal)
        for j in reversed(at.premises):
            whole = f"(Imp {form(self._claim(j))} {whole})"
        return self._apply("taut", rows(map(self.words.text, atoms)), whole, "eq_refl", *at.calls)

    def _gen(self, at: Step) -> str:
        letter = (str(at.data[0]), str(at.data[1]))
        name = self.words.letter(letter)
        inner = self.call(at.premises[0], at.i, {letter: name})
        return f"(fun {name} : {self.words.type(letter[1])} => {inner})"

    def _inst(self, at: Step) -> str:
        return self._apply(at.calls[0], at.data[0])

    def _put(self, at: Step) -> str:
        values = {(str(at.data[k]), str(at.data[k + 1])): int(at.data[k + 2])
                  for k in range(0, len(at.data), 3)}
        texts = {v: self.words.text(t) for v, t in values.items()}
        return self.call(at.premises[0], at.i, texts, lambda h: f"h_{self.b.put(h, values)}")

    def _wit(self, at: Step) -> str:
        function = self._function(self._head(at.goal), self._kids(at.goal)[0])
        return self._apply("ex_intro", function, at.data[0], at.calls[0])

    def _choose(self, at: Step) -> str:
        letter = (str(at.data[0]), str(at.data[1]))
        name = self.words.letter(letter)
        (body,) = self._kids(self._claim(at.premises[0]))
        opened = self.b.open(body, self.b.letter(*letter))
        return (f"(match {self.call(at.premises[0], at.i)} with ex_intro _ {name} h_{opened} => "
                f"{self.call(at.premises[1], at.i, {letter: name})} end)")

    def _quant(self, at: Step) -> str:
        quantified = self._kids(self._kids(at.goal)[0])[0]
        symbol = self._head(quantified)
        lemma = "not_all" if symbol.startswith("all") else "not_some"
        return self._apply(lemma, self._function(symbol, self._kids(quantified)[0]))

    def _refl(self, at: Step) -> str:
        return self._apply("eq_refl" if self._head(at.goal) == "eq" else "iff_refl",
                           self._kids(at.goal)[0])

    def _rewrite(self, at: Step) -> str:
        equation = self._claim(at.premises[0])
        s, t = self._kids(equation)
        if self._head(equation) == "eq":
            place = self.words.over("R", at.data[0])
            return self._apply("eq_ind", s, place, at.calls[1], t, at.calls[0])
        place = f"(fun {self.words.letter(('@', 'F'))} : Prop => {self.words.text(at.data[0])})"
        return self._apply("replaced", s, t, place, *at.calls)

    def _under(self, at: Step) -> str:
        left, right = self._kids(at.goal)
        symbol = self._head(left)
        if symbol in QUANTIFIERS:
            kind = f"{self.words.type(symbol[-1])} -> Prop"
            whole = f"(fun f_ : {kind} => {QUANTIFIERS[symbol]} x_, f_ x_)"
        else:
            whole = f"({FUNCTIONS[symbol]})"
        f, g = (self._function(symbol, self._kids(side)[0]) for side in (left, right))
        inner = self._kids(self._claim(at.premises[0]))[0]
        each = at.calls[0] if self._head(inner) == "eq" else f"(formulas {f} {g} {at.calls[0]})"
        return self._apply("equal" if self._head(at.goal) == "eq" else "alike", whole, f, g, each)

    def _cases(self, at: Step) -> str:
        test, equation = self._kids(at.goal)
        condition, yes, no = self._kids(self._kids(equation)[0])
        return self._apply("If_true" if test == condition else "If_false", condition, yes, no)

    def _order(self, at: Step) -> str:
        left = self._kids(at.goal)[0]
        if self._head(at.goal) == "or":
            return self._apply("order_total", *self._kids(left))
        if self._head(left) == "eq":
            return self._apply("order_eq", *self._kids(left))
        (inner,) = self._kids(left)
        return self._apply(f"order_not_{self._head(inner)}", *self._kids(inner))

    def _induct(self, at: Step) -> str:
        body = self._kids(self._kids(at.goal)[0])[1]
        return self._apply("induct", self.words.over("R", body), *at.calls)

    def _natural(self, at: Step) -> str:
        if self._head(at.goal) == "nat":
            n = self.b.rows[self._kids(at.goal)[0]][1]
            return f"(whole_number {n}%nat {n}%Z eq_refl)"
        given, claim = self._kids(at.goal)
        if self._head(given) == "and":
            operation = self._head(self._kids(claim)[0])
            both = [self._kids(k)[0] for k in self._kids(given)]
            return self._apply("whole_sum" if operation == "add" else "whole_product", *both)
        lemma = {"nat": "whole_next", "le": "whole_pos", "or": "whole_before"}[self._head(claim)]
        return self._apply(lemma, self._kids(given)[0])

    # arithmetic -----------------------------------------------------------------------------------

    def _arith(self, at: Step) -> str:
        if any(self.b.sorts[k] == "C" for j in at.premises for k in self._kids(self._claim(j))):
            raise NotPrinted("complex numbers")
        zero = self.b.number(0)
        false = self._head(at.goal) == "false"
        kind = "lt" if false else self._head(at.goal)
        s, t = (zero, zero) if false else self._kids(at.goal)
        total, proof, have = zero, "(eq_refl 0)" if kind == "eq" else "(Rle_refl 0)", (
            "eq" if kind == "eq" else "le")
        for weight, used in at.data:
            part, reason, strict = self._part(weight, [at.premises[k] for k in used],
                                              [at.calls[k] for k in used], kind == "eq")
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

    def _ball(self, at: Step) -> str:
        return f"{TACTIC}ball {max(int(at.data[0]), 30)}%positive"
