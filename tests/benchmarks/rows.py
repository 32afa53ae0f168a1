"""CPU time against the fastest setting of a peer that comes within 1e-4: one table.

    python tests/benchmarks/rows.py [--only TEXT] [--repeats N]

Both parties are asked in turns in one process.  *Cold*: every cache of ours is emptied before the
call, code is loaded; *warm*: nothing is emptied.  To find our caches all objects are looked at,
after which the processor's caches are empty too: the same is done before a cold call of the peer.
No question is asked twice: a parameter differs a little from one call to the next.  Ours are
certified to twelve digits, batches to the radius that
their doubles have.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import math
import statistics
import time
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from accountants import forget
from peers import CUTS, STEPS

from lapdp import gaussian, laplace, least, poisson, randomized_response

DIGITS = 12
TIGHT = 1e-4
LONG = 20.0
"""Seconds of one party after which a row ends."""
ORDERS = [Fraction(x, 10) for x in range(11, 64)] + [Fraction(x) for x in (8, 16, 24, 32, 48, 64,
                                                                          128)]
WHOLE = list(range(2, 62))

Values = Any
"""A number or an array of them."""


class Row(NamedTuple):
    """A question: how we answer it, and how peers do, each with its settings."""

    name: str
    ours: Callable[[int], Values]
    peers: dict[str, Callable[[int], Values]]


def nearly(number: Any, j: int) -> Fraction:
    """A number that no cache knows; the same double is no longer the same question."""
    return Fraction(number) * (1 + Fraction(j, 10**7))


def grid(make: Callable[..., Any], tails: bool = True) -> dict[str, Callable[[int], Values]]:
    """dp-accounting's distributions, coarse grids first."""
    found = {}
    for step in STEPS:
        for cut in CUTS if tails else CUTS[:1]:
            label = f"PLD, step {step:g}" + (f", tails {cut:g}" if tails else "")
            found[label] = functools.partial(make, step=step, cut=cut)
    return found


def laplaces(k: int, eps: Any, rate: float = 1.0, scale: Any = 11) -> Any:
    """delta of Laplace, by grids."""
    def ask(j: int, step: float, cut: float) -> Values:
        from dp_accounting.pld import privacy_loss_distribution as pld
        one = pld.from_laplace_mechanism(float(nearly(scale, j)), sampling_prob=rate,
                                         value_discretization_interval=step)
        return one.self_compose(k, tail_mass_truncation=cut).get_delta_for_epsilon(eps)
    return grid(ask)


def sampled(rate: float, k: int, asks: str, at: Any, sigma: Any = 1) -> Any:
    """Subsampled Gaussians, by grids."""
    def ask(j: int, step: float, cut: float) -> Values:
        from dp_accounting.pld import privacy_loss_distribution as pld
        one = pld.from_gaussian_mechanism(
            float(nearly(sigma, j)), sampling_prob=rate, value_discretization_interval=step,
            log_mass_truncation_bound=math.log(cut))
        many = one.self_compose(k, tail_mass_truncation=cut)
        return getattr(many, asks)(at)
    return grid(ask)


def unlike(n: int, at: float) -> Any:
    """Products of subsampled Gaussians of n different sigmas, by grids."""
    def ask(j: int, step: float, cut: float) -> Values:
        from dp_accounting.pld import privacy_loss_distribution as pld
        total = None
        for sigma in sigmas(n):
            one = pld.from_gaussian_mechanism(
                float(nearly(sigma, j)), sampling_prob=0.01, value_discretization_interval=step,
                log_mass_truncation_bound=math.log(cut))
            total = one if total is None else total.compose(one, cut)
        return total.get_delta_for_epsilon(at)
    return grid(ask)


def sigmas(n: int) -> list[Fraction]:
    """From 1 to 2."""
    return [1 + Fraction(i, n) for i in range(n)]


def our_unlike(n: int, at: str) -> Callable[[int], float]:
    """The same product."""
    def ask(j: int) -> float:
        product = None
        for sigma in sigmas(n):
            one = poisson(gaussian(nearly(sigma, j)), "0.01", direction="remove")
            product = one if product is None else product * one
        return float(product.delta(at, digits=DIGITS).value)
    return ask


def mixed(n: int, at: float) -> Any:
    """Gaussians, Laplaces and randomized responses in turn, n of them, by grids."""
    def ask(j: int, step: float, cut: float) -> Values:
        from dp_accounting.pld import privacy_loss_distribution as pld
        total = None
        for i in range(n):
            size = float(nearly(Fraction(10) + Fraction(i, n), j))
            if i % 2:
                one = pld.from_laplace_mechanism(size, value_discretization_interval=step)
            else:
                one = pld.from_gaussian_mechanism(size, value_discretization_interval=step,
                                                  log_mass_truncation_bound=math.log(cut))
            total = one if total is None else total.compose(one, cut)
        return total.get_delta_for_epsilon(at)
    return grid(ask)


