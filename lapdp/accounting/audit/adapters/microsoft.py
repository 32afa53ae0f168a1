"""prv-accountant: privacy random variables, composed by Fourier transform."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lapdp.accounting.audit.adapter import Package, Script
from lapdp.accounting.audit.claims import Claim
from lapdp.accounting.audit.queries import Query, Release

_SOURCE = ("prv_accountant/accountant.py: compute_epsilon and compute_delta return a lower bound, "
           "an estimate and an upper bound; the README gives the pair as N(0) against the mixture")
_ABSOLUTE = 1e-10
"""delta_error where delta is asked for; else a thousandth of delta, as its docstring advises."""


def _variable(release: Release) -> str | None:
    x = release.parameters[0]
    if release.rate is not None:
        if release.mechanism != "gaussian":
            return None
        return ("PoissonSubsampledGaussianMechanism(sampling_probability="
                f"{release.rate!r}, noise_multiplier={x!r})")
    if release.mechanism == "gaussian":
        return f"GaussianMechanism(noise_multiplier={x!r})"
    if release.mechanism == "laplace":
        return f"LaplaceMechanism(mu={1 / x!r})"
    if release.mechanism == "approximate_dp":
        eps, delta = release.parameters
        return (f"ApproximateDPMechanism({eps!r}, {delta!r})" if delta else
                f"PureDPMechanism({eps!r})")
    return None


def _composed(query: Query, eps_error: float) -> Sequence[str] | None:
    variables = [_variable(release) for release in query.releases]
    if None in variables:
        return None
    copies = [release.copies for release in query.releases]
    error = _ABSOLUTE if query.wants == "delta" else query.at / 1000
    return [f"prvs = [{', '.join(map(str, variables))}]",
            f"accountant = PRVAccountant(prvs=prvs, max_self_compositions={copies}, "
            f"eps_error={eps_error!r}, delta_error={error!r})",
            f"answer = accountant.compute_{query.wants}({query.at!r}, {copies})"]


def _method(name: str, eps_error: float, secondary: bool = False) -> Script:
    return Script(name, Claim("interval", "remove", _SOURCE), "from prv_accountant import *",
                  partial(_composed, eps_error=eps_error),
                  {"eps_error": eps_error, "delta_error": f"delta/1000, or {_ABSOLUTE:g}"},
                  secondary)


ADAPTER = Package("microsoft", "prv-accountant", (
    _method("prv-0.1", 0.1),
    _method("prv-0.01", 0.01, secondary=True),
))
