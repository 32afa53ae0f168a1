"""Certified answers against the accountants that people use, in one run.

    python tests/benchmarks/accountants.py [--repeats N] [--beyond]

Each call builds the mechanism, composes it and answers one question; imports are left out.  Before
each of ours every cache of lapdp and of SymPy is emptied, and one question about another mechanism
of the family is answered: what is timed is a new question to a process that runs.  A peer is tight
where it has a setting whose value is within 1 % of the certified one, and races with the fastest of
those; who has none is listed below, with the closest value.  Beside a peer stand its right digits:
ours are 15 in balls, and those of the radius in doubles.  Repeats of all parties are interleaved.
The second part asks what lies beyond doubles; batches of questions are in ``batches.py``.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import io
import math
import multiprocessing
import statistics
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from peers import PEERS, Peer, Question, Unanswered
from sympy.core.cache import clear_cache

TIGHT = 0.01
"""The largest relative error with which a peer races."""
FAR = 10
"""A setting that takes so many times as long as a tight one ends the search for the fastest."""
TRIALS = 3
"""Calls by which a peer's setting is chosen."""
LONG = 5.0
"""Seconds after which a party is not asked the same again."""
CAP = 60.0
"""Seconds that a peer has for a question of the second part."""

RACE = tuple(
    Question(family, k, asks, at)
    for family, k, eps, delta in (("response", 10, "0.5", "1e-5"), ("response", 100, "3", "1e-5"),
                                  ("response", 1000, "15", "1e-4"), ("laplace", 10, "0.5", "1e-3"),
                                  ("laplace", 100, "3", "1e-5"), ("gaussian", 100, "3", "1e-5"),
                                  ("sampled", 1000, "2", "1e-5"))
    for asks, at in (("delta", eps), ("epsilon", delta)))
BEYOND = (Question("gaussian", 100, "delta", "20"), Question("response", 1000, "delta", "30"),
          Question("response", 1000, "delta", "30", lost="0"),
          Question("sampled", 10**6, "epsilon", "1e-30"))


class Party(NamedTuple):
    """Who answers: a call, and what is done before it while no clock runs."""

    name: str
    call: Callable[[], Any]
    before: Callable[[], None] = lambda: None


def one_of(family: str, other: bool = False, lost: str = "1e-8") -> Any:
    """One release of a family; or another one of it."""
    from lapdp import gaussian, laplace, poisson, randomized_response

    match family:
        case "response":
            return randomized_response("0.2" if other else "0.1", lost)
        case "laplace":
            return laplace(7 if other else 10)
        case "gaussian":
            return gaussian(7 if other else 10)
        case _:
            return poisson(gaussian(2 if other else 1), "0.01", direction="remove")


def pair_of(question: Question, other: bool = False) -> Any:
    """The composed mechanism, from its parameters on; or another one of the family."""
    return one_of(question.family, other, question.lost) ** (question.k + other)


def balls(question: Question, other: bool = False) -> Any:
    """Our answer to 15 digits, with a proof."""
    return getattr(pair_of(question, other), question.asks)(question.at)


def doubles(question: Question, other: bool = False) -> Any:
    """Our answer in double precision, with its bound."""
    [answer] = getattr(pair_of(question, other), question.asks + "s")([float(question.at)])
    return answer


def forget() -> None:
    """Every cache of ours and of SymPy is emptied."""
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper) and \
                str(found.__module__).startswith("lapdp"):
            found.cache_clear()
    clear_cache()


def prepare(ask: Callable[..., Any], question: Question) -> None:
    """A process that has answered something else."""
    forget()
    ask(question, other=True)


def seconds(party: Party) -> float:
    """One call."""
    party.before()
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        party.call()
    return time.perf_counter() - start


def off(value: float, truth: Fraction) -> float:
    """The relative error; infinite for what is no number."""
    return abs(float(Fraction(value) / truth - 1)) if math.isfinite(value) else math.inf


def right(error: float) -> str:
    """An error as a number of digits."""
    if error == 0:
        return "all digits"
    return f"{max(0.0, -math.log10(error)):4.1f} digits" if error < 1 else " no digits"


class Standing(NamedTuple):
    """A peer's setting: what it answers."""

    peer: Peer
    setting: Any
    error: float
    spent: float
    shown: str


def standings(peer: Peer, question: Question, truth: Fraction) -> list[Standing]:
    """All settings of a peer."""
    found = []
    for setting in peer.settings:
        text = peer.describe.format(*setting) if isinstance(setting, tuple) else \
            "" if setting is None else peer.describe.format(setting)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                value = peer.ask(question, setting)
        except Unanswered:
            return []
        except Exception as problem:  # whatever it raises is its answer
            found.append(Standing(peer, setting, math.inf, math.inf,
                                  f"{text}: {type(problem).__name__}: {str(problem)[:60]}"))
            continue
        party = Party(peer.name, functools.partial(peer.ask, question, setting))
        error = off(value, truth)
        spent = min(seconds(party) for _ in range(TRIALS))
        found.append(Standing(peer, setting, error, spent, f"{text}: {value:.16g}"))
        fastest = min((s.spent for s in found if s.error <= TIGHT), default=math.inf)
        if spent > FAR * fastest:
            break
    return found


