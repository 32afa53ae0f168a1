"""Difference quotients of h(v) = max(0, 1 - e^v), the profile of one outcome, at a step e^-u.

With g(v) = max(0, 1 - e^v) written by cases, the symmetric quotients Q of first and second order
are bounded by e^u m(v), m(v) = e^(v + 1) for v < 1 and 0 else; |v Q| <= (2 + |v|) m(v); their
integrals are -1 and 0; and they tend to g'(v) at all v but 0.  With s = e^-u, E = e^s and left of
-s they are -e^v S, S = (E - 1/E)/(2 s) or (E - 2 + 1/E)/s^2, and 1/E <= S <= E: by s <= E - 1 <= s
E.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.derivation import NotFound
from lapdp.proving.said import Said

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

SCALES = {1: "1 / 2 * exp(u)", 2: "exp(2 * u)"}
DIFFERENCES = {1: "h(v + {s}) - h(v - {s})", 2: "h(v + {s}) - 2 * h(v) + h(v - {s})"}
QUOTIENTS = {k: f"{SCALES[k]} * ({DIFFERENCES[k].format(s='exp(-u)')})" for k in SCALES}
"""As a statement with a generalised derivative says them."""
TOTALS = {1: -1, 2: 0}
SIZES = {1: "1 / 2 * exp(u) * (exp(exp(-u)) - exp(-exp(-u)))",
         2: "exp(2 * u) * (exp(exp(-u)) - 2 + exp(-exp(-u)))"}
HINGE, WEIGHT = "case(v < 0, 1 - exp(v), 0)", "case(v < 1, exp(v + 1), 0)"
SLOPE, MAJORANT = "case(v < 0, -exp(v), 0)", "(2 + abs(v)) * m(v)"
MOST = "exp(-u) * (exp(v) * exp(1))"


class Hinges(Said):
    """What holds for all v and u of the quotients, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        super().__init__(prover)
        d = self.d
        self.v, self.u = d.fresh("R", "v"), d.fresh("R", "u")
        self.hinge, self.weight = self.of(HINGE), self.of(WEIGHT)
        self.names = {"h": self.hinge, "m": self.weight, "v": self.v[1], "u": self.u[1]}
        self.slope, self.majorant = self.of(SLOPE), self.of(MAJORANT)
        self.known: dict[tuple[int, str], int] = {}
        self.basic: dict[str, int] = {}

    def quotient(self, order: int, v: int, u: int) -> int:
        """The quotient of that order."""
        return self.say(QUOTIENTS[order], v=v, u=u)

    def everywhere(self, order: int, what: str, u: int, v: int | None = None) -> int:
        """A theorem about the quotient at such numbers: ``size``, ``moment``, ``limit`` or
        ``total``."""
        key = order, what
        if key not in self.known:
            if not self.basic:
                self._prepare()
            found = getattr(self, f"_{what}")(order)
            over = [self.u[0]] if what == "total" else [self.u[0], self.v[0]]
            self.known[key] = self.d.gen_all([(name, "R") for name in over], found)
        made = self.d.inst(self.known[key], u)
        return made if v is None else self.d.inst(made, v)

    # one by one ---------------------------------------------------------------------------------

    def _prepare(self) -> None:
        d, a, say, times = self.d, self.a, self.say, self.times
        b = self.basic
        for name, text, given in (
                ("n0", "0 < exp(-u)", ""), ("e0", "0 < exp(v)", ""), ("r0", "0 < exp(u)", ""),
                ("f1", "1 + exp(-u) <= exp(exp(-u))", ""),
                ("f2", "exp(exp(-u)) - 1 <= exp(-u) * exp(exp(-u))", ""),
                ("f3", "1 - exp(-exp(-u)) <= exp(-u)", ""),
                ("f4", "exp(-u) * exp(-exp(-u)) <= 1 - exp(-exp(-u))", ""),
                ("f6", "exp(-exp(-u)) < 1", "n0"), ("f7", "0 < exp(-exp(-u))", ""),
                ("x0", "0 < exp(exp(-u)) - 1", "f1 n0"), ("y0", "0 < 1 - exp(-exp(-u))", "f6")):
            b[name] = a.prove(say(text), [b[k] for k in given.split()])
        b["low1"] = a.prove(say(f"exp(-exp(-u)) <= {SIZES[1]}"), [
            times("0 <= exp(u) * (exp(exp(-u)) - (1 + exp(-u)))", b["f1"], b["r0"]), b["f6"],
            times("0 <= exp(u) * (1 - exp(-exp(-u)) - exp(-u) * exp(-exp(-u)))", b["f4"], b["r0"])])
        b["high1"] = a.prove(say(f"{SIZES[1]} <= exp(exp(-u))"), [
            times("0 <= exp(u) * (exp(-u) * exp(exp(-u)) - (exp(exp(-u)) - 1))", b["f2"], b["r0"]),
            times("0 <= exp(u) * (exp(-u) - (1 - exp(-exp(-u))))", b["f3"], b["r0"]),
            b["f1"], b["n0"]])
        # E - 2 + 1/E = (E - 1)(1 - 1/E)
        both = "(exp(exp(-u)) - 1) * (1 - exp(-exp(-u)))"
        low = a.prove(say(f"exp(-u) * (exp(-u) * exp(-exp(-u))) <= {both}"), [
            times("0 <= (exp(exp(-u)) - 1 - exp(-u)) * (1 - exp(-exp(-u)))", b["f1"], b["y0"]),
            times("0 <= exp(-u) * (1 - exp(-exp(-u)) - exp(-u) * exp(-exp(-u)))", b["n0"],
                  b["f4"])])
        high = a.prove(say(f"{both} <= exp(-u) * (exp(-u) * exp(exp(-u)))"), [
            times("0 <= (exp(exp(-u)) - 1) * (exp(-u) - (1 - exp(-exp(-u))))", b["x0"], b["f3"]),
            times("0 <= exp(-u) * (exp(-u) * exp(exp(-u)) - (exp(exp(-u)) - 1))", b["n0"],
                  b["f2"])])
        for name, text, i in (("low2", f"exp(-exp(-u)) <= {SIZES[2]}", low),
                              ("high2", f"{SIZES[2]} <= exp(exp(-u))", high)):
            b[name] = d.do("arith", say(text), [i, b["r0"]], [[d.num(1), [0, 1, 1]]])
        # for u >= 0
        later = d.assume(say("0 <= u"))
        b["n1"] = a.prove(say("exp(-u) <= 1"), [later])
        b["r1"] = a.prove(say("1 <= exp(u)"), [later])
        b["f5"] = d.onward(a.grows("le", say("exp(-u)"), d.num(1)), b["n1"])
        b["e1"] = a.prove(say("1 <= exp(1)"))
        b["f8"] = times("exp(v) * exp(exp(-u)) <= exp(v) * exp(1)", b["f5"], b["e0"])
        b["m0"] = a.prove(say("0 <= m(v)"), [b["e0"]])

    def _cases(self, claim: int, proof: Callable[[str, Sequence[int]], int]) -> int:
        """The claim where v is left of -s, between that and 0, between 0 and s, right of that;
        ``proof`` is told what the hinges of v + s, v and v - s are by facts."""
        d, a, b = self.d, self.a, self.basic
        texts = {"left": "v + exp(-u) < 0", "middle": "v < 0", "right": "v - exp(-u) < 0",
                 "one": "v < 1"}
        decided = {"left": "", "middle": "left", "right": "left middle", "end": "left middle right"}
        found = 0
        for case in reversed(list(decided)):
            given = []
            if case != "end":
                given.append(d.assume(self.say(texts[case])))
            if case != "left":
                last = decided[case].split()[-1]
                given.append(d.assume(self.say(f"not ({texts[last]})")))
            known = list(given)
            for name, text in texts.items():
                if name == "one" and case == "end":
                    continue
                holds = name == "one" or name not in decided[case].split()
                formula = self.say(text if holds else f"not ({text})")
                known.append(a.prove(formula, [*given, b["n0"], b["n1"]]))
            made = proof(case, known)
            if d.claim(made) != claim:
                raise NotFound("another claim")
            found = made if case == "end" else d.split(self.say(texts[case]), made, found)
        return found

    def _steps(self, case: str, known: Sequence[int]) -> list[int]:
        """0 <= r^k D <= r^(k - 1) m(v) for the two differences D of hinges at distance s, near 0,
        r = 1/s."""
        d, a, b, say, times = self.d, self.a, self.basic, self.say, self.times
        fast = times("exp(v) * (1 - exp(-exp(-u))) <= exp(v) * exp(-u)", b["f3"], b["e0"])
        grown = times(f"exp(v) * exp(-u) <= {MOST}", b["e1"], b["e0"], b["n0"])
        zero = d.num(0)
        if case == "middle":
            (low,) = (d.opposite(i) for i in known[1:2])
            above = d.onward(a.grows("le", zero, d.kids(d.claim(low))[1]), low)
            less = d.onward(a.grows("lt", say("v"), zero), known[0])
            step = times("exp(v) * (exp(exp(-u)) - 1) <= exp(v) * (exp(-u) * exp(exp(-u)))",
                         b["f2"], b["e0"])
            most = times(f"exp(v) * (exp(-u) * exp(exp(-u))) <= {MOST}", b["f8"], b["n0"])
            parts = {"1 - exp(v)": [above, less, step, most],
                     "exp(v) - exp(v) * exp(-exp(-u))": [
                         fast, grown, times("0 < exp(v) * (1 - exp(-exp(-u)))", b["f6"], b["e0"])]}
        else:
            above = d.onward(a.grows("le", zero, say("v")), d.opposite(known[1]))
            less = d.onward(a.grows("lt", say("v - exp(-u)"), zero), known[0])
            parts = {"1 - exp(v) * exp(-exp(-u))": [above, less, fast, grown]}
        found = []
        for part, facts in parts.items():
            two = [a.prove(say(f"0 <= {part}"), facts), a.prove(say(f"{part} <= {MOST}"), facts)]
            for power in ("exp(u)", "exp(2 * u)"):
                positive = a.prove(say(f"0 < {power}"))
                found += [times(f"0 <= {power} * ({part})", two[0], positive),
                          times(f"{power} * ({part}) <= {power} * ({MOST})", two[1], positive)]
        return found

    def _left(self, order: int) -> list[int]:
        """e^v/E <= e^v S <= e^v E <= e^(v + 1)."""
        b, times, size = self.basic, self.times, SIZES[order]
        return [times(f"exp(v) * ({size}) <= exp(v) * exp(exp(-u))", b[f"high{order}"], b["e0"]),
                times(f"exp(v) * exp(-exp(-u)) <= exp(v) * ({size})", b[f"low{order}"], b["e0"]),
                times("0 < exp(v) * exp(-exp(-u))", b["e0"], b["f7"])]

    def _by_weight(self, order: int, case: str, known: Sequence[int]) -> int:
        """|Q| <= m(v), or e^u m(v) near 0 for the second order."""
        a, b = self.a, self.basic
        near = case in ("middle", "right")
        text = f"abs({QUOTIENTS[order]}) <= " + "exp(u) * " * (near and order == 2) + "m(v)"
        facts = [b["f8"], *self._left(order)] if case == "left" else (
            self._steps(case, known) if near else [b["m0"]])
        return a.prove(self.say(text), [*known, *facts])

    def _size(self, order: int) -> int:
        """0 <= u -> |Q| <= e^u m(v)."""
        q, m = self.say(QUOTIENTS[order]), self.say("m(v)")
        b = self.basic

        def proof(case: str, known: Sequence[int]) -> int:
            found = self._by_weight(order, case, known)
            if self.d.claim(found) == claim:
                return found
            return self.law("abs(q) <= m; 0 <= m; 1 <= r => abs(q) <= r * m", found, b["m0"],
                            b["r1"], q=q, m=m, r=self.say("exp(u)"))

        claim = self.say(f"abs({QUOTIENTS[order]}) <= exp(u) * m(v)")
        return self.d.disch(self.say("0 <= u"), self._cases(claim, proof))

    def _moment(self, order: int) -> int:
        """0 <= u -> |v Q| <= (2 + |v|) m(v)."""
        d, b = self.d, self.basic
        q, m, v = self.say(QUOTIENTS[order]), self.say("m(v)"), self.v[1]

        def proof(case: str, known: Sequence[int]) -> int:
            found = self._by_weight(order, case, known)
            if d.kids(d.claim(found))[1] == m:
                return self.law("abs(q) <= m; 0 <= m => abs(v * q) <= (2 + abs(v)) * m", found,
                                b["m0"], q=q, m=m, v=v)
            near = self.a.prove(self.say("abs(v) <= exp(-u)"), [*known, b["n0"]])
            whole = self.law("abs(q) <= b; abs(v) <= n; 0 < n => abs(v * q) <= n * b", found, near,
                             b["n0"], q=q, v=v, n=self.say("exp(-u)"), b=self.say("exp(u) * m(v)"))
            return self.law("w <= exp(-u) * (exp(u) * m); 0 <= m => w <= (2 + abs(v)) * m", whole,
                            b["m0"], w=d.kids(d.claim(whole))[0], u=self.u[1], m=m, v=v)

        claim = self.say(f"abs(v * ({QUOTIENTS[order]})) <= {MAJORANT}")
        return d.disch(self.say("0 <= u"), self._cases(claim, proof))

    def _limit(self, order: int) -> int:
        """1/|v| <= u -> |v (Q - g')| <= |v| (E - 1)."""
        d, a, b = self.d, self.a, self.basic
        v, q, slope = self.v[1], self.say(QUOTIENTS[order]), self.slope(self.v[1])
        gap = self.say("exp(exp(-u)) - 1")
        later = d.assume(self.say("inv(abs(v)) <= u"))
        claim = self.say("abs(v * (q - t)) <= abs(v) * w", q=q, t=slope, w=gap)
        nothing = d.assume(self.say("v == 0"))
        nil = self.of("abs(x * (q - t)) <= abs(x) * w", "x", q=q, t=slope, w=gap)
        none = d.do("rewrite", claim, [d.turn(nothing), self.law(
            "abs(0 * (q - t)) <= abs(0) * w", q=q, t=slope, w=gap)], list(nil.args))
        sides = []
        for text, size in (("v < 0", "-v"), ("0 < v", "v")):
            side = d.assume(self.say(text))
            equal = a.prove(self.say(f"abs(v) == {size}"), [side])
            soon = d.replace(later, equal)
            positive = a.prove(self.say(f"0 < {size}"), [side])
            apart = self._soon(positive, soon)
            facts = [side, apart, b["n0"]]
            known = [a.prove(self.say(t), facts) for t in (
                ("v + exp(-u) < 0", "v - exp(-u) < 0") if size == "-v" else (
                    "not (v + exp(-u) < 0)", "not (v < 0)", "not (v - exp(-u) < 0)"))]
            if size == "-v":
                less = d.onward(a.grows("lt", v, d.num(0)), side)
                known += [*self._left(order), b["f1"], b["f3"], self.times(
                    "0 <= (1 - exp(v)) * (exp(exp(-u)) - 1)", less, b["x0"]), self.times(
                        "exp(v) * (1 - exp(-exp(-u))) <= exp(v) * exp(-u)", b["f3"], b["e0"]),
                    self.times("exp(v) * (1 + exp(-u)) <= exp(v) * exp(exp(-u))", b["f1"],
                               b["e0"])]
            close = a.prove(self.say("abs(q - t) <= w", q=q, t=slope, w=gap), [
                side, *known, b["x0"]])
            sides.append(self.law("abs(q) <= w => abs(v * q) <= abs(v) * w", close, v=v, w=gap,
                                  q=self.say("q - t", q=q, t=slope)))
        order_law = a.prove(self.say("v == 0 or (v < 0 or 0 < v)"))
        found = d.taut(claim, order_law, d.disch(d.claim(nothing), none), *(d.disch(
            self.say(t), i) for t, i in zip(("v < 0", "0 < v"), sides, strict=True)))
        return d.disch(d.claim(later), found)

    def _soon(self, positive: int, later: int) -> int:
        """e^-u < x from 0 < x and 1/x <= u: x e^u >= x (1 + u) > 1."""
        d, one = self.d, self.d.num(1)
        x = d.kids(d.claim(positive))[1]
        product, _ = d.reciprocal(positive)
        tangent = d.law("exp above tangent", self.say("1 + u <= exp(u)"), self.u[1])
        whole = d.do("arith", self.say("1 < x * exp(u)", x=x), [
            tangent, positive, later, product], [
                [one, [0, 1]], [one, [1, 2]], [one, [1]], [d.num(-1), [3]]])
        return d.do("arith", self.say("exp(-u) < x", x=x), [whole, self.basic["n0"]], [
            [one, [0, 1]]])

    def _total(self, order: int) -> int:
        """0 <= u -> liny Q and lint Q = its total: by that of the difference, -2 s or 0."""
        d, a = self.d, self.a
        name, s = d.fresh("R", "s")
        positive = d.assume(d.mk("lt", d.num(0), s))
        body = d.b.abstract(self.say(DIFFERENCES[order].format(s="s"), s=s), self.v[0], "R")
        iny, equal = d.parts(a.tree(body, [positive])[1])
        same = a.prove(d.mk("eq", d.kids(d.claim(equal))[1], d.mul(d.num(2 * TOTALS[order]), s)), [
            positive])
        general = d.gen(name, "R", d.disch(d.claim(positive), d.both(iny, d.chain(equal, same))))
        iny, equal = d.parts(d.mp(d.inst(general, self.say("exp(-u)")), self.basic["n0"]))
        whole, scaled = self.scaled(self.say(SCALES[order]), iny)
        value = d.chain(scaled, d.alike(d.kids(d.claim(scaled))[1], equal))
        value = d.chain(value, a.identity(d.mk("eq", d.kids(d.claim(value))[1], d.num(
            TOTALS[order])), []))
        return d.disch(self.say("0 <= u"), d.both(whole, value))
