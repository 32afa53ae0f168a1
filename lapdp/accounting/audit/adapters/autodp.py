"""autodp: Renyi divergences, the analytical Fourier accountant, the exact Gaussian mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from lapdp.accounting.audit.adapter import Package, Script
from lapdp.accounting.audit.claims import Claim
from lapdp.accounting.audit.queries import Query, Release

_IMPORTS = ("from autodp.mechanism_zoo import *\n"
            "from autodp.transformer_zoo import *")


def _gaussian(release: Release) -> str | None:
    if release.mechanism != "gaussian" or release.rate is not None:
        return None
    return f"ExactGaussianMechanism(sigma={release.parameters[0]!r})"


def _renyi(release: Release) -> str | None:
    x = release.parameters[0]
    if release.rate is not None:
        if release.mechanism != "gaussian":
            return None
        return (f"AmplificationBySampling(PoissonSampling=True)(GaussianMechanism(sigma={x!r}), "
                f"{release.rate!r}, improved_bound_flag=True)")
    if release.mechanism == "approximate_dp":
        return None if release.parameters[1] else f"PureDP_Mechanism(eps={x!r})"
    return {"gaussian": f"GaussianMechanism(sigma={x!r})", "laplace": f"LaplaceMechanism(b={x!r})",
            "discrete_gaussian": f"DiscreteGaussianMechanism(sigma={x!r})",
            }.get(release.mechanism)


def _fourier(release: Release) -> str | None:
    x = release.parameters[0]
    if release.mechanism == "gaussian":
        made = f"GaussianMechanism(sigma={x!r}, phi_off=False, RDP_off=True, approxDP_off=True)"
        if release.rate is None:
            return made
        return ("AmplificationBySampling_pld(PoissonSampling=True, neighboring='remove_only')("
                f"{made}, {release.rate!r})")
    if release.mechanism == "laplace" and release.rate is None:
        return f"LaplaceMechanism(b={x!r}, phi_off=False, RDP_off=True)"
    return None


def _composed(query: Query, transformer: str, write: Callable[[Release], str | None],
              epsilon_only: bool = False) -> Sequence[str] | None:
    mechanisms = [write(release) for release in query.releases]
    if None in mechanisms or (epsilon_only and query.wants == "delta"):
        return None
    copies = [release.copies for release in query.releases]
    call = "get_approx_delta" if query.wants == "delta" else "get_approxDP"
    return [f"mechanisms = [{', '.join(map(str, mechanisms))}]",
            f"composed = {transformer}()(mechanisms, {copies})",
            f"answer = composed.{call}({query.at!r})"]


ADAPTER = Package("autodp", "autodp", (
    Script("gaussian",
           Claim("estimate", "both", "autodp/mechanism_zoo.py, ExactGaussianMechanism: tight, by a "
                 "numerical root (dp_bank.get_eps_ana_gaussian)"),
           _IMPORTS, partial(_composed, transformer="ComposeGaussian", write=_gaussian,
                             epsilon_only=True)),
    Script("rdp",
           Claim("upper", "both", "autodp/converter.py, rdp_to_approxdp and rdp_to_delta: "
                 "conversions of guarantees; add-remove is the default neighbouring relation"),
           _IMPORTS, partial(_composed, transformer="Composition", write=_renyi)),
    Script("fourier",
           Claim("estimate", "remove", "autodp/converter.py, phi_to_cdf: quadrature of the "
                 "characteristic function, said to be usually very accurate, no bound"),
           _IMPORTS, partial(_composed, transformer="ComposeAFA", write=_fourier)),
))
