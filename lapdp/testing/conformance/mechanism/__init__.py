"""``check_mechanism``: laws that a mechanism and what is claimed of it must obey.

A mechanism is a pair of this package, a function of parameters that returns a pair or a table, or
a function of a dataset that returns exact weights of its outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lapdp.core.calls import fitting, fitting_with
from lapdp.core.errors import InputError
from lapdp.testing.conformance.checks import LawCheck, run
from lapdp.testing.conformance.findings import HIDDEN, Report, Violation
from lapdp.testing.conformance.mechanism.claims import (
    claim_laws,
    mass_laws,
    monotony_laws,
    symmetry_laws,
)
from lapdp.testing.conformance.mechanism.guarantees import (
    composition_laws,
    group_laws,
    guarantee_laws,
)
from lapdp.testing.conformance.mechanism.routes import pair_laws
from lapdp.testing.conformance.mechanism.sides import Tables
from lapdp.testing.conformance.mechanism.subjects import Subject, subject
from lapdp.testing.conformance.values import Accuracy


@fitting
def mechanism_laws(
    M: Any, *, over: Any = None, neighbours: Any = None, guarantee: Any = None,
    profile: Any = None, tradeoff: Any = None, renyi: Any = None, loss: Any = None,
    composed: Any = None, chains: Any = None, group: Any = None, mass_at_infinity: Any = None,
    symmetric: bool = False, monotone: Any = None, tight: bool = False, accuracy: Any = None,
    absolute: Any = 0,
) -> list[LawCheck]:
    """The laws of :func:`check_mechanism` for these claims, one by one.

    >>> from lapdp import laplace
    >>> [law.name for law in mechanism_laws(laplace(1), guarantee=1, tight=True)][-4:]
    ['guarantee', 'guarantee, reversed', 'mass at infinity', 'guarantee attained']
    """
    rounding = Accuracy.stated(accuracy, absolute)
    thing = subject(M, over, neighbours, rounding)
    laws = [_distribution(thing)] if thing.pair is None else pair_laws(thing, thing.pair)
    if guarantee is not None:
        laws += guarantee_laws(thing, guarantee, tight=tight)
    laws += claim_laws(thing, {"profile": profile, "tradeoff": tradeoff, "renyi": renyi,
                               "loss": loss}, tight=tight)
    if composed is not None:
        laws += composition_laws(thing, composed)
    if chains is not None:
        if guarantee is None and group is None:
            raise InputError("chains= needs guarantee= or group=: what do several steps keep?")
        laws += group_laws(thing, chains, guarantee, group)
    elif group is not None:
        raise InputError("group= needs chains=lapdp.testing.strategies.chains()")
    if mass_at_infinity is not None:
        laws += mass_laws(thing, mass_at_infinity)
    if symmetric:
        laws += symmetry_laws(thing)
    if monotone is not None:
        laws += monotony_laws(thing, monotone)
    return laws


@fitting_with(mechanism_laws)
def check_mechanism(M: Any, *, laws: str | Iterable[str] | None = None, examples: int = 200,
                    seed: int = 0, seconds: float | None = None, on_fail: str = "raise",
                    **claims: Any) -> Report:
    """Hold a mechanism, and what is claimed of it, against exact values; report each law.

    ``M`` is one of three things:

    - a pair, such as ``laplace(1)``, also of a class of your own: the laws of all pairs, and its
      notions against each other, by routes of their own;
    - a function of parameters, drawn by the strategies ``over={"eps": ...}``, that returns a pair
      or a table ``{outcome: (P-mass, Q-mass)}``;
    - a function of a dataset, and of parameters if ``over`` names some, that returns a table
      ``{outcome: mass}``; ``neighbours`` is a strategy of couples of datasets, or a list.

    Claims are constants or functions of the parameters, of the names in ``over``:

    - ``guarantee``: (eps, delta), or eps alone; must hold in both directions;
    - ``composed``: a function of k, the guarantee of k independent releases;
    - ``chains`` with ``group``, a function of k: the guarantee between datasets k steps apart; by
      default what follows from ``guarantee``;
    - ``profile(t)``, ``renyi(q)``: upper bounds; ``tradeoff(a)``: a lower bound; ``loss(z)``: the
      probability that the loss is at most z.  They speak of (P, Q), for datasets of both orders;
    - ``mass_at_infinity``, ``symmetric=True``, ``monotone={"scale": "decreasing"}``;
    - ``tight=True``: bounds are attained, by some couple of datasets where there are datasets.

    Masses and claims are exact numbers.  Rounded ones need ``accuracy=``, how far they may be from
    the truth relative to it, and ``absolute=``; a law then fails only if it fails for all numbers
    that they allow.  ``laws`` selects by name or kind ("validity", "tightness", "shape");
    ``seconds=`` ends each.

    Raises :class:`LawFailed`, which shows every law that fails with its smallest case, unless
    ``on_fail="report"``; :class:`InputError` for arguments without meaning.

    >>> import sympy as sp
    >>> from hypothesis import strategies as st
    >>> from lapdp.testing.strategies import neighbours
    >>> def response(data, eps):
    ...     truth = sp.exp(eps) / (1 + sp.exp(eps))
    ...     return {data[0]: truth, 1 - data[0]: 1 - truth}
    >>> eps = st.sampled_from([sp.log(2), sp.log(3), sp.Rational(1, 2)])
    >>> print(check_mechanism(response, over={"eps": eps}, neighbours=neighbours(max_size=1),
    ...                       guarantee=lambda eps: eps, tight=True, examples=20))
    response:
      distribution: passed, 20 examples
      guarantee: passed, 20 examples
      guarantee, reversed: passed, 20 examples
      mass at infinity: passed, 20 examples
      guarantee attained: passed, 3 examples
    >>> found = check_mechanism(response, over={"eps": eps}, neighbours=neighbours(max_size=1),
    ...                         guarantee=lambda eps: eps / 2, on_fail="report", examples=20)
    >>> print(found.failures[0])  # doctest: +ELLIPSIS
    guarantee fails: P(S) <= e^eps Q(S) + delta for all events S
      [Dwork and Roth 2014, Definition 2.4]
        from lapdp import finite
        from sympy import log
        first = (0,)
        second = (1,)
        eps = log(2)
        pair = finite(["2/3", "1/3"], ["1/3", "2/3"])
        P = {0: 2/3, 1: 1/3}
        Q = {0: 1/3, 1: 2/3}
        S = {0} has 2/3 against 1/3
        delta_{P|Q}(eps) <= delta at (eps, delta) = (log(2)/2, 0)
        2/3 - sqrt(2)/3 <= 0 is false
    ...
    """
    __tracebackhide__ = HIDDEN
    checks = mechanism_laws(M, **claims)
    name = checks[0].thing if checks else str(M)
    return run(name, checks, laws=laws, examples=examples, seed=seed, on_fail=on_fail,
               seconds=seconds)


def _distribution(thing: Subject) -> LawCheck:
    def test(case: Any) -> Violation | None:
        sides = thing.sides(case)
        return sides.violation() if isinstance(sides, Tables) else None

    return LawCheck("distribution", "masses are not negative and sum to 1",
                    "Dwork and Roth 2014, Definition 2.2", "shape", thing.cases(), test,
                    r"\sum_x M(x) = 1", thing.name)


__all__ = ["check_mechanism", "mechanism_laws"]