def our_mixed(n: int, at: str) -> Callable[[int], float]:
    """The same product."""
    def ask(j: int) -> float:
        product = None
        for i in range(n):
            size = nearly(Fraction(10) + Fraction(i, n), j)
            one = laplace(size) if i % 2 else gaussian(size)
            product = one if product is None else product * one
        return float(product.delta(at, digits=DIGITS).value)
    return ask


def responses(k: int, at: float) -> Any:
    """Randomized response, by grids."""
    def ask(j: int, step: float, cut: float) -> Values:
        from dp_accounting.pld import common
        from dp_accounting.pld import privacy_loss_distribution as pld
        budget = common.DifferentialPrivacyParameters(float(nearly("0.1", j)), 1e-8)
        one = pld.from_privacy_parameters(budget, value_discretization_interval=step)
        return one.self_compose(k, tail_mass_truncation=cut).get_delta_for_epsilon(at)
    return grid(ask)


def formula(asks: str, k: int, at: float) -> Callable[[int], Values]:
    """dp-accounting's own formula of a Gaussian."""
    def ask(j: int) -> Values:
        from dp_accounting import gaussian_mechanism
        sigma = float(nearly(10, j)) / math.sqrt(k)
        if asks == "delta":
            return math.exp(gaussian_mechanism._get_log_delta(sigma, at))
        return gaussian_mechanism.get_epsilon_gaussian(sigma, at)
    return ask


def autodp(j: int) -> Values:
    """autodp's formula of a Gaussian."""
    from autodp import dp_bank
    return math.exp(dp_bank.get_logdelta_ana_gaussian(float(nearly(10, j)) / 10, 3.0))


def noise(j: int) -> Values:
    """dp-accounting's least sigma."""
    from dp_accounting import gaussian_mechanism
    return gaussian_mechanism.get_sigma_gaussian(float(nearly(1, j)), 1e-5)


def divergences(orders: Iterable[Any]) -> Callable[[int], Values]:
    """dp-accounting's Renyi divergences of a subsampled Gaussian."""
    def ask(j: int) -> Values:
        import dp_accounting as dp
        from dp_accounting.rdp import rdp_privacy_accountant
        event = dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(float(nearly(1, j))))
        return np.array(rdp_privacy_accountant.RdpAccountant([
            int(x) if x == int(x) else float(x) for x in orders]).compose(event).rdp)
    return ask


def our_divergences(orders: Iterable[Any]) -> Callable[[int], Values]:
    """The same."""
    def ask(j: int) -> Values:
        one = poisson(gaussian(nearly(1, j)), "0.01", direction="remove")
        return np.array([float(one.renyi(x, digits=DIGITS).value) for x in orders])
    return ask


def our_delta(make: Callable[[int], Any], at: str) -> Callable[[int], float]:
    """A certified delta."""
    return lambda j: float(make(j).delta(at, digits=DIGITS).value)


def our_epsilon(make: Callable[[int], Any], at: str) -> Callable[[int], float]:
    """A certified epsilon."""
    return lambda j: float(make(j).epsilon(at, digits=DIGITS).value)


def remove(rate: str, k: int, sigma: Any = 1) -> Callable[[int], Any]:
    """Subsampled Gaussians."""
    return lambda j: poisson(gaussian(nearly(sigma, j)), rate, direction="remove") ** k


def deltas(make: Callable[[int], Any], points: Any) -> Callable[[int], Values]:
    """A batch."""
    return lambda j: make(j).deltas(points).values


LAPLACE, SUBSAMPLED = np.linspace(0.5, 4, 100), np.linspace(2, 14, 100)

