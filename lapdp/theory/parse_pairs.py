"""Statements about pairs of distributions as text: the notions of the statement language.

``P, Q, P1, Q1, ...`` name arbitrary pairs, ``P1*P2`` is a product of distributions and
``p*P + (1 - p)*Q`` a mixture, wherever a distribution may stand; a mechanism, as in
``delta(gaussian(sigma))(eps)``, stands for its two distributions.  As all text, this is parsed by
the tables of this file and never evaluated (:mod:`lapdp.theory.parse`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.core.errors import IllFormed, InputError
from lapdp.privacy import catalogue
from lapdp.privacy import nodes as pn
from lapdp.privacy.mixtures import coefficients
from lapdp.privacy.parameters import demanded
from lapdp.privacy.pointwise import LossAt, Ratio
from lapdp.privacy.tradeoff_nodes import Sup, T, TradeOff
from lapdp.theory import language as lang
from lapdp.theory.cancelled import lost, of_value
from lapdp.theory.guards import clip, shortened
from lapdp.theory.named_pairs import MEMBER, Pairs, of_one_space
from lapdp.theory.parse import MechanismReader, Reader, syntax_tree
from lapdp.theory.vocabulary import FUNCTIONS, unknown

CURRIED: dict[str, Callable[..., Any]] = {
    "delta": lambda P, Q, x: pn.delta(P, Q)(x),
    "T": lambda P, Q, x: T(P, Q)(x),
    "R": lambda P, Q, x: pn.R(x, P, Q),
    "E": lambda P, Q, x: pn.E(x, P, Q),
}
"""Notions of two distributions at a number, written ``delta(P, Q)(eps)``."""
WORDS = {
    "TV": "delta(P, Q)(0)",
    "KL": "Ex(PLD(P, Q), PLD(P, Q))",
    "chi2": "E(P, Q)(2) - 1",
    "BC": "E(P, Q)(1/2)",
    "Hellinger": "sqrt(1 - E(P, Q)(1/2))",
}
"""Divergences with names of their own (:mod:`lapdp.privacy.divergences`), and what each is read as
where it is written ``TV(P, Q)``, or of a mechanism, ``TV(gaussian(1))``."""
USAGE = {
    **{name: f"{name}(P, Q)(x)" for name in CURRIED},
    "PLD": "PLD(P, Q)",
    "F": "F(PLD(P, Q))(x)",
    "f": "f(PLD(P, Q))(x)",
    "Pr": "Pr(PLD(P, Q) > x)",
    "Ex": "Ex(body, PLD(P, Q))",
    "Omega": "Omega(body)",
    "Sup": "Sup(P(S) - Q(S), S)",
    "LossAt": "LossAt(P, Q)",
    "Ratio": "Ratio(P, Q)",
    **{name: f"{name}(P, Q)" for name in WORDS},
}
CONDITIONS = {
    "ac": "ac(P, Q)",
    "OneWayContinuous": "OneWayContinuous(P, Q)",
    "NoAtom": "NoAtom(PLD(P, Q), x)",
    "Defined": "Defined(R(P, Q)(q))",
    "ForAll": "ForAll(q, R(P, Q)(q) <= r, q > 1)",
}
"""Hypotheses that are no relations."""
_MEAN_LOSS = re.compile(r"Ex\(PLD\(([^()]*)\), PLD\(\1\)\)")
_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}


_NOTIONS = (pn.Profile, pn.LossCDF, pn.LossDensity, pn.Probability, pn.Expectation, pn.Moment,
            pn.RenyiDivergence, pn.Measure, pn.SupOverEvents, pn.IntegralOverSpace, TradeOff,
            LossAt, Ratio)
"""Nodes whose own arguments have been looked at."""


def speaks_of_pairs(texts: Sequence[str]) -> bool:
    """Does one of the texts call something that is no function of numbers?

    >>> speaks_of_pairs(["delta(P, Q)(0) == 1"]), speaks_of_pairs(["P + Q == exp(x)"])
    (True, False)
    """
    calls = [node.func for text in texts for node in ast.walk(_tree(text)[1])
             if isinstance(node, ast.Call)]
    names = {f.id for f in calls if isinstance(f, ast.Name)}
    known = {*CURRIED, *USAGE, *CONDITIONS}
    return any(isinstance(f, ast.Call) for f in calls) or bool(names & known) or any(
        MEMBER.fullmatch(name) for name in names)


def pairs_of(texts: Sequence[str]) -> Pairs:
    """What the names of distributions in all texts of one statement stand for.

    >>> pairs_of(["delta(A, C)(0) <= delta(A, B)(0) + delta(B, C)(0)"]).member("C").pair.names
    ('A', 'B', 'C')
    """
    two = {*CURRIED, *WORDS, "PLD", "LossAt", "Ratio", "ac", "OneWayContinuous"}
    return Pairs(of_one_space((_tree(text)[1] for text in texts), two))


def parse_claim(text: str, pairs: Pairs, symbols: Mapping[str, Any] | None = None) -> Any:
    """The one relation about pairs that a text writes.

    >>> parse_claim("delta(P1*P2, Q1*Q2)(0) <= E(P, Q)(2)", Pairs())
    delta(P1*P2, Q1*Q2)(0) <= E(2, P, Q)
    """
    line, tree = _tree(text)
    if _called(tree) in CONDITIONS:
        raise InputError(f"{clip(text)} is a hypothesis: write a claim, such as LHS == RHS, and "
                         "the hypothesis after --where")
    return _PairReader(line, tree, pairs, symbols).claim(tree)


def parse_hypotheses(text: str, pairs: Pairs, symbols: Mapping[str, Any] | None = None
                     ) -> list[Any]:
    """The relations of a text about pairs, or the one condition such as ``ac(P, Q)``."""
    line, tree = _tree(text)
    return _PairReader(line, tree, pairs, symbols).hypotheses(tree)


def _tree(text: str) -> tuple[str, ast.expr]:
    """The syntax tree, with divergences by their definitions."""
    line, tree = syntax_tree(text)
    full = _in_full(line, tree)
    return (line, tree) if full == line else syntax_tree(full)


def in_words(text: str) -> str:
    """A formula in which the mean loss, where it stands written out, has its name.

    >>> in_words("Ex(PLD(P, Q), PLD(P, Q)) + Ex(PLD(P, Q), PLD(Q, P))")
    'KL(P, Q) + Ex(PLD(P, Q), PLD(Q, P))'
    """
    return _MEAN_LOSS.sub(r"KL(\1)", text)


def _word(node: ast.AST) -> str:
    """The divergence that a node calls, if it does."""
    name = _called(node) if isinstance(node, ast.Call) else None
    return name if name in WORDS else ""


def _in_full(line: str, tree: ast.expr) -> str:
    """The line with each call of a word replaced by its definition, of what it is called with."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _word(node)]
    read = line.encode()  # the tree counts bytes
    for node in sorted(calls, key=lambda node: node.col_offset, reverse=True):
        name, said = _word(node), clip(ast.get_source_segment(line, node) or line)
        made = len(node.args) == 1 and isinstance(node.args[0], ast.Call | ast.BinOp)
        if node.keywords or not (made or len(node.args) == 2):
            raise InputError(f"{said} has {len(node.args)} arguments, not 2: write {USAGE[name]}")
        if any(_word(inner) for a in node.args for inner in ast.walk(a)):
            raise InputError(f"{said}: a divergence is a number and no distribution: write "
                             f"{USAGE[name]}")
        of = read[node.args[0].col_offset:node.args[-1].end_col_offset].decode()
        full = WORDS[name].replace("P, Q", of)
        read = read[:node.col_offset] + f"({full})".encode() + read[node.end_col_offset:]
    return read.decode()


