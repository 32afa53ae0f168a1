"""Statements as LaTeX and as one plain line, so that what is checked is read beside the print.

The LaTeX is that of the nodes themselves (each prints as in the paper) with Greek names for the
symbols; the plain text uses the names of the statement language, so that a line can be pasted
back into a proof file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.printing.conventions import split_super_sub
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from lapdp.calculus.nodes import Node
from lapdp.core.errors import IllFormed
from lapdp.theory import language as lang
from lapdp.theory.pair_words import made_of
from lapdp.theory.ranges import ranges

_GREEK = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "lam": r"\lambda"}
SIGNS = {"==": "=", "!=": r"\neq", "<": "<", "<=": r"\leq", ">": ">", ">=": r"\geq"}


class _Latex(LatexPrinter):
    """SymPy's printer with the paper's letters."""

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        name, supers, subs = split_super_sub(expr.name)
        if name not in _GREEK:
            return str(super()._print_Symbol(expr, style))
        above = "^{" + " ".join(supers) + "}" if supers else ""
        below = "_{" + " ".join(subs) + "}" if subs else ""
        return _GREEK[name] + above + below

    def _print_re(self, expr: Any, exp: Any = None) -> str:
        return self._part(r"\Re", expr, exp)

    def _print_im(self, expr: Any, exp: Any = None) -> str:
        return self._part(r"\Im", expr, exp)

    def _part(self, name: str, expr: Any, exp: Any) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"{name}{power}\left({self._print(expr.args[0])}\right)"


_NAMES: ContextVar[Mapping[Any, tuple[str, ...]]] = ContextVar("names", default={})  # noqa: B039
"""Names that pairs have in the statement that is being written, other than their own."""


class StatementText(StrPrinter):
    """SymPy's printer with the words of the statement language."""

    def _print_Distribution(self, expr: Any) -> str:
        names = _NAMES.get().get(expr.pair)
        return str(names[expr.side] if names else expr.name)

    def _print_Relational(self, expr: Any) -> str:
        return f"{self._print(expr.lhs)} {expr.rel_op} {self._print(expr.rhs)}"

    def _call(self, word: str, args: Iterable[Any]) -> str:
        return f"{word}({', '.join(self._print(a) for a in args)})"

    def _print_Limit(self, expr: Any) -> str:
        side = str(expr.args[3]).removeprefix("_")
        ending = f", {side!r})" if side else ")"
        return self._call("Lim", expr.args[:3])[:-1] + ending

    def _print_GeneralizedDerivative(self, expr: Any) -> str:
        return self._call("D", expr.args[:2] if expr.args[2] == 1 else expr.args)

    def _print_Convolution(self, expr: Any) -> str:
        return self._call("conv", expr.args[:3] if expr.args[3] == -sp.oo else expr.args)

    def _print_Probability(self, expr: Any) -> str:
        z, relation, x = expr.args
        return f"Pr({self._print(z)}, {str(relation)!r}, {self._print(x)})"

    def _print_Expectation(self, expr: Any) -> str:
        return self._call("Ex", expr.args)

    def _print_SupOverEvents(self, expr: Any) -> str:
        return self._call("Sup", expr.args)

    def _print_IntegralOverSpace(self, expr: Any) -> str:
        return self._call("Omega", expr.args)


def latex(expr: Any) -> str:
    r"""LaTeX of an expression with the paper's letters.

    >>> latex(sp.exp(sp.Symbol("eps")))
    'e^{\\varepsilon}'
    """
    return str(_Latex().doprint(expr))


def word_of(expr: Any) -> str:
    """The word of the statement language for the outermost part of an expression.

    >>> from lapdp.calculus.nodes import conv
    >>> t = sp.Symbol("t")
    >>> word_of(conv(sp.exp(-t), t, t)), word_of(t ** 2)
    ('conv', 'Pow')
    """
    return text(expr).partition("(")[0] if isinstance(expr, Node) else type(expr).__name__


def text(expr: Any) -> str:
    """Plain text of an expression in the words of the statement language.

    >>> from lapdp.calculus.nodes import conv
    >>> t = sp.Symbol("t")
    >>> text(conv(sp.exp(-t), t, t))
    'conv(exp(-t), t, t)'
    """
    return str(StatementText().doprint(expr))


def latex_of_form(form: Any) -> str:
    r"""LaTeX of a claim or hypothesis.

    Raises :class:`IllFormed` when ``form`` is none of the forms of the language.

    >>> from lapdp.privacy.nodes import pair
    >>> latex_of_form(lang.ac(*pair("P", "Q")))
    'P \\ll Q'
    """
    return _say(form, latex, _LATEX)