ROWS = (
    Row("Laplace 11, k = 1000: delta at 15", our_delta(lambda j: laplace(nearly(11, j)) ** 1000,
                                                       "15"), laplaces(1000, 15.0)),
    Row("Laplace 11, k = 100: delta at 3", our_delta(lambda j: laplace(nearly(11, j)) ** 100, "3"),
        laplaces(100, 3.0)),
    Row("Laplace 11, k = 10: delta at 0.5", our_delta(lambda j: laplace(nearly(11, j)) ** 10,
                                                      "0.5"), laplaces(10, 0.5)),
    Row("response 0.1, k = 1000: delta at 15", our_delta(
        lambda j: randomized_response(nearly("0.1", j), "1e-8") ** 1000, "15"),
        responses(1000, 15.0)),
    Row("Gaussian 10, k = 100: delta at 3", our_delta(lambda j: gaussian(nearly(10, j)) ** 100,
                                                      "3"),
        {"dp-accounting formula": formula("delta", 100, 3.0), "autodp formula": autodp}),
    Row("Gaussian 10, k = 100: epsilon at 1e-5", our_epsilon(
        lambda j: gaussian(nearly(10, j)) ** 100, "1e-5"),
        {"dp-accounting formula": formula("epsilon", 100, 1e-5)}),
    Row("least sigma of a Gaussian", lambda j: float(least(
        gaussian, under=[(nearly(1, j), "1e-5")], digits=DIGITS).value),
        {"dp-accounting formula": noise}),
    Row("sampled 0.01, k = 1000: delta at 2", our_delta(remove("0.01", 1000), "2"),
        sampled(0.01, 1000, "get_delta_for_epsilon", 2.0)),
    Row("sampled 0.01, k = 1000: epsilon at 1e-5", our_epsilon(remove("0.01", 1000), "1e-5"),
        sampled(0.01, 1000, "get_epsilon_for_delta", 1e-5)),
    Row("sampled 0.1, k = 10: delta at 5", our_delta(remove("0.1", 10), "5"),
        sampled(0.1, 10, "get_delta_for_epsilon", 5.0)),
    Row("sampled 0.1, k = 10: epsilon at 1e-5", our_epsilon(remove("0.1", 10), "1e-5"),
        sampled(0.1, 10, "get_epsilon_for_delta", 1e-5)),
    Row("Renyi of sampled 0.01, 60 orders", our_divergences(ORDERS),
        {"dp-accounting Renyi": divergences(ORDERS)}),
    Row("Renyi of sampled 0.01, 60 whole orders", our_divergences(WHOLE),
        {"dp-accounting Renyi": divergences(WHOLE)}),
    Row("100 deltas, Laplace 11, k = 100", deltas(lambda j: laplace(nearly(11, j)) ** 100,
                                                  LAPLACE), laplaces(100, LAPLACE)),
    Row("100 deltas, Laplace 1 sampled 0.1, k = 1000", deltas(
        lambda j: poisson(laplace(nearly(1, j)), "0.1", direction="remove") ** 1000, SUBSAMPLED),
        laplaces(1000, SUBSAMPLED, 0.1, 1)),
    *(Row(f"{n} unlike sampled Gaussians: delta at {at}", our_unlike(n, at), unlike(n, float(at)))
      for n, at in ((5, "0.5"), (50, "0.7"), (300, "1"))),
    *(Row(f"{n} Gaussians and Laplaces in turn: delta at {at}", our_mixed(n, at),
          mixed(n, float(at))) for n, at in ((6, "1"), (50, "3"), (300, "8"))),
)


def spent(call: Callable[[], Values]) -> tuple[float, Values]:
    """CPU seconds, and what came out."""
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        found = call()
    return time.process_time() - start, found


def fastest(row: Row, truth: Values) -> tuple[str, float]:
    """The peer's setting that is tight and takes least, with its relative error."""
    best: tuple[float, str, float] | None = None
    for name, ask in row.peers.items():
        ask(0)
        took, value = spent(lambda ask=ask: ask(0))
        error = float(np.max(np.abs(np.asarray(value, dtype=float) / truth - 1)))
        if error <= TIGHT and (best is None or took < best[0]):
            best = took, name, error
        if best is not None and took > 5 * best[0]:
            break
    return best[1:] if best else ("", math.inf)


def measured(row: Row, repeats: int) -> str:
    """One line."""
    truth = row.ours(0)
    name, error = fastest(row, truth)
    cold, warm, theirs_cold, theirs = [], [], [], []
    calls = iter(range(1, 10**6))
    for _ in range(repeats):
        forget()
        cold.append(spent(lambda: row.ours(next(calls)))[0])
        warm += [spent(lambda: row.ours(next(calls)))[0] for _ in range(2)]
        if name:
            forget()
            theirs_cold.append(spent(lambda: row.peers[name](next(calls)))[0])
            theirs += [spent(lambda: row.peers[name](next(calls)))[0] for _ in range(2)]
        if sum(cold + warm + theirs_cold + theirs) > LONG:
            break
    a, b = statistics.median(cold), statistics.median(warm)
    if not name:
        return f"| {row.name} | {1e3 * a:.2f} | {1e3 * b:.2f} | none within {TIGHT:g} | | |"
    c, d = statistics.median(theirs_cold), statistics.median(theirs)
    return (f"| {row.name} | {1e3 * a:.2f} | {1e3 * b:.2f} | {1e3 * c:.2f}, {1e3 * d:.2f} ({name}, "
            f"{error:.0e}) | {c / a:.2f} | {d / b:.2f} |")


def main() -> None:
    """The table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--only", default="", help="rows whose names have it")
    arguments.add_argument("--repeats", type=int, default=7)
    chosen = arguments.parse_args()
    print("| question | cold, ms | warm, ms | peer cold, warm, ms | cold ratio | warm ratio |\n"
          "|-|-|-|-|-|-|")
    for row in ROWS:
        if chosen.only in row.name:
            print(measured(row, chosen.repeats), flush=True)


if __name__ == "__main__":
    main()