class Times(NamedTuple):
    """Least seconds of the parties, and the errors of the tight peers."""

    least: dict[str, float]
    errors: dict[str, float]


def race(question: Question, repeats: int) -> Times:
    """One question."""
    certified = balls(question).enclosure
    truth = certified.middle
    print(f"\n{question}   ({float(truth):.16g})")
    parties, notes, listed = [], {}, []
    errors: dict[str, float] = {}
    for name, ask in (("lapdp, balls", balls), ("lapdp, doubles", doubles)):
        answer = ask(question)
        parties.append(Party(name, functools.partial(ask, question),
                             functools.partial(prepare, ask, question)))
        radius = float(answer.enclosure.radius / answer.enclosure.middle)
        assert abs(answer.enclosure.middle - truth) <= answer.enclosure.radius + certified.radius
        notes[name] = f"radius {radius:.0e}, {answer.method}"
    for peer in PEERS:
        found = standings(peer, question, truth)
        tight = [s for s in found if s.error <= TIGHT]
        if tight:
            best = min(tight, key=lambda s: s.spent)
            parties.append(Party(peer.name, functools.partial(peer.ask, question, best.setting)))
            notes[peer.name] = f"{right(best.error)}; {best.shown}"
            errors[peer.name] = best.error
        elif found:
            closest = min(found, key=lambda s: s.error)
            listed.append(f"      {peer.name:34} {closest.spent * 1e3:21.3f} ms   "
                          f"{right(closest.error)}; {closest.shown.removeprefix(': ')}")
    times: dict[str, list[float]] = {party.name: [] for party in parties}
    for turn in range(repeats):
        for party in parties[turn % len(parties):] + parties[:turn % len(parties)]:
            if sum(times[party.name]) < LONG:
                times[party.name].append(seconds(party))
    for name, spent in times.items():
        print(f"  {name:38} {min(spent) * 1e3:9.3f} {statistics.median(spent) * 1e3:9.3f} ms   "
              f"{notes[name].replace(': :', ':')}")
    if listed:
        print("    not tight:")
        print("\n".join(listed), flush=True)
    return Times({name: min(spent) for name, spent in times.items()}, errors)


def summary(found: dict[Question, Times]) -> None:
    """Ratios to the fastest peer that is tight, and its right digits."""
    print("\nleast ms: balls, doubles, fastest tight peer; how many times faster ours are; "
          "right digits of the peer")
    for question, (spent, errors) in found.items():
        peers = {name: t for name, t in spent.items() if not name.startswith("lapdp")}
        best = min(peers, key=lambda name: peers[name])
        ball, double = spent["lapdp, balls"], spent["lapdp, doubles"]
        print(f"  {question!s:62} {ball * 1e3:8.3f} {double * 1e3:8.3f} {peers[best] * 1e3:8.3f}   "
              f"{peers[best] / ball:6.1f} {peers[best] / double:6.1f}   "
              f"{right(errors[best])}   {best}")


def _child(peer: Peer, question: Question, setting: Any, pipe: Any) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            pipe.send(f"{peer.ask(question, setting):.16g}")
        except Unanswered:
            pipe.send(None)
        except BaseException as problem:  # whatever it raises is its answer
            pipe.send(f"{type(problem).__name__}: {str(problem)[:70]}")


def within_cap(peer: Peer, question: Question, setting: Any) -> str | None:
    """The answer from a process of its own, which is killed after CAP seconds."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(peer, question, setting, sender), daemon=True)
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(CAP) else f"no answer in {CAP:.0f} s"
    except EOFError:
        return "dies: out of memory"
    finally:
        process.kill()
        process.join()


def beyond(question: Question) -> None:
    """What doubles do not reach."""
    forget()
    start = time.perf_counter()
    answer = balls(question)
    spent = time.perf_counter() - start
    error = answer.enclosure.radius / answer.enclosure.middle
    assert answer.certified and error < Fraction(1, 10**12)
    lost = "" if question.family != "response" else f", mass at infinity {question.lost}"
    print(f"\n{question}{lost}\n  lapdp {spent * 1e3:.1f} ms   {answer}   "
          f"relative radius {float(error):.0e}, {answer.method}")
    for peer in PEERS:
        shown = within_cap(peer, question, peer.settings[-1])
        if shown is not None:
            print(f"    {peer.name:36} {shown}", flush=True)


def main() -> None:
    """Both parts; ``--beyond`` the second one only."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeats", type=int, default=15, help="calls of each party")
    arguments.add_argument("--beyond", action="store_true", help="the second part only")
    arguments.add_argument("--only", default="", help="a family of the first part")
    chosen = arguments.parse_args()
    if not chosen.beyond:
        print("ms of one call, least and median; 'tight' is within 1 %")
        summary({question: race(question, chosen.repeats) for question in RACE
                 if chosen.only in question.family})
    if not chosen.only:
        for question in BEYOND:
            beyond(question)


if __name__ == "__main__":
    main()