def text_of_form(form: Any) -> str:
    """Plain text of a claim or hypothesis.

    Raises :class:`IllFormed` when ``form`` is none of the forms of the language.

    >>> t = sp.Symbol("t", real=True)
    >>> text_of_form(lang.BigO(1 / t, 1, t))
    '1/t = O(1) as t -> oo'
    """
    return _say(form, text, _TEXT)


_LATEX = {
    "converges": r"{0} \text{{ converges}}",
    "diverges": r"{0} \text{{ diverges}}",
    "defined": r"{0} \text{{ is defined}}",
    "continuous": r"{1} \mapsto {0} \text{{ is continuous}}",
    "ac": r"{0} \ll {1}",
    "oneway": r"{0} \ll {1} \text{{ or }} {1} \ll {0}",
    "noatom": r"\Pr\left[{0} = {1}\right] = 0",
    "bigo": r"{0} = O\left({1}\right) \text{{ as }} {2} \to {3}",
    "exists": r"\exists\, {0}:\; {1}",
    "exists_where": r"\exists\, {0} \text{{ with }} {2}:\; {1}",
    "forall": r"\forall\, {0}:\; {1}",
    "forall_where": r"\forall\, {0} \text{{ with }} {2}:\; {1}",
    "implies": r"{0} \implies {1}",
    "implies_over": r"\left({0} \text{{ for all }} {2}\right) \implies {1}",
    "iff": r"{0} \iff {1}",
    "iff_over": r"{0} \iff {1} \quad\text{{(each for all its }} {2}\text{{)}}",
    "same": "{0} = {1}",
    "distributions": r"\exists\text{{ distributions }} {0}:\; {1}",
    "continuouson": r"{1} \mapsto {0} \text{{ is continuous on }} \left[{2}, {3}\right]",
    "convexon": r"{1} \mapsto {0} \text{{ is convex on }} \left[{2}, {3}\right]",
    "fallingon": r"{1} \mapsto {0} \text{{ does not increase on }} \left[{2}, {3}\right]",
    "exists_pair": r"\exists\text{{ a pair }} ({0}, {1}):\; {2}",
    "exists_pair_over": r"\exists\text{{ a pair }} ({0}, {1}):\; {2} \text{{ for all }} {3}",
    "implies_on": r"\left({0} \text{{ for all }} {2} \in \left[{3}, {4}\right]\right) \implies {1}",
    "not_always": r"\text{{not always: }} {0}",
    "all_of": r" \;\wedge\; ",
    "events": r"\exists\, {0} \subset \Omega:\; {1}",
    "and": r",\; ",
}
_TEXT = {
    "converges": "{0} converges",
    "diverges": "{0} diverges",
    "defined": "{0} is defined",
    "continuous": "{0} is continuous in {1}",
    "ac": "{0} << {1}",
    "oneway": "{0} << {1} or {1} << {0}",
    "noatom": "{0} has no atom at {1}",
    "bigo": "{0} = O({1}) as {2} -> {3}",
    "exists": "there is {0}: {1}",
    "exists_where": "there is {0} with {2}: {1}",
    "forall": "({1} for all {0})",
    "forall_where": "({1} for all {0} with {2})",
    "implies": "{0} implies {1}",
    "implies_over": "({0} for all {2}) implies {1}",
    "iff": "{0} if and only if {1}",
    "iff_over": "{0} if and only if {1} (each for all its {2})",
    "same": "{0} == {1} as measures",
    "distributions": "there are distributions {0}: {1}",
    "continuouson": "{0} is continuous in {1} on [{2}, {3}]",
    "convexon": "{0} is convex in {1} on [{2}, {3}]",
    "fallingon": "{0} does not increase with {1} on [{2}, {3}]",
    "exists_pair": "there is a pair ({0}, {1}): {2}",
    "exists_pair_over": "there is a pair ({0}, {1}): {2} for all {3}",
    "implies_on": "({0} for all {2} in [{3}, {4}]) implies {1}",
    "not_always": "not always: {0}",
    "all_of": " and ",
    "events": "there are events {0}: {1}",
    "and": ", ",
}


_DOMAINS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("positive", "integer"), r"\in \{1, 2, \ldots\}", "in {1, 2, ...}"),
    (("nonnegative", "integer"), r"\in \{0, 1, 2, \ldots\}", "in {0, 1, 2, ...}"),
    (("integer",), r"\in \mathbb{Z}", "in Z"),
    (("positive",), "> 0", "> 0"),
    (("negative",), "< 0", "< 0"),
    (("nonnegative",), r"\geq 0", ">= 0"),
    (("nonpositive",), r"\leq 0", "<= 0"),
    (("real",), r"\in \mathbb{R}", "in R"),
    ((), r"\in \mathbb{C}", "in C"),
)

