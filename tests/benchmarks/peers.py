"""How the accountants that people use are asked: one call builds, composes and answers.

Each peer has settings, coarse ones first, where it has any.  Nothing is changed in it: these are
the calls that its documentation shows.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

warnings.simplefilter("ignore")


class Question(NamedTuple):
    """delta at an eps, or eps at a delta, of k releases of one mechanism."""

    family: str
    """response (0.1, 1e-8), laplace of scale 10, gaussian of sigma 10, or sampled: a Gaussian of
    sigma 1 on a Poisson sample of rate 0.01, the direction "remove"."""

    k: int
    asks: str
    at: str
    lost: str = "1e-8"
    """The delta of randomized response."""

    def __str__(self) -> str:
        other = "epsilon" if self.asks == "delta" else "delta"
        return f"{self.k}-fold {NAMES[self.family]}: {self.asks} at {other} = {self.at}"


NAMES = {"response": "randomized response 0.1", "laplace": "Laplace, scale 10",
         "gaussian": "Gaussian, sigma 10", "sampled": "Gaussian, sigma 1, sampled at 0.01"}


class Unanswered(Exception):
    """The peer has no such mechanism or question."""


class Peer(NamedTuple):
    """A call and its settings."""

    name: str
    ask: Callable[[Question, Any], float]
    settings: tuple[Any, ...]
    describe: str = "{}"


def google(question: Question, setting: tuple[float, float]) -> float:
    """dp-accounting: a loss on a grid, rounded up; one FFT."""
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    step, cut = setting
    grid = {"value_discretization_interval": step}
    match question.family:
        case "response":
            budget = common.DifferentialPrivacyParameters(0.1, float(question.lost))
            one = pld.from_privacy_parameters(budget, **grid)
        case "laplace":
            one = pld.from_laplace_mechanism(10, **grid)
        case "gaussian":
            one = pld.from_gaussian_mechanism(10, log_mass_truncation_bound=math.log(cut), **grid)
        case _:
            one = pld.from_gaussian_mechanism(1, sampling_prob=0.01,
                                              log_mass_truncation_bound=math.log(cut), **grid)
    many = one.self_compose(question.k, tail_mass_truncation=cut)
    if question.asks == "delta":
        return float(many.get_delta_for_epsilon(float(question.at)))
    return float(many.get_epsilon_for_delta(float(question.at)))


def google_one(question: Question, step: float) -> float:
    """dp-accounting, told that k Gaussians are one of sigma/sqrt(k)."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    if question.family != "gaussian":
        raise Unanswered
    one = pld.from_gaussian_mechanism(10 / math.sqrt(question.k),
                                      value_discretization_interval=step)
    if question.asks == "delta":
        return float(one.get_delta_for_epsilon(float(question.at)))
    return float(one.get_epsilon_for_delta(float(question.at)))


def google_formula(question: Question, setting: None) -> float:
    """dp-accounting's own formula for one Gaussian; it has eps only."""
    from dp_accounting import gaussian_mechanism

    if question.family != "gaussian" or question.asks != "epsilon":
        raise Unanswered
    return float(gaussian_mechanism.get_epsilon_gaussian(10 / math.sqrt(question.k),
                                                         float(question.at)))


def google_renyi(question: Question, setting: None) -> float:
    """dp-accounting, by Renyi divergences."""
    import dp_accounting as dp
    from dp_accounting.rdp import rdp_privacy_accountant

    match question.family:
        case "response":
            raise Unanswered
        case "laplace":
            event = dp.LaplaceDpEvent(10)
        case "gaussian":
            event = dp.GaussianDpEvent(10)
        case _:
            event = dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(1))
    accountant = rdp_privacy_accountant.RdpAccountant().compose(event, question.k)
    if question.asks == "delta":
        return float(accountant.get_delta(float(question.at)))
    return float(accountant.get_epsilon(float(question.at)))


def prv_mechanism(family: str, lost: float) -> Any:
    """One release of a family, as prv-accountant has it."""
    import prv_accountant as library

    match family:
        case "response":
            return library.ApproximateDPMechanism(0.1, lost)
        case "laplace":
            return library.LaplaceMechanism(mu=0.1)
        case "gaussian":
            return library.GaussianMechanism(noise_multiplier=10)
        case _:
            return library.PoissonSubsampledGaussianMechanism(sampling_probability=0.01,
                                                              noise_multiplier=1)


def prv(question: Question, setting: tuple[float, float]) -> float:
    """prv-accountant: its estimate, between the bounds that it gives."""
    import prv_accountant as library

    one = prv_mechanism(question.family, float(question.lost))
    error, slack = setting
    accountant = library.PRVAccountant(prvs=[one], max_self_compositions=[question.k],
                                       eps_error=error, delta_error=slack)
    ask = accountant.compute_delta if question.asks == "delta" else accountant.compute_epsilon
    _, estimate, _ = ask(float(question.at), [question.k])
    return float(estimate)


