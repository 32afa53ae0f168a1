"""Are the quotations of a paper's statements in its text?  The text is no part of the project.

    python -m tests.library.quotations PAPER=FILE [PAPER=FILE ...]

FILE is the text of the paper, formulas in TeX.  Each ``printed`` is looked for in it, layout and
typesetting aside: spaces, braces, sizes of brackets, upright or italic letters, names of one sign.
What a quotation leaves out it marks by ``[...]``: the pieces must follow one another.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from lapdp.theory.fidelity import fidelity_of
from lapdp.theory.statement import Statement
from tests.shelf import of_paper

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|.", re.S)
GAP = re.compile(r"\\text\{\s*\[\.\.\.\]\s*\}|\[\s*(?:\.\.\.|\\ldots|…)\s*\]")
FAR = 6000
"""Characters, layout aside, between two pieces of one quotation."""

LAID_OUT = r"""
    \left \right \middle \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl
    \Biggr \displaystyle \textstyle \limits \nolimits \displaylimits \quad \qquad \, \; \! \: \/ \-
    \text \textit \textbf \textrm \textsf \textup \emph \mbox \mathit \mathrm \mathbf \mathsf \bm
    \boldsymbol \operatorname \rm \bf \notag \nonumber \allowbreak \lbrace \rbrace ~ & \\ * $ { } _
    ` ¹"""
LAYOUT = frozenset(LAID_OUT.split()) | {r"\ ", r"\{", r"\}"}
WORDS = "Pr lim log max min sup inf exp ln"
LETTERS = "alpha beta gamma delta zeta eta kappa lambda nu xi pi rho sigma tau chi psi omega varpi"
ONE_SIGN = {
    "≤": r"\leq \le \leqslant", "≥": r"\geq \ge \geqslant", "≠": r"\neq \ne", "…":
    r"\ldots \dots \cdots \dotsc", "|": r"\mid \vert \lvert \rvert", "||":
    r"\| \Vert \lVert \rVert \parallel", r"\frac": r"\tfrac \dfrac", "→": r"\to \rightarrow",
    "←": r"\gets \leftarrow", "'": "\\prime \u2019 \u2018", '"': "“ ”",
    "[": r"\lbrack", "]": r"\rbrack",
    "-": "\u2013 \u2014", r"\Rightarrow": r"\implies \Longrightarrow", r"\wedge": r"\land",
    r"\vee": r"\lor", "∅": r"\emptyset \varnothing", r"\setminus": r"\backslash", "&": r"\&",
    "%": r"\%", ":": r"\colon", "⌊": r"\lfloor", "⌋": r"\rfloor", r"\varepsilon": r"\epsilon ε ϵ",
    r"\theta": r"\vartheta θ", r"\mu": "μ µ", r"\phi": "φ ϕ", r"\infty": "∞", r"\sum": "Σ",
    "e": "é", **{name: "\\" + name for name in WORDS.split()},
    **{"\\" + name: letter for name, letter in zip(
        LETTERS.split(), "αβγδζηκλνξπρστχψωϖ", strict=True)}, r"\Delta": "Δ",
}
"""One sign under several names, and letters beside their names."""
SIGN = {name: sign for sign, names in ONE_SIGN.items() for name in names.split()}
ENVIRONMENT = re.compile(
    r"\\(begin|end)\{(aligned|align\*?|split|equation\*?|gathered|gather|array)\}(\{[lcr]+\})?")


def normal(text: str) -> str:
    r"""The signs of a text or formula, without its layout.

    >>> normal(r"\left( x \le 1 \right)") == normal(r"(x\leq 1)")
    True
    """
    text = "\n".join(
        line.replace(" | ", " ") if line.startswith("|")  # the cells of a table
        else re.sub(r"\\quad ?\(\d+\)(?=\$\$|\s*$)", "", line) for line in text.split("\n"))
    for name, sign in ((r"\'e", "e"), ("``", '"'), ("''", '"'), (r"\left.", ""), (r"\right.", "")):
        text = text.replace(name, sign)
    text = re.sub(r"\\(tag|label)\*?\{[^}]*\}", "", text)
    text = ENVIRONMENT.sub("", re.sub(r"\\(under|over)set\{\}\{", "{", text))
    signs = (SIGN.get(t, t) for t in TOKEN.findall(text) if t not in LAYOUT and not t.isspace())
    return "".join(signs).replace("^'", "'")


def stands_in(quotation: str, source: str) -> bool:
    """Do the pieces of a quotation follow one another in a normalised text?"""
    pieces = [p for p in (normal(one).strip(".,;:") for one in GAP.split(quotation)) if p]
    start = source.find(pieces[0]) if pieces else 0
    while start >= 0:
        place = start
        for piece in pieces:
            at = source.find(piece, place)
            if at < 0 or at - place > FAR:
                break
            place = at + len(piece)
        else:
            return True
        start = source.find(pieces[0], start + 1)
    return False


def missing(statements: Iterable[Statement], text: str) -> Iterator[Statement]:
    """The statements whose quotation is not in the text."""
    source = normal(text)
    for s in statements:
        if s.printed and fidelity_of(s) != "own" and not stands_in(s.printed, source):
            yield s


def main() -> None:
    """Print the quotations that the texts do not have."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", nargs="+", metavar="PAPER=FILE")
    for one in parser.parse_args().text:
        paper, _, file = one.partition("=")
        found = list(missing(of_paper(paper), Path(file).read_text(encoding="utf-8")))
        for s in found:
            print(f"{s.id}\n   {s.printed}")
        print(f"{paper}: {len(found)} quotations are not in the text")


if __name__ == "__main__":
    main()