_REAL = (r"\in \mathbb{R}", "in R")


def _by_domain(symbols: Iterable[Any], show: Callable[[Any], str]) -> dict[str, list[str]]:
    """How letters are written, by what is said of their domain."""
    groups: dict[str, list[str]] = {}
    for symbol in symbols:
        domain = next(d for d in _DOMAINS if all(getattr(symbol, f"is_{a}") for a in d[0]))
        said = domain[2] if show is text else domain[1]
        groups.setdefault(said, []).append(show(symbol))
    return groups


def _letters(symbols: Iterable[Any], show: Callable[[Any], str]) -> str:
    """Letters bound inside of a claim, with their domains; a real number goes without saying, and
    outcomes, events and distributions have none.

    >>> _letters((*lang.reals("s t"), lang.positives("w")), text)
    's, t, w > 0'
    """
    said = []
    for symbol in symbols:
        ((domain, (name,)),) = _by_domain((symbol,), show).items()
        number = type(symbol) in (sp.Symbol, sp.Dummy) and domain not in _REAL
        said.append(f"{name} {domain}" if number else name)
    return ", ".join(said)


def _say(form: Any, show: Callable[[Any], str], words: dict[str, str]) -> str:
    if isinstance(form, Relational):
        sign = form.rel_op if words is _TEXT else SIGNS[form.rel_op]
        return f"{show(form.lhs)} {sign} {show(form.rhs)}"
    if isinstance(form, lang.Exists):
        where = words["and"].join(_say(h, show, words) for h in form.where)
        key = "exists_where" if where else "exists"
        said = _say(form.claim, show, words)
        return words[key].format(_letters((form.symbol,), show), said, where)
    if isinstance(form, lang.ForAll):
        over = _letters(form.over, show)
        where = words["and"].join(_say(h, show, words) for h in form.where)
        key = "forall_where" if where else "forall"
        return words[key].format(over, _say(form.claim, show, words), where)
    if isinstance(form, lang.Implies):
        over = _letters(form.over, show)
        sides = (_say(f, show, words) for f in (form.hypothesis, form.conclusion))
        return words["implies_over" if over else "implies"].format(*sides, over)
    if isinstance(form, lang.Iff):
        over = _letters(form.over, show)
        sides = (_say(f, show, words) for f in (form.first, form.second))
        return words["iff_over" if over else "iff"].format(*sides, over)
    if isinstance(form, lang.ExistsDistributions):
        made = ", ".join(show(d) for d in form.made)
        claims = words["and"].join(_say(c, show, words) for c in form.claims)
        return words["distributions"].format(made, claims)
    if isinstance(form, lang.AllOf):
        return words["all_of"].join(_say(c, show, words) for c in form.claims)
    if isinstance(form, lang.ExistsEvents):
        claims = words["and"].join(_say(c, show, words) for c in form.claims)
        return words["events"].format(", ".join(map(show, form.made)), claims)
    if isinstance(form, lang.ExistsPair):
        over = _letters(form.over, show)
        return words["exists_pair_over" if over else "exists_pair"].format(
            show(form.P), show(form.Q), _say(form.claim, show, words), over)
    if isinstance(form, lang.NotAlways):
        return words["not_always"].format(_say(form.claim, show, words))
    if isinstance(form, lang.ImpliesOn):
        parts = (_say(f, show, words) for f in (form.hypothesis, form.conclusion))
        return words["implies_on"].format(*parts, *map(show, (form.t, form.lower, form.upper)))
    for kind, key, fields in _SIMPLE:
        if isinstance(form, kind):
            return words[key].format(*(show(getattr(form, name)) for name in fields))
    raise IllFormed(f"{form!r} is not a claim: use Eq, Le, Converges, Implies, ...")


_SIMPLE: tuple[tuple[Any, str, tuple[str, ...]], ...] = (
    (lang.Converges, "converges", ("node",)),
    (lang.Diverges, "diverges", ("node",)),
    (lang.Defined, "defined", ("expr",)),
    (lang.Continuous, "continuous", ("expr", "t")),
    (lang.ContinuousOn, "continuouson", ("expr", "t", "lower", "upper")),
    (lang.ConvexOn, "convexon", ("expr", "t", "lower", "upper")),
    (lang.NonincreasingOn, "fallingon", ("expr", "t", "lower", "upper")),
    (lang.AbsolutelyContinuous, "ac", ("P", "Q")),
    (lang.OneWayContinuous, "oneway", ("P", "Q")),
    (lang.NoAtom, "noatom", ("Z", "x")),
    (lang.SameMeasure, "same", ("lhs", "rhs")),
    (lang.BigO, "bigo", ("expr", "bound", "t", "point")),
)