def autodp_gaussian(question: Question, setting: None) -> float:
    """autodp: the analytical Gaussian mechanism."""
    from autodp import dp_bank
    from autodp.mechanism_zoo import ExactGaussianMechanism
    from autodp.transformer_zoo import ComposeGaussian

    if question.family != "gaussian":
        raise Unanswered
    if question.asks == "delta":
        return math.exp(dp_bank.get_logdelta_ana_gaussian(10 / math.sqrt(question.k),
                                                          float(question.at)))
    many = ComposeGaussian()([ExactGaussianMechanism(10)], [question.k])
    return float(many.get_approxDP(float(question.at)))


def autodp_fourier(question: Question, setting: None) -> float:
    """autodp: characteristic functions.  What is lost by (eps, delta) is put in by hand."""
    from autodp import mechanism_zoo, transformer_zoo

    kept = 1.0
    match question.family:
        case "response":
            kept = (1 - float(question.lost)) ** question.k
            one = mechanism_zoo.RandresponseMechanism(1 / (1 + math.exp(-0.1)), RDP_off=True,
                                                      phi_off=False)
        case "laplace":
            one = mechanism_zoo.LaplaceMechanism(10, RDP_off=True, phi_off=False)
        case "gaussian":
            one = mechanism_zoo.GaussianMechanism(10, RDP_off=True, approxDP_off=True,
                                                  phi_off=False)
        case _:
            one = transformer_zoo.AmplificationBySampling_pld(
                PoissonSampling=True, neighboring="remove_only")(
                    mechanism_zoo.GaussianMechanism(1, RDP_off=True, approxDP_off=True,
                                                    phi_off=False), 0.01)
    many = transformer_zoo.ComposeAFA()([one], [question.k])
    if question.asks == "delta":
        return 1 - kept + kept * float(many.get_approx_delta(float(question.at)))
    return float(many.get_approxDP((float(question.at) - 1 + kept) / kept))


def autodp_renyi(question: Question, setting: None) -> float:
    """autodp, by Renyi divergences."""
    from autodp import mechanism_zoo, transformer_zoo

    match question.family:
        case "response":
            raise Unanswered
        case "laplace":
            one = mechanism_zoo.LaplaceMechanism(10)
        case "gaussian":
            one = mechanism_zoo.GaussianMechanism(10, approxDP_off=True)
        case _:
            noise = mechanism_zoo.GaussianMechanism(1)
            one = transformer_zoo.AmplificationBySampling()(noise, 0.01)
    many = transformer_zoo.Composition()([one], [question.k])
    if question.asks == "delta":
        return float(many.get_approx_delta(float(question.at)))
    return float(many.get_approxDP(float(question.at)))


def fourier(question: Question, setting: tuple[int, float]) -> float:
    """fourier-accountant: sampled Gaussians on a grid from -L to L."""
    import fourier_accountant as library

    points, limit = setting
    match question.family:
        case "gaussian":
            noise, rate = 10.0, 1.0
        case "sampled":
            noise, rate = 1.0, 0.01
        case _:
            raise Unanswered
    ask = library.get_delta_R if question.asks == "delta" else library.get_epsilon_R
    return float(ask(float(question.at), noise, rate, question.k, nx=points, L=limit))


def opendp(question: Question, setting: None) -> float:
    """opendp: sums of pure or concentrated budgets, and their conversion."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    match question.family:
        case "laplace":
            if question.asks == "delta":
                raise Unanswered
            one = dp.m.make_laplace(*space, scale=10.0)
            total = dp.c.make_composition([one] * question.k)
            return float(total.map(1.0))
        case "gaussian":
            one = dp.m.make_gaussian(*space, scale=10.0)
        case _:
            raise Unanswered
    total = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([one] * question.k))
    profile = total.map(1.0)
    if question.asks == "delta":
        return float(profile.delta(float(question.at)))
    return float(profile.epsilon(float(question.at)))


CUTS = (1e-8, 1e-15)
STEPS = (0.1, 0.05, 0.02, 0.01, 0.005, 2e-3, 1e-3, 1e-4)
PEERS = (
    Peer("dp-accounting PLD", google,
         tuple((step, cut) for step in STEPS for cut in CUTS), "step {0:g}, tails {1:g}"),
    Peer("dp-accounting PLD of one Gaussian", google_one, (0.2, 0.1, 0.01, 1e-4), "step {:g}"),
    Peer("dp-accounting formula", google_formula, (None,)),
    Peer("prv-accountant", prv,
         tuple((error, slack) for error in (0.5, 0.2, 0.1, 0.05, 0.01) for slack in (1e-7, 1e-10)),
         "eps_error {0:g}, delta_error {1:g}"),
    Peer("autodp, analytical Gaussian", autodp_gaussian, (None,)),
    Peer("autodp, Fourier", autodp_fourier, (None,)),
    Peer("fourier-accountant", fourier,
         tuple((2**size, limit) for size in range(14, 21) for limit in (4.0, 8.0)),
         "nx {0}, L {1:g}"),
    Peer("dp-accounting Renyi", google_renyi, (None,)),
    Peer("autodp, Renyi", autodp_renyi, (None,)),
    Peer("opendp", opendp, (None,)),
)
