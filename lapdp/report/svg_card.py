"""A card as a drawing: a statement and its verdict as SVG, for slides, papers and READMEs.

Text in the fonts of the reader, no scripts, nothing fetched; colours follow a dark theme.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

WIDTH, MARGIN, LINE = 760, 16, 20
"""Of the drawing, around it, and from line to line, in pixels."""
LETTER = 7.9
"""Width of a letter of 13 pixels in fonts of one width."""
MOST = int((WIDTH - 2 * MARGIN) / LETTER)
MOST_LINES = 12
"""Of one entry; what is longer ends in dots."""
COLOURS = {"proved": "good", "derived": "good", "certified": "good", "tested": "fair",
           "admitted": "fair", "undecided": "warn", "ill-formed": "odd", "refuted": "bad"}
_STYLE = """
svg { --text: #1b1f24; --back: #fff; --line: #c9cfd8; --faint: #57606a; --good: #14713a;
  --fair: #0b6a72; --warn: #8a5a00; --bad: #b3202c; --odd: #7a3fb0 }
@media (prefers-color-scheme: dark) { svg { --text: #e4e7eb; --back: #14171b; --line: #3f4752;
  --faint: #a3adb8; --good: #5fd07a; --fair: #5cc8d0; --warn: #e0ad45; --bad: #ff8b83;
  --odd: #cfa6f5 } }
text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--text) }
.head { font: 600 16px system-ui, "DejaVu Sans", sans-serif }
.note { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--faint) }
.frame { fill: var(--back); stroke: var(--line) }
"""

Result = Mapping[str, Any]


def svg(result: Result, repaired: Result | None = None) -> str:
    """The drawing of a judged statement, plain data as in the JSON report.

    >>> one = {"id": "mine/eq-1", "verdict": "refuted", "claim": "x < 1", "hypotheses": [],
    ...        "witness": {"text": "x = 1", "values": {"x": "1"}, "lhs": "1", "rhs": "1"},
    ...        "holds_under": "", "reason": "", "symbolic": {"method": ""}}
    >>> drawn = svg(one)
    >>> drawn.count("x &lt; 1"), drawn.count("refuted"), drawn.endswith("</svg>\\n")
    (1, 2, True)
    """
    colour = COLOURS[result["verdict"]]
    drawn = [f'<text class="head" x="{MARGIN}" y="30">{escape(result["id"])} '
             f'<tspan style="fill: var(--{colour})">{result["verdict"]}</tspan></text>']
    y = 34
    for name, said in _entries(result, repaired):
        y += LINE + 4
        drawn.append(f'<text class="note" x="{MARGIN}" y="{y}">{escape(name)}</text>')
        for line in _lines(said):
            y += LINE
            drawn.append(f'<text xml:space="preserve" x="{MARGIN}" y="{y}">{escape(line)}</text>')
    height = y + MARGIN
    label = escape(f"{result['id']}: {result['verdict']}", quote=True)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">'
            f"<style>{_STYLE}</style>"
            f'<rect class="frame" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>'
            f'<rect x="0" y="6" width="5" height="{height - 12}" style="fill: var(--{colour})"/>'
            + "\n".join(drawn) + "</svg>\n")


def _entries(result: Result, repaired: Result | None) -> Iterator[tuple[str, str]]:
    yield "as checked", result["claim"]
    if result["hypotheses"]:
        yield "where", "; ".join(result["hypotheses"])
    witness = result["witness"]
    if witness:
        values = "\n".join(f"{name} = {value}" for name, value in witness["values"].items()
                           if f"{name} = {value}" not in witness["text"])
        yield "counterexample", "\n".join(filter(None, (witness["text"], values)))
        if witness["lhs"]:
            yield "left side; right side", f"{witness['lhs']}; {witness['rhs']}"
    elif result["reason"] and result["verdict"] not in ("proved", "derived"):
        yield "because", result["reason"]
    if result["symbolic"]["method"] and not witness:
        yield "by", result["symbolic"]["method"]
    if result["holds_under"]:
        yield "holds under", result["holds_under"]
    if repaired is not None:
        yield f"repaired: {repaired['verdict']}", repaired["claim"]
        if repaired["hypotheses"]:
            yield "where", "; ".join(repaired["hypotheses"])


def _lines(said: str) -> list[str]:
    found = [part for line in said.splitlines() for part in textwrap.wrap(
        line, MOST, subsequent_indent="  ", break_long_words=True, replace_whitespace=False)
        or [""]]
    return found if len(found) <= MOST_LINES else [*found[:MOST_LINES - 1], "..."]


__all__ = ["svg"]