def latex_of(statement: Any) -> str:
    r"""LaTeX of a statement: the claim, then what it is claimed for.

    >>> from lapdp.theory.statement import Statement
    >>> eps = lang.reals("eps")
    >>> latex_of(Statement("paper/eq-1", lang.Ge(eps**2, 0)))
    '\\varepsilon^{2} \\geq 0 \\qquad \\text{for all } \\varepsilon \\in \\mathbb{R}'
    """
    where = [latex_of_form(h) for h in (*ranges(statement), *statement.where)]
    quantified = [_pair(p, latex=True) for p in statement.pairs] + _quantified(statement, 0)
    return (
        latex_of_form(statement.claim)
        + (r" \qquad \text{for all } " + r",\; ".join(quantified) if quantified else "")
        + (r" \text{ with } " + r",\; ".join(where) if where else "")
    )


def text_of(statement: Any) -> str:
    """A statement as one plain line, with the ranges of its parameters.

    >>> from lapdp.theory.statement import Statement
    >>> x, y = lang.positives("x y")
    >>> text_of(Statement("paper/eq-1", lang.Le(x * y, 1), where=(lang.Le(x, 1 / y),)))
    'x*y <= 1 for all x, y > 0 with x <= 1/y'
    """
    token = _NAMES.set(_told_apart(statement.pairs))
    try:
        return _text_of(statement)
    finally:
        _NAMES.reset(token)


def _text_of(statement: Any) -> str:
    where = [text_of_form(h) for h in (*ranges(statement), *statement.where)]
    quantified = [_pair(p, latex=False) for p in statement.pairs] + _quantified(statement, 1)
    return (
        text_of_form(statement.claim)
        + (f" for all {', '.join(quantified)}" if quantified else "")
        + (f" with {', '.join(where)}" if where else "")
    )


def _quantified(statement: Any, style: int) -> list[str]:
    """``eps, t in R`` and so on: parameters by domain, then arbitrary functions."""
    show = (latex, text)[style]
    groups = _by_domain(statement.parameters, show)
    functions = sorted(
        {str(a.func) for form in (statement.claim, *statement.where)
         for e in lang.expressions(form) for a in sp.sympify(e).atoms(AppliedUndef)}
    )
    word = (r"\text{functions } ", "functions ")[style]
    events = [show(s) for s in lang.free_events(statement)]
    called = (r"\text{events } ", "events ")[style]
    return [f"{', '.join(names)} {domain}" for domain, names in groups.items()] + (
        [word + ", ".join(functions)] if functions else []
    ) + ([called + ", ".join(events)] if events else [])


def _told_apart(pairs: Iterable[Any]) -> dict[Any, tuple[str, ...]]:
    """Names for products that bear the names of another pair: those of their factors, P1*P2."""
    known = list(pairs)
    times = Counter(p.names for p in known)

    def named(p: Any, k: int) -> str:
        if not p.factors or p.role is not None or times[p.names] == 1:
            return str(p.names[k])
        parts = [(f, named(f, k)) for f in p.factors]
        return "*".join(f"({name})" if f.factors and "*" in name else name for f, name in parts)

    return {p: (named(p, 0), named(p, 1)) for p in known
            if p.factors and times[p.names] > 1 and p.role is None}


def _named(names: Iterable[str], *, latex: bool) -> str:
    """``(P, Q)``; in LaTeX a subscript of several letters in braces."""
    name = f"({', '.join(names)})"
    return re.sub(r"_(\w{2,})", r"_{\1}", name) if latex else name


def _pair(pair: Any, *, latex: bool) -> str:
    """What is said of a pair: arbitrary, a product, a composition, or a mechanism's own."""
    if pair.mechanism is not None:
        what = "the pair"
    elif pair.role is not None:
        what = pair.role.described
    elif pair.factors:
        what = "products"
    else:
        what = "pairs" if len(pair.names) == 2 else "distributions"
    names = _NAMES.get()
    rest = "".join(_part(p, latex=latex) for p in made_of(pair, names))
    name = _named(names.get(pair, pair.names), latex=latex)
    return (rf"\text{{{what} }} {name}" if latex else f"{what} {name}") + rest


def _part(part: Any, *, latex: bool) -> str:
    """One part of what a pair is made of: names, words, or a formula."""
    if isinstance(part, tuple):
        return _named(part, latex=latex)
    if isinstance(part, str):
        words = part.replace("_", r"\_")
        return rf"\text{{{words}}}" if latex else part
    return str((_Latex() if latex else StatementText()).doprint(part))
