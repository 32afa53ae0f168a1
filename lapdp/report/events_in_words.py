"""Events and tests of a witness in words: which outcomes ``S = {0}`` are, by their masses."""

from __future__ import annotations

import re

from lapdp.core.errors import LapdpError
from lapdp.privacy import catalogue
from lapdp.privacy.finite import FinitePair

_PAIR = re.compile(r"(\w+), (\w+) = mechanism_pair\((finite\(.*?\]\))\)(?:; |$)")
_EVENT = re.compile(r"(?:^|; )(\w+) = \{([\d, ]*)\}")


def events_in_words(witness: str, claim: str) -> list[str]:
    """A line for each event, and each test of the claim, of a witness that is one finite pair.

    Outcomes are counted with those of mass on both sides first, by their ratios, then where Q
    vanishes, then where P does; equal ratios are one outcome.

    >>> text = 'P, Q = mechanism_pair(finite(["1/2", "1/2"], [1, 0])); phi = {1}'
    >>> events_in_words(text, "mean(P, phi) <= 2*mean(Q, phi)")
    ['phi = 1 at the outcome with mass 1/2 of P, 0 of Q, else 0']
    >>> events_in_words(text.replace("phi", "S"), "P(S) <= 2*Q(S)")
    ['S = the outcome with mass 1/2 of P, 0 of Q']
    """
    pairs, events = _PAIR.findall(witness), _EVENT.findall(witness)
    if len(pairs) != 1 or witness.count("mechanism_pair") != 1 or not events:
        return []
    first, second, said = pairs[0]
    try:
        pair = _finite(said)
    except LapdpError:
        return []
    rows = pair.in_order().masses
    lines = []
    for name, places in events:
        chosen = [int(place) for place in re.findall(r"\d+", places)]
        if any(place >= len(rows) for place in chosen):
            continue
        masses = ["+".join(str(rows[place][side]) for place in chosen) for side in (0, 1)]
        which = (f"the outcome{'s' * (len(chosen) > 1)} with mass {masses[0]} of {first}, "
                 f"{masses[1]} of {second}" if chosen else "no outcome")
        test = re.search(rf"\bmean\(\w+, {name}\)", claim)
        lines.append(f"{name} = 1 at {which}, else 0" if test else f"{name} = {which}")
    return lines


def _finite(text: str) -> FinitePair:
    from lapdp.theory.parse import parse_mechanism

    found = parse_mechanism(text, catalogue())
    assert isinstance(found, FinitePair)
    return found


__all__ = ["events_in_words"]
