"""A badge: one line that says how judged statements stand to their record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lapdp.report.text import is_bad, is_open

SUBJECT = "lapdp"
GOOD, OPEN, BAD = "#2a6f3c", "#7a5a00", "#a11d1d"
"""Grounds on which white letters have a contrast of 4.5 or more."""
LETTER = 6.7
"""Width that is reserved for a letter; the drawing stretches the text to what is reserved."""


def says(results: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """The words of a badge, and the colour behind them.

    They follow the exit code of ``lapdp verify``: a statement that is refuted and recorded so is as
    it should be.

    >>> says([{"verdict": "refuted", "expected": "refuted"}, {"verdict": "proved"}])
    ('2 statements as recorded', '#2a6f3c')
    >>> says([{"verdict": "refuted", "expected": None}, {"verdict": "undecided"}])[0]
    '1 of 2 not as recorded'
    >>> says([{"verdict": "proved"}, {"verdict": "undecided"}])[0], says([])[0]
    ('1 of 2 undecided', 'no statements')
    """
    total = len(results)
    if bad := sum(map(is_bad, results)):
        return f"{bad} of {total} not as recorded", BAD
    if undecided := sum(map(is_open, results)):
        return f"{undecided} of {total} undecided", OPEN
    if not total:
        return "no statements", OPEN
    return f"{total} statement{'s' if total > 1 else ''} as recorded", GOOD


def badge(results: Sequence[Mapping[str, Any]]) -> str:
    """A badge as SVG, which needs no fonts and fetches nothing.

    >>> badge([{"verdict": "proved"}]).count("1 statement as recorded")  # label, title, letters
    3
    """
    words, colour = says(results)
    left, right = (LETTER * len(text) + 12 for text in (SUBJECT, words))
    width = left + right

    def text(start: float, reserved: float, said: str) -> str:
        return (f'<text x="{start + 6:g}" y="14" textLength="{reserved - 12:g}" '
                f'lengthAdjust="spacingAndGlyphs">{said}</text>')

    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="20" role="img" \
aria-label="{SUBJECT}: {words}"><title>{SUBJECT}: {words}</title>
<clipPath id="r"><rect width="{width:g}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{left:g}" height="20" fill="#444"/>\
<rect x="{left:g}" width="{right:g}" height="20" fill="{colour}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\
{text(0, left, SUBJECT)}{text(left, right, words)}</g></svg>
"""


__all__ = ["badge", "says"]
