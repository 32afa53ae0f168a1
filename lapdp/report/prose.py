r"""Printed lines that mix words and formulas, set as prose.

A line is kept as one formula, its words in ``\text{...}``; on a sheet the words wrap, and the
formulas stand between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_ACCENTS = {r"\'e": "é", r"\'{e}": "é", r"\`e": "è", r'\"o': "ö", r'\"u': "ü", r'\"a': "ä"}
_OPEN = r"\text{"


def segments(latex: str) -> Iterator[tuple[str, str]]:
    r"""The parts of a printed line, each ``("words", ...)`` or ``("formula", ...)``.

    >>> list(segments(r"\text{for all }q>1\text{: }x_{\text{max}}"))
    [('words', 'for all '), ('formula', 'q>1'), ('words', ': '), ('formula', 'x_{\\text{max}}')]
    """
    depth, start, at = 0, 0, 0
    while at < len(latex):
        if latex.startswith(_OPEN, at) and depth == 0:
            if latex[start:at].strip():
                yield "formula", latex[start:at]
            end = _closing(latex, at + len(_OPEN))
            yield "words", latex[at + len(_OPEN):end]
            at = start = end + 1
            continue
        if latex[at] == "\\":
            at += 2
            continue
        depth += {"{": 1, "}": -1}.get(latex[at], 0)
        at += 1
    if latex[start:].strip():
        yield "formula", latex[start:]


def _closing(latex: str, at: int) -> int:
    depth = 1
    while at < len(latex):
        if latex[at] == "\\":
            at += 2
            continue
        depth += {"{": 1, "}": -1}.get(latex[at], 0)
        if depth == 0:
            return at
        at += 1
    return len(latex)


def as_prose(latex: str) -> str:
    r"""A printed line as words with formulas between dollars.

    >>> as_prose(r"\text{R\'enyi divergence for }q>1")
    'Rényi divergence for $q>1$'
    """
    parts = []
    for kind, text in segments(latex):
        if kind == "formula":
            spaced = re.sub(r"(\\quad|\\ |\\,)+$", "", text.strip()).strip()
            parts.append(f"${spaced}$" + ("" if text.rstrip() == text else " "))
        else:
            parts.append(plain(text))
    return re.sub(r"  +", " ", "".join(parts)).strip()


def plain(text: str) -> str:
    """Words without the marks of LaTeX for accents."""
    for mark, letter in _ACCENTS.items():
        text = text.replace(mark, letter)
    return text


def equations(numbers: Iterable[int]) -> str:
    """Numbers of equations as one writes them.

    >>> equations([79, 24, 25, 77, 78, 24])
    '(24), (25), (77)-(79)'
    """
    runs: list[list[int]] = []
    for n in sorted(set(numbers)):
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    parts = [[f"({run[0]})-({run[-1]})"] if len(run) > 2 else [f"({n})" for n in run]
             for run in runs]
    return ", ".join(part for some in parts for part in some)


def number_of(label: str) -> list[int]:
    """The number of the equation that a label names; steps about an equation are not it.

    >>> number_of("eq-80.2"), number_of("theorem-3.6.step-1")
    ([80], [])
    """
    found = re.match(r"eq-(\d+)(?![\d-])", label)
    return [int(found[1])] if found else []


def listed(parts: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["(24)", "Figure 1", "Remark 4.3"])
    '(24), Figure 1 and Remark 4.3'
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


__all__ = ["as_prose", "equations", "listed", "number_of", "plain", "segments"]
