"""Formulas in pieces: a narrow page sets one below the other."""

from __future__ import annotations

import re

from lapdp.report.html.mathml import LINE, wrapped


def pieces(latex):
    found = re.findall(r"<math.*?</math>", wrapped(latex))
    return [re.sub(r"<[^>]*>", "", p).replace("\xa0", " ") for p in found]


def test_prose_in_a_formula_goes_on_in_a_new_line():
    said = "A Gauss mechanism with half the variance as the Laplace mechanism"
    found = pieces(rf"\text{{{said}}}~x = y")
    assert len(found) >= 4 and all(len(piece) <= LINE + 12 for piece in found)
    assert " ".join("".join(found).split()).startswith(said)


def test_short_prose_stays_together():
    assert pieces(r"x = y \text{ for all } x")[-1].split() == ["for", "all", "x"]
