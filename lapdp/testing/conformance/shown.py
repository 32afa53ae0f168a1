"""Numbers for people to read: exact where that is short, else decimals with an error."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

LONG = 40
"""Characters of an exact number that is printed as it is."""
_LONG_IN_LATEX = 24
_DIGITS = 12


def plainly(value: Any, most: int = LONG) -> str | None:
    """The text of a number or of what a function returned; None for a longer one, or for none.

    >>> plainly(10**50), plainly(10**9)
    (None, '1000000000')
    """
    try:
        text = str(value)
    except Exception:  # thousands of digits, or an object of a user that cannot be printed
        return None
    return text if len(text) <= most else None


def described(value: Any) -> str:
    """What a function returned, in few words, whatever it is.

    >>> described(None), described([0.5]), described(10**5000)
    ('None', '[0.5] (list)', 'an object of type int')
    """
    kind = type(value).__name__
    try:
        text = " ".join(repr(value).split())[:80]
    except Exception:
        return f"an object of type {kind}"
    return text if value is None or isinstance(value, (bool, float)) else f"{text} ({kind})"


def decimals(ball: Any) -> str:
    """The middle of a ball, to the digits that it proves, twelve at most."""
    return str(ball.str(_DIGITS, radius=False))


def enclosed(low: Any, high: Any) -> str:
    """All numbers between two balls, as decimals with an error.

    >>> from flint import arb
    >>> enclosed(arb("0.3333333333333"), arb("0.3333333333334"))
    '0.333333333333 +/- 4.01e-13'
    """
    text = str(low.union(high).str(_DIGITS)).strip("[]")
    return f"0 {text}" if text.startswith("+/-") else text


def latex_of(text: str) -> str:
    """Decimals as LaTeX.

    >>> print(latex_of("1.5e-07 +/- 1e-10"))
    1.5 \\cdot 10^{-7} \\pm 1 \\cdot 10^{-10}
    """
    powers = re.sub(r"e([+-]?\d+)", lambda power: rf" \cdot 10^{{{int(power[1])}}}", text)
    return powers.replace("+/-", r"\pm")


def exact_latex(value: Any) -> str | None:
    """An exact number in LaTeX; None for a long one.

    >>> from fractions import Fraction
    >>> exact_latex(Fraction(1, 3)), exact_latex(Fraction(1, 10**30))
    ('\\\\frac{1}{3}', None)
    """
    if plainly(value, _LONG_IN_LATEX) is None:
        return None
    return str(sp.latex(sp.sympify(value)))


__all__ = ["LONG", "decimals", "described", "enclosed", "exact_latex", "latex_of", "plainly"]
