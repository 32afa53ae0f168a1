"""The sheet of errata of a paper: what is printed, why it fails, what holds instead.

Every line can be reproduced with one command, and is made from the judged statements alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lapdp.report.text import witness_lines

Result = Mapping[str, Any]
FALSE = ("refuted", "ill-formed")


@dataclass(frozen=True)
class Erratum:
    """One false or meaningless statement of a paper, with its judged repair."""

    result: Result
    repaired: Result | None

    @property
    def command(self) -> str:
        """What prints the evidence again."""
        return f"lapdp show {self.result['id']}"

    @property
    def evidence(self) -> list[str]:
        """The witness line by line, or why the statement has no meaning."""
        return witness_lines(self.result.get("witness")) or [self.result["reason"]]


def errata(results: Sequence[Result]) -> list[Erratum]:
    """The errata among judged statements, in their order; repairs are no items of their own.

    >>> wrong = {"id": "p/eq-1", "verdict": "refuted", "repairs": None, "repaired_by": "p/eq-1.r"}
    >>> right = {"id": "p/eq-1.r", "verdict": "proved", "repairs": "p/eq-1", "repaired_by": None}
    >>> [(e.result["id"], e.repaired["id"]) for e in errata([wrong, right])]
    [('p/eq-1', 'p/eq-1.r')]
    """
    by_id = {r["id"]: r for r in results}
    return [Erratum(r, by_id.get(r["repaired_by"] or "")) for r in results
            if r["verdict"] in FALSE and not r["repairs"]]


def markdown(paper: str, results: Sequence[Result], order: Callable[[Result], Any] | None = None
             ) -> str:
    """The sheet as Markdown with LaTeX formulas; ``order`` sorts the items as they are printed."""
    found = _sorted(results, order)
    lines = [f"# Errata of {paper}", "", _preface(len(found)), ""]
    for number, one in enumerate(found, 1):
        lines += _markdown_item(number, one)
    return "\n".join(lines)


def _sorted(results: Sequence[Result], order: Callable[[Result], Any] | None) -> list[Erratum]:
    found = errata(results)
    return found if order is None else sorted(found, key=lambda e: order(e.result))


def _preface(count: int) -> str:
    return (f"{count} printed statements fail as they stand. Each is encoded letter by letter; the "
            "witness is exact, and the correction, where there is one, was proved by the same "
            "engine. The command prints the evidence again.")


def _markdown_item(number: int, one: Erratum) -> Iterator[str]:
    result = one.result
    yield f"## {number}. {result['label']}" + (f" ({result['title']})" if result["title"] else "")
    yield ""
    yield f"**Printed** ({result['kind']})"
    yield ""
    yield f"$${result['printed'] or result['encoded']}$$"
    yield ""
    yield f"**{result['verdict'].capitalize()}**" + (f": {result['fault']}." if result["fault"]
                                                      else ".")
    yield ""
    yield from ("    " + line for line in one.evidence)
    yield ""
    if result.get("holds_under"):
        yield f"Holds under {result['holds_under']} ({result['scope']})."
        yield ""
    if one.repaired is not None:
        yield f"**Correction** ({one.repaired['label']}: {one.repaired['verdict']})"
        yield ""
        yield f"$${one.repaired['encoded']}$$"
        yield ""
    if result["note"]:
        yield result["note"]
        yield ""
    yield f"Reproduce: `{one.command}`"
    yield ""


_TEX_SPECIAL = {"\\": r"\textbackslash{}", "_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#",
                "$": r"\$", "{": r"\{", "}": r"\}", "^": r"\textasciicircum{}",
                "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}"}


def escaped(text: str) -> str:
    r"""Plain text for LaTeX.

    >>> escaped("a_1 < 50%")
    'a\\_1 \\textless{} 50\\%'
    """
    return "".join(_TEX_SPECIAL.get(c, c) for c in text)


def latex(paper: str, results: Sequence[Result], order: Callable[[Result], Any] | None = None
          ) -> str:
    """The sheet as a LaTeX document of its own."""
    found = _sorted(results, order)
    body = "\n".join(line for n, one in enumerate(found, 1) for line in _latex_item(n, one))
    return "\n".join((
        r"\documentclass[11pt]{article}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{amsmath,amssymb,geometry}",
        r"\allowdisplaybreaks",
        rf"\title{{Errata of {escaped(paper)}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
        escaped(_preface(len(found))),
        body,
        r"\end{document}",
        "",
    ))


def _latex_item(number: int, one: Erratum) -> Iterator[str]:
    result = one.result
    head = f"{number}. {result['label']}" + (f" ({result['title']})" if result["title"] else "")
    yield rf"\subsection*{{{escaped(head)}}}"
    yield rf"\textbf{{Printed}} ({escaped(result['kind'])})"
    yield rf"\begin{{gather*}}{result['printed'] or result['encoded']}\end{{gather*}}"
    fault = f": {result['fault']}" if result["fault"] else ""
    yield rf"\textbf{{{escaped(result['verdict'].capitalize() + fault)}.}}"
    yield r"\begin{flushleft}\ttfamily\small"
    yield "\\\\\n".join(escaped(line) for line in one.evidence)
    yield r"\end{flushleft}"
    if result.get("holds_under"):
        yield escaped(f"Holds under {result['holds_under']} ({result['scope']}).") + "\n"
    if one.repaired is not None:
        yield rf"\textbf{{Correction}} ({escaped(one.repaired['verdict'])})"
        yield rf"\begin{{gather*}}{one.repaired['encoded']}\end{{gather*}}"
    if result["note"]:
        yield escaped(result["note"]) + "\n"
    yield rf"Reproduce: \texttt{{{escaped(one.command)}}}"
