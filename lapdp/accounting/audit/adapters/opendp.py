"""OpenDP: maps of privacy measures, with conservative rounding."""

from __future__ import annotations

from collections.abc import Sequence

from lapdp.accounting.audit.adapter import Package, Script
from lapdp.accounting.audit.claims import Claim
from lapdp.accounting.audit.queries import Query, Release

_IMPORTS = "import opendp.prelude as dp\ndp.enable_features('contrib')"
_CONSERVATIVE = ("a measurement's map bounds the privacy loss over all neighbouring data, with "
                 "arithmetic that rounds up")


def _noise(release: Release) -> tuple[str, bool] | None:
    """The measurement, and whether its measure is pure."""
    if release.rate is not None:
        return None
    x = release.parameters[0]
    made = {"gaussian": ("gaussian", x, "reals"), "laplace": ("laplace", x, "reals"),
            "discrete_gaussian": ("gaussian", x, "integers"),
            "geometric": ("laplace", 1 / x, "integers")}.get(release.mechanism)
    if made is None:
        return None
    name, scale, space = made
    return f"dp.m.make_{name}(*{space}, scale={scale!r})", name == "laplace"


def _measurements(query: Query, zcdp: bool) -> list[str] | None:
    found = [_noise(release) for release in query.releases]
    parts, kinds = [], {release.mechanism in ("gaussian", "laplace") for release in query.releases}
    for noise, release in zip(found, query.releases, strict=True):
        if noise is None or len(kinds) > 1 or not (zcdp or noise[1]):
            return None
        made = f"dp.c.make_pureDP_to_zCDP({noise[0]})" if zcdp and noise[1] else noise[0]
        parts.append(f"[{made}] * {release.copies}")
    space = ("reals = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)"
             if True in kinds else
             "integers = dp.atom_domain(T=int), dp.absolute_distance(T=int)")
    return [space, f"composed = dp.c.make_composition({' + '.join(parts)})"]


def _one(query: Query) -> str:
    return "1.0" if query.releases[0].mechanism in ("gaussian", "laplace") else "1"


def _concentrated(query: Query) -> Sequence[str] | None:
    lines = _measurements(query, zcdp=True)
    return lines and [
        *lines, f"profile = dp.c.make_zCDP_to_approxDP(composed).map({_one(query)})",
        f"answer = profile.{query.wants}({query.at!r})"]


def _pure(query: Query) -> Sequence[str] | None:
    lines = _measurements(query, zcdp=False) if query.wants == "epsilon" else None
    return lines and [*lines, f"answer = composed.map({_one(query)})"]


ADAPTER = Package("opendp", "opendp", (
    Script("zcdp", Claim("upper", "both", f"opendp.combinators.make_zCDP_to_approxDP: "
                         f"{_CONSERVATIVE}"), _IMPORTS, _concentrated),
    Script("pure", Claim("upper", "both", "opendp.combinators.make_composition of "
                         f"MaxDivergence: {_CONSERVATIVE}"), _IMPORTS, _pure),
))
