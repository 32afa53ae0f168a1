"""Closed forms as text, LaTeX, SymPy, and as source code for mpmath and NumPy.

One entry a format; :func:`write` is what the command line and the notions of a pair call.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import InputError, Unsupported

if TYPE_CHECKING:
    from lapdp.privacy.notions.notion import Notion
    from lapdp.privacy.notions.summed import Summed

_WRITERS = {
    "text": "plain:text",
    "latex": "plain:latex",
    "sympy": "plain:sympy",
    "mpmath": "mpmath_code:source",
    "numpy": "numpy_code:source",
}
ALIASES = {"python": "mpmath"}
"""Other words for a format."""
FORMATS = (*_WRITERS, *ALIASES)
CODE = tuple(name for name in FORMATS if ALIASES.get(name, name) in ("mpmath", "numpy"))
"""The formats that are source code."""


def write(notion: Notion, format: str, at: Any = None) -> str:
    """The closed form of a notion as a curve, or at one point, in one of :data:`FORMATS`.

    Raises :class:`InputError` for another format, :class:`Unsupported` where no closed form is
    reached or where the format has no words for it.  A profile of very many terms is written as a
    sum of rows.

    >>> from lapdp import laplace
    >>> print(write(laplace(1).profile, "latex", at=0))
    \\frac{e^{\\frac{1}{2}} - 1}{e^{\\frac{1}{2}}}
    """
    if format not in FORMATS:
        raise InputError(f"format = {str(format)[:40]!r} must be one of {', '.join(FORMATS)}")
    many = None if at is not None else _summed(notion)
    if many is not None:
        rows = import_module(f"{__name__}.rows").WRITERS[ALIASES.get(format, format)]
        try:
            return str(rows(notion, many))
        except ValueError:
            # Python's own limit, which protects from quadratic time
            raise Unsupported(f"the closed form of {notion!r} has numbers of too many digits to "
                              "be written: m.delta gives its values") from None
    module, name = _WRITERS[ALIASES.get(format, format)].split(":")
    writer: Callable[[Notion, Any], str] = getattr(import_module(f"{__name__}.{module}"), name)
    return writer(notion, at)


def _summed(notion: Notion) -> Summed | None:
    from lapdp.privacy.notions.summed import summed

    return summed(notion)


__all__ = ["CODE", "FORMATS", "write"]
