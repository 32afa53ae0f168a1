"""The sheet of errata as a LaTeX document of its own."""

from __future__ import annotations

from lapdp.report.errata import WEIGHTS, Entry, Sheet

_SPECIAL = {"\\": r"\textbackslash{}", "_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#",
            "$": r"\$", "{": r"\{", "}": r"\}", "^": r"\textasciicircum{}",
            "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
            "≪": r"$\ll$", "…": r"\dots{}"}


def escaped(text: str) -> str:
    r"""Plain text for LaTeX.

    >>> escaped("a_1 < 50%")
    'a\\_1 \\textless{} 50\\%'
    """
    return "".join(_SPECIAL.get(c, c) for c in text)


def mixed(text: str) -> str:
    r"""Words with formulas between dollars for LaTeX: the words escaped, the formulas as they are.

    >>> mixed("50% of $x_1$")
    '50\\% of $x_1$'
    """
    parts = text.split("$")
    return "".join(escaped(part) if number % 2 == 0 else f"${part}$"
                   for number, part in enumerate(parts))


def latex(sheet: Sheet) -> str:
    """The sheet as a document of two or three pages."""
    title, authors, version = sheet.heading
    body: list[str] = []
    if sheet.stands:
        body += [_heading("What stands"), *_items(sheet.stands)]
    body.append(_heading("Findings"))
    body += [line for n, entry in enumerate(sheet.findings, 1) for line in _entry(n, entry)]
    if not sheet.findings:
        body.append("None.")
    if sheet.readings:
        body += [_heading("Misprints"), r"{\footnotesize\renewcommand{\arraystretch}{0.9}",
                 r"\begin{longtable}{@{}p{0.3\linewidth}p{0.66\linewidth}@{}}",
                 *(rf"{mixed(place)} & {mixed(read)} \\" for place, read in sheet.readings),
                 r"\end{longtable}}"]
    if sheet.conventions:
        body += [_heading("Conventions (not counted)"),
                 *_items([f"{says}: {names}." for says, names in sheet.conventions])]
    return "\n".join((
        r"\documentclass[10pt]{article}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{amsmath,amssymb,longtable}",
        r"\usepackage[a4paper,margin=15mm,footskip=8mm]{geometry}",
        r"\setlength{\parindent}{0pt}\setlength{\parskip}{2pt}\setlength{\LTpre}{0pt}",
        r"\sloppy",
        r"\begin{document}",
        rf"{{\Large\bfseries Errata: {mixed(title)}\par}}",
        rf"{escaped(authors)}\par" if authors else "",
        rf"{{\small {escaped(version)}\par}}",
        *body,
        r"\end{document}",
        "",
    ))


def _heading(words: str) -> str:
    """A small heading: those of LaTeX would cost the longest sheet its third page."""
    return rf"\par\medskip{{\large\bfseries {words}\par}}"


def _items(sentences: list[str]) -> list[str]:
    return [r"\begin{itemize}\setlength{\itemsep}{0pt}\setlength{\parskip}{0pt}",
            *(rf"\item {mixed(said)}" for said in sentences), r"\end{itemize}"]


def _entry(number: int, entry: Entry) -> list[str]:
    lines = [rf"\textbf{{{number}. {mixed(entry.title)}.}} "
             rf"\textit{{{escaped(WEIGHTS[entry.finding.severity])}}} ({escaped(entry.place)}). "
             rf"Printed: ``{mixed(entry.printed)}'' {mixed(entry.why)}"]
    # a long product may break after each factor
    shown = r"; ".join(escaped(line).replace("*", r"*\allowbreak{}") for line in entry.evidence)
    lines.append(rf"\\ {{\footnotesize\ttfamily {shown}}}")
    if entry.instead:
        lines.append(rf"\\ {escaped(entry.offer)}: {mixed(entry.instead)}")
    if entry.also:
        lines.append(rf"\\ Also: {escaped(entry.also)}.")
    return [*lines, rf"\hfill\texttt{{\footnotesize {escaped(entry.command)}}}", ""]


__all__ = ["escaped", "latex", "mixed"]