class _PairReader(Reader):
    """The language of formulas with pairs, losses, events and the notions of them."""

    def __init__(self, line: str, tree: ast.expr, pairs: Pairs,
                 symbols: Mapping[str, Any] | None) -> None:
        super().__init__(line, symbols)
        self.pairs = pairs
        pairs.events |= {
            node.args[0].id for node in ast.walk(tree)
            if isinstance(node, ast.Call) and pairs.is_member(_called(node))
            and len(node.args) == 1 and isinstance(node.args[0], ast.Name)}

    # -- relations --------------------------------------------------------------------------------

    def relations(self, node: ast.expr) -> list[Any]:
        name = _called(node)
        if name in CONDITIONS and isinstance(node, ast.Call):
            return [self._condition(name, node)]
        found = super().relations(node)
        for relation in found:
            for side in (relation.lhs, relation.rhs):
                self._require_number(side, "a side of a relation")
        return found

    def _condition(self, name: str, node: ast.Call) -> Any:
        if name == "ForAll":
            return self._for_all(node)
        self._require_count(node, CONDITIONS[name], 1 if name == "Defined" else 2)
        if name == "Defined":
            return lang.Defined(self._real_number(node.args[0]))
        if name == "NoAtom":
            return lang.NoAtom(self._loss(node.args[0], CONDITIONS[name]),
                               self._real_number(node.args[1]))
        P, Q = self._two(node, CONDITIONS[name])
        return (lang.ac if name == "ac" else lang.OneWayContinuous)(P, Q)

    def _for_all(self, node: ast.Call) -> Any:
        """A relation for all values of a letter that meet conditions."""
        usage = f"write {CONDITIONS['ForAll']}"
        if node.keywords or len(node.args) < 2 or not isinstance(node.args[0], ast.Name):
            raise InputError(f"{clip(self.text(node))}: {usage}")
        letter = self.expression(node.args[0])
        if isinstance(letter, pn.Event):
            raise InputError(f"{letter} is an event, and ForAll is about numbers: a text speaks of "
                             "all events as it is; conditions on events are written in Python, "
                             f"ForAll(({letter},), claim, [conditions])")
        if not isinstance(letter, sp.Symbol) or isinstance(letter, pn.Distribution):
            raise InputError(f"{clip(self.text(node.args[0]))} is no letter for numbers: {usage}")
        before, self.needs = self.needs, []
        claims = self.relations(node.args[1])
        where = [h for a in node.args[2:] for h in self.relations(a)]
        if any(not isinstance(h, Relational) for h in (*claims, *where)) or len(claims) != 1:
            raise InputError(f"{clip(self.text(node))}: {usage}")
        self._settle(node, [e for h in (*claims, *where) for e in h.args], self.needs)
        self.needs = before
        return lang.ForAll((letter,), claims[0], tuple(where))

    # -- values -----------------------------------------------------------------------------------

    def _name(self, name: str) -> Any:
        if name in self.pairs.events:
            if not isinstance(super()._name(name), sp.Symbol):
                raise InputError(f"{name} is no event: name it S")
            return pn.Event(name)
        if name not in self.symbols and self.pairs.is_member(name):
            return self.pairs.member(name)
        if name in USAGE or name in CONDITIONS:
            raise InputError(f"{name} is a notion: write {USAGE.get(name) or CONDITIONS[name]}")
        return super()._name(name)

    def _call(self, node: ast.Call) -> Any:
        strictly = isinstance(node.func, ast.Call) and _called(node.func) == "F" and _is_strict(
            node.keywords)
        if node.keywords and not strictly and not isinstance(node.func, ast.Attribute):
            raise InputError(f"{clip(self.text(node.func))} takes its arguments by position")
        if isinstance(node.func, ast.Call):
            return self._call_of_call(node, node.func)
        name = _called(node)
        if name is None:
            self.refuse(node.func)
        if self.pairs.is_member(name) and (name not in CURRIED or len(node.args) == 1):
            return self._measure(node, name)
        if name in ("R", "E") and len(node.args) == 3:
            # the order first, as in Python
            P, Q = self._pair_of(node.args[1:], USAGE[name])
            return self._infinite(CURRIED[name](P, Q, self._real_number(node.args[0])))
        if name in CURRIED or name in ("F", "f"):
            raise InputError(f"{clip(self.text(node))} is no number yet: write {USAGE[name]}")
        if name in USAGE:
            return self._infinite(self._bound(node, getattr(self, f"_read_{name.lower()}")))
        if name in CONDITIONS:
            raise InputError(f"{name} is a hypothesis of its own: --where \"{CONDITIONS[name]}\"")
        if name not in FUNCTIONS and name != "piecewise":
            if name in catalogue():
                raise InputError(f"{clip(self.text(node))} is a mechanism and no number: write a "
                                 f"notion of it, such as delta({clip(self.text(node))})(eps)")
            raise unknown(name, {**FUNCTIONS, **USAGE, **CONDITIONS, "piecewise": None})
        return super()._call(node)

    def _bound(self, node: ast.Call, read: Callable[[ast.Call], Any]) -> Any:
        """The value of a notion, whose own losses, events and outcomes no condition names."""
        before, self.needs = self.needs, []
        value = read(node)
        if isinstance(value, pn.Probability):
            self.needs = [*before, *self.needs]  # a tail binds its loss and nothing else
            return value
        self._settle(node, value.args, self.needs)
        self.needs = before
        return value

    def _infinite(self, value: Any) -> Any:
        self.needs += of_value(value)
        return value

    def _call_of_call(self, node: ast.Call, inner: ast.Call) -> Any:
        name = _called(inner)
        if name is not None and name not in {*FUNCTIONS, *USAGE, *CONDITIONS} and (
                not self.pairs.is_member(name)):
            raise unknown(name, {**FUNCTIONS, **USAGE, **CONDITIONS})
        if name not in {*CURRIED, "F", "f"} or name is None:
            raise InputError(f"cannot read {clip(self.text(node))}: {clip(self.text(inner))} is no "
                             "function; functions are " + ", ".join(
                                 USAGE[n].rpartition("(")[0] for n in (*CURRIED, "F", "f")))
        self._require_count(node, USAGE[name], 1)
        if name in CURRIED:
            P, Q = self._two(inner, USAGE[name])
            return self._infinite(CURRIED[name](P, Q, self._real_number(node.args[0])))
        self._require_count(inner, USAGE[name], 1)
        Z = self._loss(inner.args[0], USAGE[name])
        x = self._real_number(node.args[0])
        return self._infinite(
            pn.F(Z)(x, strict=bool(node.keywords)) if name == "F" else pn.f(Z)(x))

    def _measure(self, node: ast.Call, name: str) -> Any:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
            raise InputError(f"{clip(self.text(node))}: {name}(S) is the probability of an event S")
        if self.pairs.is_member(node.args[0].id) or node.args[0].id in {*USAGE, *FUNCTIONS}:
            raise InputError(f"{node.args[0].id} is no event: name it S, as in {name}(S)")
        return self.pairs.member(name)(self.expression(node.args[0]))

    def _read_pld(self, node: ast.Call) -> Any:
        return pn.PLD(*self._two(node, USAGE["PLD"]))

    def _read_lossat(self, node: ast.Call) -> Any:
        return LossAt(*self._two(node, USAGE["LossAt"]))

    def _read_ratio(self, node: ast.Call) -> Any:
        return Ratio(*self._two(node, USAGE["Ratio"]))

    def _read_pr(self, node: ast.Call) -> Any:
        usage = USAGE["Pr"]
        self._require_count(node, usage, 1)
        (event,) = node.args
        if not isinstance(event, ast.Compare) or len(event.ops) != 1 or (
                type(event.ops[0]) not in _SIGNS):
            raise InputError(f"{clip(self.text(node))}: write {usage}, with < <= > >= or ==")
        Z = self._loss(event.left, usage)
        return pn.Pr(Z, _SIGNS[type(event.ops[0])], self._real_number(event.comparators[0]))

    def _read_ex(self, node: ast.Call) -> Any:
        self._require_count(node, USAGE["Ex"], 2)
        Z = self._loss(node.args[1], USAGE["Ex"])
        self.needs = []
        body = self.expression(node.args[0])
        self._settle(node, (body,), self.needs)
        if body.free_symbols and not body.has(pn.Loss, pn.Distribution):
            letters = ", ".join(sorted(map(str, body.free_symbols)))
            raise InputError(f"{clip(self.text(node))}: {letters} is a number and not the loss, so "
                             f"this is no mean of a loss: write the loss itself, as in "
                             f"Ex(exp({Z}), {Z})")
        self._require_number(body.xreplace({Z: sp.Symbol("z", real=True)}), "a mean")
        return pn.Ex(body, Z)

    def _read_omega(self, node: ast.Call) -> Any:
        self._require_count(node, USAGE["Omega"], 1)
        body = self.expression(node.args[0])
        if not body.atoms(pn.Distribution):
            raise InputError(f"{clip(self.text(node))}: the integrand is made of densities, such "
                             "as Omega(Max(0, P - exp(eps)*Q))")
        return pn.Omega(body)

    def _read_sup(self, node: ast.Call) -> Any:
        if len(node.args) == 4:
            raise InputError(f"{clip(self.text(node))}: of texts suprema are over events, write "
                             f"{USAGE['Sup']}; over numbers they are written in Python")
        self._require_count(node, USAGE["Sup"], 2)
        body, event = (self.expression(a) for a in node.args)
        if not isinstance(event, pn.Event) or not body.atoms(pn.Measure):
            raise InputError(f"{clip(self.text(node))}: write {USAGE['Sup']}, S an event")
        return Sup(body, event)

    # -- parts ------------------------------------------------------------------------------------

    def _require_count(self, node: ast.Call, usage: str, count: int) -> None:
        if len(node.args) != count:
            raise InputError(f"{clip(self.text(node))} has {len(node.args)} arguments, not {count}:"
                             f" write {usage}")

    def _two(self, node: ast.Call, usage: str) -> tuple[Any, Any]:
        if len(node.args) == 1 and self._names_mechanism(node.args[0]):
            return self._mechanism(node.args[0])
        self._require_count(node, usage, 2)
        return self._pair_of(node.args, usage)

    def _names_mechanism(self, node: ast.expr) -> bool:
        return any(_called(n) in catalogue() for n in ast.walk(node) if isinstance(n, ast.Call))

    def _mechanism(self, node: ast.expr) -> tuple[Any, Any]:
        """The two distributions of a mechanism; its parameters need what they are made of."""
        reader = MechanismReader(self.line, catalogue(), self.symbols)
        found = reader.mechanism(node, 1)
        self.needs += lost(reader.needs, [e for e, _ in demanded(found)])
        return self.pairs.mechanism(found)

    def _in_one_order(self, nodes: Sequence[ast.expr]) -> str:
        """Two products as they are written, whose factors stand for spaces in the same order."""
        orders = [[number for number, _ in groupby(n.id[1:] for n in sorted(
            (n for n in ast.walk(a) if isinstance(n, ast.Name)), key=lambda n: n.col_offset))]
            for a in nodes]
        said = " and ".join(clip(self.text(a)) for a in nodes)
        if orders[0] != orders[1] and set(orders[0]) == set(orders[1]):
            raise InputError(f"{said} have their factors in two orders: write both in one, as in "
                             "delta(P1*P2, Q1*Q2)(eps)")
        return said

    def _pair_of(self, nodes: Sequence[ast.expr], usage: str) -> tuple[Any, Any]:
        """Two distributions: members of a pair, of a product, or mixtures of them."""
        first, second = (self.expression(a) for a in nodes)
        for e, a in ((first, nodes[0]), (second, nodes[1])):
            if not e.atoms(pn.Distribution) or e.atoms(Node):
                raise InputError(f"{clip(self.text(a))} is no distribution: write {usage}, with "
                                 "P, Q, P1, Q1, ... for the members of pairs, or A, B, C, ... for "
                                 "distributions on one space")
        if any(not e.is_Add and _degree(e) > 1 for e in (first, second)):
            return self.pairs.product(first, second, self._in_one_order(nodes))
        try:
            _, weights = coefficients(first, second)
            pn.members_of(first, second)
        except IllFormed as problem:
            reason = shortened(str(problem), 160)
            raise InputError(f"cannot read {clip(self.line)}: {reason}") from None
        for e, row in zip((first, second), weights, strict=True):
            self._require_weights(e, row)
        return first, second

    def _require_weights(self, e: Any, weights: Sequence[Any]) -> None:
        if sp.expand(sum(weights)) != 1:
            raise InputError(f"{clip(str(e))} is no distribution: its weights do not sum to 1")

    def _loss(self, node: ast.expr, usage: str) -> Any:
        before, self.needs = self.needs, []
        value = self.expression(node)
        if not isinstance(value, pn.Loss):
            raise InputError(f"{clip(self.text(node))} is no loss variable: write {usage}")
        of_loss = [n for n in self.needs if isinstance(n.of, pn.Loss)]
        self._settle(node, [value], of_loss)
        self.needs = [*before, *(n for n in self.needs if n not in of_loss)]
        return value

    def _real_number(self, node: ast.expr) -> Any:
        value = self.expression(node)
        self._require_number(value, clip(self.text(node)))
        return value

    def _require_number(self, value: Any, what: str) -> None:
        """Distributions, losses and events are no numbers; inside notions they may stand."""
        stack = [value]
        while stack:
            part = stack.pop()
            if isinstance(part, pn.Distribution):
                raise InputError(f"{part} is a distribution and no number, in {what}: write a "
                                 f"notion of the pair, such as delta(P, Q)(eps), or name it x")
            if isinstance(part, pn.Loss):
                raise InputError(f"{clip(str(part))} is a random variable and no number, in "
                                 f"{what}: write {USAGE['Pr']} or {USAGE['Ex']}")
            if isinstance(part, pn.Event):
                raise InputError(f"{part} is an event and no number, in {what}: write P({part})")
            if not isinstance(part, _NOTIONS):
                stack.extend(part.args)


def _degree(e: Any) -> int:
    """How many distributions a product has."""
    return sum(int(k) if k.is_Integer else 1 for d, k in e.as_powers_dict().items()
               if isinstance(d, pn.Distribution))


def _is_strict(keywords: Sequence[ast.keyword]) -> bool:
    """Is it ``strict=True`` and no more?"""
    return [k.arg for k in keywords] == ["strict"] and isinstance(
        keywords[0].value, ast.Constant) and keywords[0].value.value is True


def _called(node: ast.expr) -> str | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return None


__all__ = ["Pairs", "in_words", "pairs_of", "parse_claim", "parse_hypotheses", "speaks_of_pairs"]
