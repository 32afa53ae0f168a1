"""fourier-accountant: loss distributions of subsampled Gaussian mechanisms by FFT."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lapdp.accounting.audit.adapter import Package, Script
from lapdp.accounting.audit.claims import Claim
from lapdp.accounting.audit.queries import Query

_SOURCE = ("fourier_accountant/common.py: the loss of the mixture against N(0); "
           "the docstrings speak of numerical approximations that depend on nx and L")


def _called(query: Query, points: float, end: float) -> Sequence[str] | None:
    if any(r.mechanism != "gaussian" or r.rate is None for r in query.releases):
        return None
    sigma, rate, copies = (
        [r.parameters[0] for r in query.releases], [r.rate for r in query.releases],
        [r.copies for r in query.releases])
    return [f"answer = fourier_accountant.get_{query.wants}_R({query.at!r}, "
            f"sigma=np.array({sigma}), q=np.array({rate}), ncomp=np.array({copies}), "
            f"nx={points:.0f}, L={end!r})"]


def _method(name: str, points: float, end: float, secondary: bool = False) -> Script:
    return Script(name, Claim("estimate", "remove", _SOURCE),
                  "import numpy as np\nimport fourier_accountant",
                  partial(_called, points=points, end=end), {"nx": points, "L": end}, secondary)


ADAPTER = Package("fourier", "fourier-accountant", (
    _method("default", 1e6, 20.0),
    _method("coarse", 1e5, 20.0, secondary=True),
))
