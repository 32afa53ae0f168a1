"""Cards of pairs, notions, regions, numbers and tables: what they are, in formulas and drawings.

Whatever is not reached in closed form is left out; a card is no place for an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.ordering import NeedSplit
from lapdp.calculus.region import Region
from lapdp.core.errors import LapdpError
from lapdp.report.html.cards import framed
from lapdp.report.html.environment import environment, math, safe
from lapdp.report.html.strip import marked_points, named, strip

if TYPE_CHECKING:
    from lapdp.accounting.answers import Answer
    from lapdp.accounting.doubles.batch import Batch
    from lapdp.privacy.duality.unit_interval import DominatingPair
    from lapdp.privacy.mechanism_table import MechanismTable
    from lapdp.privacy.notions.loss_class import LossClass
    from lapdp.privacy.notions.notion import Notion
    from lapdp.privacy.pair import Pair

ROWS = 12
"""Outcomes, datasets or outputs that a table shows."""
FEW = 6
"""Outcomes up to which a finite pair has its formulas beside its table."""
LONG = 1200
"""Characters of a LaTeX formula that a card shows."""

Row = tuple[str, Any]
Table = tuple[Sequence[str], Sequence[Sequence[Any]], int]
"""Heads, rows, and how many rows are left out."""


def pair_card(pair: Pair) -> str:
    """A pair: where it is from, masses, formulas of profile and loss, the strip of its moment."""
    from lapdp.privacy.finite import FinitePair
    from lapdp.privacy.mechanisms.outcomes import NamedOutcomes

    known = _maker(pair)
    rows: list[Row] = []
    table: Table | None = None
    figure = ""
    if isinstance(pair, FinitePair):
        table = _outcomes(pair)
    if isinstance(pair, NamedOutcomes):
        table = _named(pair)
    elif known is not None and table is None:
        rows += [("P and Q", known.says), ("source", known.source)]
    if known is None and not (isinstance(pair, FinitePair) and len(pair.masses) <= FEW):
        rows += [("ask for", "profile, loss, moment, renyi, tradeoff, characteristic, "
                             "delta(eps, digits), epsilon(delta, digits)")]
    else:
        rows += _found(
            ("masses at infinity", lambda: _masses(pair)),
            ("profile", lambda: formula(pair.profile)),
            ("loss", lambda: formula(pair.loss)),
            ("moment", lambda: formula(pair.moment)),
            ("E_q converges", lambda: _converges(pair)),
        )
        figure = _reached(lambda: moment_strip(pair)) or ""
    return _card(repr(pair), "pair of distributions", rows, table, figure)


def notion_card(notion: Notion) -> str:
    """One notion of a pair: its closed form, where it holds, its strip if it is a moment."""
    letter = notion.pair.variable(notion.letter)
    rows = _found(("closed form", lambda: formula(notion)),
                  ("holds for", lambda: _domain(notion, letter)))
    figure = ""
    if _maker(notion.pair) is not None:
        rows += _found(("masses at infinity", lambda: _masses(notion.pair)))
    if _maker(notion.pair) is not None and notion.name in ("moment", "renyi"):
        rows += _found(("E_q converges", lambda: _converges(notion.pair)))
        figure = _reached(lambda: moment_strip(notion.pair)) or ""
    return _card(repr(notion), notion.title, rows, None, figure)


def region_card(region: Region) -> str:
    """A strip in the complex plane."""
    return _card(str(region), "region of convergence", [], None, strip(region))


def answer_card(answer: Answer) -> str:
    """A certified number and what its radius rests on."""
    number = math(answer._repr_latex_().strip("$"), block=True)
    rows: list[Row] = [("value", number), ("method", answer.method)]
    if answer.assumes:
        rows.append(("assumes", answer.assumes))
    if answer.doubt:
        rows.append(("not certified", answer.doubt))
    return _card(str(answer), "certified number" if answer.certified else "number", rows)


def batch_card(batch: Batch) -> str:
    """Many certified numbers: the first of them, and what all radii rest on."""
    flat = list(zip(batch.values.ravel(), batch.radii.ravel(), batch.methods.ravel(),
                    strict=True))
    rows: list[Row] = [("method", batch.method)] + (
        [("assumes", batch.assumes)] if batch.assumes else [])
    table = (["", "value", "radius", "method"],
             [[str(k), f"{value:.10g}", f"{radius:.3g}", str(method)]
              for k, (value, radius, method) in enumerate(flat[:ROWS])], max(0, len(flat) - ROWS))
    proved = bool(batch.certified.all())
    return _card(repr(batch), "certified numbers" if proved else "numbers, not all certified",
                 rows, table)


def class_card(found: LossClass) -> str:
    """Mean, variance and mass at infinity of a loss."""
    rows = _found(("mean", lambda: math(sp.latex(found.mean), block=True)),
                  ("variance", lambda: math(sp.latex(found.variance), block=True)),
                  ("mass at infinity", lambda: math(sp.latex(found.mass_at_infinity))))
    return _card(f"loss class of {found.pair!r}", "privacy loss class", rows)


def dominating_card(found: DominatingPair) -> str:
    """The law on [0, 1] that stands against the uniform one."""
    rows = _found(
        ("profile of", lambda: repr(found.given)),
        ("P([0, u))", lambda: math(sp.latex(found.cdf()), block=True)),
        ("density of P", lambda: math(sp.latex(found.density()), block=True)),
        ("P({1})", lambda: math(sp.latex(sp.sympify(found.mass_at_one)))))
    return _card(repr(found), "dominating pair on [0, 1]", rows)


def table_card(mechanism: MechanismTable) -> str:
    """A mechanism as a table: a row for each dataset, a column for each output."""
    heads = ["dataset", *map(_plain, mechanism.outputs[:ROWS])]
    rows = [[repr(d), *map(str, masses[:ROWS])]
            for d, masses in zip(mechanism.datasets, mechanism.rows, strict=True)]
    said = mechanism.relation if isinstance(mechanism.relation, str) else "a list of pairs"
    more = len(mechanism.outputs) - ROWS
    found: list[Row] = [("neighbours", f"{said}, {len(mechanism.neighbours)} ordered pairs")]
    if more > 0:
        found.append(("outputs", f"{len(mechanism.outputs)}, {more} of them not shown"))
    return _card("mechanism table", f"{len(mechanism.datasets)} datasets", found,
                 (heads, rows[:ROWS], len(rows) - ROWS))


def _maker(pair: Pair) -> Any:
    """What the catalogue says of the pair; None of products and other composites, where answers
    beside the one asked for may take long."""
    from lapdp.privacy.mechanisms import CARDS

    return CARDS.get(type(pair).__module__.rpartition(".")[2])


# -- parts -------------------------------------------------------------------------------------

def moment_strip(pair: Pair) -> str:
    """The strip where E_q converges, with poles and zeros of E_q where it is rational.

    Empty where it is the whole plane.
    """
    letter = sp.Symbol("q")
    region = pair.moment_region()
    if region == Region.everything():
        return ""
    try:
        poles, zeros = marked_points(pair.moment_value(letter), letter)
    except (LapdpError, NeedSplit):
        poles, zeros = [], []
    return strip(region, letter="q", poles=poles, zeros=zeros)


def _converges(pair: Pair) -> str:
    return "for " + named(pair.moment_region(), "q")


def formula(notion: Notion) -> Any:
    """The closed form as MathML, or how long it is."""
    written = notion._repr_latex_()
    if written is None:
        return None
    inside = written.strip("$").removeprefix(r"\displaystyle").strip()
    if len(inside) > LONG:
        return f"{len(inside)} characters of LaTeX: print it with .text()"
    return math(inside, block=True)


def _domain(notion: Notion, letter: Any) -> Any:
    condition = notion.domain(letter)
    return None if condition == sp.true else math(sp.latex(condition))


def _masses(pair: Pair) -> Any:
    there, back = pair.mass_at_infinity, pair.reverse().mass_at_infinity
    return math(rf"\Pr[Z=\infty]={sp.latex(sp.sympify(there))},\quad "
                rf"Q(p=0)={sp.latex(sp.sympify(back))}")


def _outcomes(pair: Any) -> Table:
    rows = []
    for number, (p, q) in enumerate(pair.masses[:ROWS]):
        loss = _loss(p, q)
        rows.append([str(number), str(p), str(q), math(loss) if loss else "none"])
    return ("outcome", "P", "Q", "loss"), rows, len(pair.masses) - ROWS


def _named(pair: Any) -> Table:
    rows = [[str(name), *(math(sp.latex(mass)) for mass in masses)]
            for name, *masses in pair.table[:ROWS]]
    return ("outcome", "P", "Q"), rows, len(pair.table) - ROWS


def _loss(p: Any, q: Any) -> str:
    """log(P/Q) in LaTeX; empty where both vanish."""
    if not p and not q:
        return ""
    if not p or not q:
        return r"\infty" if p else r"-\infty"
    ratio = p / q
    return str(sp.latex(sp.log(sp.Rational(ratio.numerator, ratio.denominator))))


def _found(*asked: tuple[str, Callable[[], Any]]) -> list[Row]:
    """What the questions give; those without an answer are left out."""
    answers = ((name, _reached(ask)) for name, ask in asked)
    return [(name, said) for name, said in answers if said is not None]


def _reached(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except (LapdpError, NeedSplit):
        return None


def _plain(name: Any) -> str:
    return name if isinstance(name, str) else repr(name)


def _card(title: str, label: str, rows: Iterable[Row], table: Table | None = None,
          figure: str = "") -> str:
    return framed(thing(title=title, label=label, rows=list(rows), table=table,
                        figure=safe(figure)))


def thing(**parts: Any) -> str:
    """A block of one thing, without its frame."""
    given: Mapping[str, Any] = {"rows": [], "table": None, "figure": "", "verdict": "", **parts}
    return environment().get_template("thing.html").render(**given)


__all__ = ["answer_card", "batch_card", "class_card", "dominating_card", "formula", "moment_strip",
           "notion_card", "pair_card", "region_card", "table_card", "thing"]
