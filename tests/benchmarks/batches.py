"""Many questions about one mechanism: our path in doubles against the peers' own vectorised calls.

    python tests/benchmarks/batches.py [--only FAMILY]

Two batches for each family: 1000 values of eps at one number of copies, and 100 numbers of copies
at one eps.  Ours is one call of ``m.deltas``, the mechanism and all tables included, every cache
emptied before; the largest relative radius is printed.  A peer builds and composes once where its
interface lets it, and takes its vectorised call where it has one.

A peer is tight where every value is within 1 % of ours; it races with its first setting, coarse
ones first, that is.  Settings are sieved by three of the questions.  Where the whole batch would
take more than a minute, its time is that of these three, scaled, and marked with ~.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from accountants import TIGHT, forget, off, one_of, right
from peers import NAMES, PEERS, Peer, Question, Unanswered, prv_mechanism

CAP = 60.0
REPEATS = 5


class Batch(NamedTuple):
    """delta at all pairs of an eps and a number of copies; one of the two is a single number."""

    family: str
    copies: tuple[int, ...]
    eps: tuple[float, ...]

    def __str__(self) -> str:
        if len(self.copies) == 1:
            return (f"{self.copies[0]}-fold {NAMES[self.family]}: {len(self.eps)} eps from "
                    f"{self.eps[0]:g} to {self.eps[-1]:g}")
        return (f"{NAMES[self.family]}: {len(self.copies)} k from {self.copies[0]} to "
                f"{self.copies[-1]}, eps = {self.eps[0]:g}")

    def questions(self) -> list[Question]:
        """One by one."""
        return [Question(self.family, k, "delta", repr(x)) for k in self.copies for x in self.eps]


RACE = (*(Batch(family, (k,), tuple(np.linspace(0.05, most, 1000).tolist()))
          for family, k, most in (("response", 100, 5), ("laplace", 100, 5),
                                  ("gaussian", 100, 5), ("sampled", 1000, 2.5))),
        *(Batch(family, tuple(range(k, 6 * k, k // 20)), (eps,))
          for family, k, eps in (("response", 100, 3.0), ("laplace", 100, 3.0),
                                 ("gaussian", 100, 3.0), ("sampled", 400, 1.0))))


def ours(batch: Batch) -> Any:
    """One call."""
    one = one_of(batch.family)
    if len(batch.copies) == 1:
        return (one ** batch.copies[0]).deltas(np.array(batch.eps))
    return one.deltas(batch.eps[0], copies=np.array(batch.copies))


def google(batch: Batch, setting: Any) -> list[float]:
    """dp-accounting takes lists of eps."""
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    step, cut = setting
    more: dict[str, Any] = {"value_discretization_interval": step}
    match batch.family:
        case "response":
            one = pld.from_privacy_parameters(
                common.DifferentialPrivacyParameters(0.1, 1e-8), **more)
        case "laplace":
            one = pld.from_laplace_mechanism(10, **more)
        case "gaussian":
            one = pld.from_gaussian_mechanism(10, log_mass_truncation_bound=math.log(cut), **more)
        case _:
            one = pld.from_gaussian_mechanism(1, sampling_prob=0.01,
                                              log_mass_truncation_bound=math.log(cut), **more)
    found: list[float] = []
    for k in batch.copies:
        many = one.self_compose(k, tail_mass_truncation=cut)
        found += [float(x) for x in many.get_delta_for_epsilon(list(batch.eps))]
    return found


def google_one(batch: Batch, step: float) -> list[float]:
    """dp-accounting, told that k Gaussians are one."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    if batch.family != "gaussian":
        raise Unanswered
    found: list[float] = []
    for k in batch.copies:
        one = pld.from_gaussian_mechanism(10 / math.sqrt(k), value_discretization_interval=step)
        found += [float(x) for x in one.get_delta_for_epsilon(list(batch.eps))]
    return found


