"""Calls that do not fit a function: one line that says which argument was meant.

:func:`fitting` is put on functions that users call.  It costs them next to nothing: only a call
that Python refuses is looked at.  Names of the field for one thing are known, so that
``noise_multiplier=`` is answered by ``sigma=``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from lapdp.core.errors import InputError

S = ParamSpec("S")
R = TypeVar("R")

MEANT = (
    ("sigma", "noise_multiplier", "noise", "std", "stddev", "standard_deviation", "noise_scale",
     "scale", "b"),
    ("rate", "sample_rate", "sampling_rate", "sampling_probability", "probability", "gamma", "q",
     "p"),
    ("steps", "num_steps", "n_steps", "iterations", "num_iterations", "T"),
    ("copies", "num_copies", "compositions", "num_compositions", "releases", "count", "k", "n"),
    ("eps", "epsilon", "epsilons"),
    ("delta", "deltas", "target_delta"),
    ("epsilon", "target_epsilon"),
    ("guarantee", "epsilon", "eps", "delta", "budget", "claim"),
    ("sensitivity", "sens", "l1_sensitivity", "l2_sensitivity", "clip", "clipping_norm",
     "max_grad_norm", "Delta"),
    ("seconds", "timeout", "time_limit", "limit", "time"),
    ("timeout", "seconds"),
    ("digits", "precision", "dps", "prec", "decimals"),
    ("neighbours", "neighbors", "adjacency", "neighboring", "neighbouring", "relation"),
    ("where", "hypotheses", "hypothesis", "assuming", "assumptions", "conditions", "given"),
    ("examples", "max_examples", "trials", "cases"),
    ("samples", "n", "num_samples", "draws"),
    ("further", "phases", "others"),
    ("order", "alpha", "q"),
    ("search", "prove", "derive"),
)
"""The name of an argument, and what it may be called elsewhere."""


def misnamed(function: str, name: str, known: Iterable[str]) -> InputError:
    """The error for an argument ``name=`` that the function has not: which one is meant.

    >>> misnamed("training", "noise_multiplier", ["rate", "sigma", "steps"])
    InputError('training has no noise_multiplier=: write sigma=')
    >>> misnamed("training", "sigmas", ["rate", "sigma", "steps"])
    InputError('training has no sigmas=: did you mean sigma=?')
    """
    known = list(known)
    for own, *others in MEANT:
        if name in others and own in known:
            return InputError(f"{function} has no {name}=: write {own}=")
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return InputError(f"{function} has no {name}=: did you mean {near[0]}=?")
    told = f"there are {', '.join(f'{each}=' for each in known)}" if known else "it takes none"
    return InputError(f"{function} has no {name}=: {told}")


def fitting(function: Callable[S, R]) -> Callable[S, R]:
    """A function whose calls, where they do not fit, are answered by :class:`InputError`.

    Errors that come from inside of the function pass as they are.

    >>> @fitting
    ... def gaussian(sigma, sensitivity=1):
    ...     return sigma
    >>> for call in (lambda: gaussian(std=1), lambda: gaussian(), lambda: gaussian(1, 2, 3)):
    ...     try:
    ...         call()
    ...     except InputError as problem:
    ...         print(problem)
    gaussian has no std=: write sigma=
    sigma is missing: write gaussian(sigma, sensitivity=1)
    too many arguments: write gaussian(sigma, sensitivity=1)
    """
    @wraps(function)
    def call(*arguments: S.args, **named: S.kwargs) -> R:
        __tracebackhide__ = True  # pytest: no frame of ours between a test and what it calls
        try:
            return function(*arguments, **named)
        except TypeError as problem:
            # an error of the call itself has no frame but this one
            if problem.__traceback__ is None or problem.__traceback__.tb_next is not None:
                raise
            refusal = _refusal(function, arguments, named)
            if refusal is None:
                raise
            raise refusal from None
    return call


def fitting_with(other: Callable[..., Any]) -> Callable[[Callable[S, R]], Callable[S, R]]:
    """As :func:`fitting`, for a function whose further named arguments go to another one.

    >>> def laws(M, *, guarantee=None):
    ...     return [M, guarantee]
    >>> @fitting_with(laws)
    ... def check(M, *, seed=0, **claims):
    ...     return laws(M, **claims)
    >>> check("M", epsilon=1)
    Traceback (most recent call last):
    lapdp.core.errors.InputError: check has no epsilon=: write guarantee=
    """
    def decorate(function: Callable[S, R]) -> Callable[S, R]:
        own = fitting(function)
        known = list(dict.fromkeys((*_names(function), *_names(other))))

        @wraps(function)
        def call(*arguments: S.args, **named: S.kwargs) -> R:
            __tracebackhide__ = True
            require_names(function.__name__, named, known)
            return own(*arguments, **named)
        return call
    return decorate


def require_names(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse the first name that is not known, by :func:`misnamed`."""
    known = list(known)
    for name in given:
        if name not in known:
            raise misnamed(function, name, known)


def _refusal(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
             ) -> InputError | None:
    """Why the arguments do not fit; None where they do."""
    signature = inspect.signature(function)
    try:
        signature.bind(*arguments, **named)
        return None
    except TypeError:
        pass
    bare = list(signature.parameters.values())
    shown = [p for p in bare if p.name != "self"]
    known = [p.name for p in shown if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD,
                                                     p.POSITIONAL_ONLY)]
    wrong = next((name for name in named if name not in known), None)
    if wrong is not None:
        return misnamed(function.__name__, wrong, known)
    text = f"write {function.__name__}({', '.join(_shown(shown))})"
    places = [p for p in bare if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    twice = next((p.name for p in places[:len(arguments)] if p.name in named), None)
    if twice is not None:
        return InputError(f"{twice} is given twice: {text}")
    if len(arguments) > len(places):
        by_name = [p.name for p in shown if p.kind is p.KEYWORD_ONLY]
        after = f"; by name are {', '.join(f'{name}=' for name in by_name)}" if by_name else ""
        return InputError(f"too many arguments: {text}{after}")
    reached = {p.name for p in places[:len(arguments)]} | set(named)
    missing = [p.name for p in shown if p.default is p.empty and p.name not in reached
               and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    verb = "is" if len(missing) == 1 else "are"
    return InputError(f"{' and '.join(missing)} {verb} missing: {text}")


def _shown(parameters: Iterable[inspect.Parameter]) -> list[str]:
    """The arguments in order; of those that go by name only those that must be given."""
    found = []
    for p in parameters:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        if p.kind is p.KEYWORD_ONLY:
            if p.default is p.empty:
                found.append(f"{p.name}=...")
        else:
            found.append(p.name if p.default is p.empty else f"{p.name}={p.default!r}")
    return found


def _names(function: Callable[..., Any]) -> list[str]:
    return [p.name for p in inspect.signature(function).parameters.values()
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


__all__ = ["fitting", "fitting_with", "misnamed", "require_names"]
