"""What accountants are asked: random questions of the audit, in doubles as they take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.accounting.audit.adapter import Method
from lapdp.accounting.audit.queries import PARAMETERS, Query, Release
from lapdp.testing.strategies.bounds import ordered, positive
from lapdp.testing.strategies.points import copies, magnitudes

_WANTS = ("delta", "epsilon")
_RATES = st.sampled_from((0.5, 0.25, 0.1, 0.01)) | magnitudes(-3, -1).map(float)
_LEAKS = st.sampled_from((0.25, 0.0)) | magnitudes(-8, -3).map(float)


def _number(low: float, high: float) -> st.SearchStrategy[float]:
    """Decimals of three digits between two powers of 10, else a power of 2 that is a double."""
    powers = st.sampled_from([2.0**k for k in (0, 1, -1, 2, -2, 3, -3) if low <= 2.0**k <= high])
    return powers | magnitudes(-1, 1).map(float).filter(lambda x: low <= x <= high)


_DRAWN: dict[str, st.SearchStrategy[tuple[float, ...]]] = {
    "gaussian": st.tuples(_number(0.5, 100)),
    "laplace": st.tuples(_number(0.5, 100)),
    "geometric": st.tuples(_number(0.1, 2)),
    "discrete_gaussian": st.tuples(_number(0.5, 20)),
    "approximate_dp": st.tuples(_number(0.1, 4), _LEAKS),
}
"""Parameters of the mechanisms, the simplest mechanism first; all that queries know."""


def releases(*, mechanisms: Sequence[str] | None = None, max_copies: int = 32,
             subsampled: bool | None = None) -> st.SearchStrategy[Release]:
    """Releases of noise between half the sensitivity and a hundred times of it.

    ``subsampled`` is None for both kinds, True for Poisson samples only, False for none.  Raises
    ``hypothesis.errors.InvalidArgument`` for a mechanism that the audit does not know.

    >>> from hypothesis import find
    >>> find(releases(), lambda release: release.copies > 3)
    Release(mechanism='gaussian', parameters=(1.0,), rate=None, copies=4)
    """
    positive(max_copies, "max_copies")
    names = tuple(_DRAWN) if mechanisms is None else tuple(mechanisms)
    unknown = [name for name in names if name not in PARAMETERS]
    if unknown or not names:
        raise InvalidArgument(f"mechanisms={names!r} must be some of {', '.join(PARAMETERS)}")
    rate = {None: st.none() | _RATES, True: _RATES, False: st.none()}[subsampled]
    return st.sampled_from(names).flatmap(lambda name: st.builds(
        Release, st.just(name), _DRAWN[name], rate, copies(max_copies=max_copies)))


def queries(*, reaches: Callable[[Query], bool] | Method | None = None,
            wants: str | None = None, max_releases: int = 2, max_copies: int = 32,
            min_delta_exponent: int = -10) -> st.SearchStrategy[Query]:
    """Questions about compositions of releases: delta at an eps >= 0, or epsilon at a delta.

    ``reaches`` says which questions can be asked, or is a method of an accountant, whose
    ``reaches`` says so: mechanisms that it cannot be asked about are not drawn.  ``wants`` is
    "delta" or "epsilon"; None for both.  Failures shrink to one release, few copies and round
    parameters.  Raises ``hypothesis.errors.InvalidArgument`` for numbers and words without meaning,
    and where nothing can be asked.

    >>> from hypothesis import find
    >>> find(queries(), lambda query: len(query.releases) == 2).slug
    'gaussian-1-x1+gaussian-1-x1/delta@0'
    >>> find(queries(reaches=lambda query: query.releases[0].rate), lambda query: True).slug
    'gaussian-1-q0.5-x1/delta@0'
    """
    ordered(1, max_releases, "releases")
    if wants not in (None, *_WANTS):
        raise InvalidArgument(f"wants={wants!r} must be one of {_WANTS}, or None")
    if not isinstance(min_delta_exponent, int) or not -300 <= min_delta_exponent <= -1:
        raise InvalidArgument(
            f"min_delta_exponent={min_delta_exponent!r} must be an integer from -300 to -1")
    given = reaches.reaches if isinstance(reaches, Method) else reaches

    def asks(query: Query) -> bool:
        return given is None or bool(given(query))

    eps = st.just(0.0) | magnitudes(-3, 0).map(float)
    delta = magnitudes(min_delta_exponent, -1).map(float)

    def about(what: str) -> st.SearchStrategy[Query] | None:
        known = [one for name in _DRAWN for sampled in (False, True)
                 if (one := _askable(name, sampled, what, asks, max_copies)) is not None]
        if not known:
            return None
        parts = st.lists(st.one_of(known), min_size=1, max_size=max_releases).map(tuple)
        return st.builds(Query, parts, st.just(what), eps if what == "delta" else delta).filter(
            asks)

    found = [made for what in _WANTS if wants in (None, what)
             if (made := about(what)) is not None]
    if not found:
        raise InvalidArgument("nothing can be asked: reaches(query) holds for no single release")
    return st.one_of(found)


def _askable(name: str, sampled: bool, what: str, asks: Callable[[Query], bool], most: int
             ) -> st.SearchStrategy[Release] | None:
    """Releases of a mechanism, None where the accountant cannot be asked about one."""
    rate = 0.25 if sampled else None
    tried = Query((Release(name, _typical(name), rate),), what, 0.125)  # type: ignore[arg-type]
    if not asks(tried):
        return None
    return releases(mechanisms=[name], max_copies=most, subsampled=sampled)


@lru_cache
def _typical(name: str) -> tuple[float, ...]:
    return (1.0,) * (len(PARAMETERS[name]) - 1) + (
        (2.0**-20,) if name == "approximate_dp" else (1.0,))


__all__ = ["queries", "releases"]