def prv(batch: Batch, setting: tuple[float, float]) -> list[float]:
    """prv-accountant: one accountant, composed once for each number of copies."""
    import prv_accountant as library

    one = prv_mechanism(batch.family, 1e-8)
    error, slack = setting
    accountant = library.PRVAccountant(prvs=[one], max_self_compositions=[max(batch.copies)],
                                       eps_error=error, delta_error=slack)
    found = []
    for k in batch.copies:
        many = accountant.compute_composition([k])
        found += [float(many.compute_delta_estimate(x)) for x in batch.eps]
    return found


VECTORISED: dict[str, Callable[[Batch, Any], list[float]]] = {
    "dp-accounting PLD": google, "dp-accounting PLD of one Gaussian": google_one,
    "prv-accountant": prv}


def one_by_one(peer: Peer, batch: Batch, setting: Any) -> list[float]:
    """A peer with no other call."""
    return [peer.ask(question, setting) for question in batch.questions()]


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what came out."""
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        found = call()
    return time.perf_counter() - start, found


class Standing(NamedTuple):
    """What a tight peer takes."""

    name: str
    setting: Any
    seconds: float
    error: float
    scaled: bool


def standing(peer: Peer, batch: Batch, truths: list[Fraction]) -> Standing | None:
    """The first setting that is tight everywhere; None where there is none."""
    questions = batch.questions()
    sample = [0, len(questions) // 2, len(questions) - 1]
    for setting in peer.settings:
        try:
            spent, values = timed(lambda s=setting: [peer.ask(questions[j], s) for j in sample])
        except Unanswered:
            return None
        except Exception:  # whatever it raises, it has no answer
            continue
        error = max(off(x, truths[j]) for x, j in zip(values, sample, strict=True))
        if error > TIGHT:
            continue
        scale, call = len(questions) / len(sample), VECTORISED.get(peer.name)
        if call is None and spent * scale > CAP:
            return Standing(peer.name, setting, spent * scale, error, True)

        def whole(s: Any = setting, call: Any = call) -> list[float]:
            return call(batch, s) if call else one_by_one(peer, batch, s)

        try:
            spent, values = timed(whole)
        except Exception:
            continue
        error = max(off(x, y) for x, y in zip(values, truths, strict=True))
        if error <= TIGHT:
            more = [timed(whole)[0] for _ in range(REPEATS - 1)] if spent < 1 else []
            return Standing(peer.name, setting, min([spent, *more]), error, False)
    return None


def race(batch: Batch) -> str:
    """One batch; its line of the summary."""
    found = ours(batch)
    truths = [Fraction(x) for x in found.values.tolist()]
    radius = float(np.max(found.radii / found.values))
    spent = []
    for _ in range(REPEATS):
        forget()
        spent.append(timed(lambda: ours(batch))[0])
    least = min(spent)
    print(f"\n{batch}\n  {'lapdp, doubles':38} {least * 1e3:11.2f} ms   radius {radius:.0e}, "
          f"{found.method}")
    standings = [s for peer in PEERS if (s := standing(peer, batch, truths)) is not None]
    for s in sorted(standings, key=lambda s: s.seconds):
        print(f"  {s.name:38} {'~' if s.scaled else ' '}{s.seconds * 1e3:10.2f} ms   "
              f"{right(s.error)}; {s.setting}", flush=True)
    if not standings:
        return f"  {batch!s:75} {least * 1e3:9.2f}   no peer is tight"
    best = min(standings, key=lambda s: s.seconds)
    return (f"  {batch!s:75} {least * 1e3:9.2f} {best.seconds * 1e3:11.2f} "
            f"{best.seconds / least:7.1f}   {right(best.error)}   {best.name}")


def main() -> None:
    """All batches, or those of one family."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--only", default="", help="a family")
    chosen = arguments.parse_args()
    lines = [race(batch) for batch in RACE if chosen.only in batch.family]
    print("\nleast ms: doubles, fastest tight peer; how many times faster ours is; right digits of "
          "the peer")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
