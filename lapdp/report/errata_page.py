"""The sheet of errata as one HTML page that fetches nothing."""

from __future__ import annotations

from lapdp.report.errata import WEIGHTS, Sheet
from lapdp.report.html.environment import asset, environment, safe


def html(sheet: Sheet) -> str:
    """The page, for a browser or a printer."""
    return environment().get_template("sheet.html").render(
        sheet=sheet, weights=WEIGHTS, style=safe(asset("base.css"))) + "\n"


__all__ = ["html"]
