"""The precision of ball arithmetic: one setting of the process, taken by one thread at a time.

python-flint keeps it in a global context.  Two threads that set it in turns would compute at each
other's precision and leave it changed; so whoever sets it holds a lock until it is as before.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Turn:
    """Whose turn it is."""

    lock = threading.RLock()


@contextmanager
def alone() -> Iterator[None]:
    """No other thread sets a precision meanwhile; the holder may, and may ask again."""
    with _Turn.lock:
        yield


class workprec:
    """Ball arithmetic with ``bits`` bits; what was set before is set again at the end.

    >>> import flint
    >>> with workprec(100):
    ...     print(flint.arb(2).sqrt().rel_accuracy_bits() > 90)
    True
    """
    # a class: a closed form takes a few dozen microseconds, a generator would add three
    __slots__ = ("before", "bits", "lock")

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        import flint  # a command that computes nothing need not wait for it

        # a fork that is made meanwhile has another one
        self.lock = _Turn.lock
        self.lock.acquire()
        self.before = flint.ctx.prec
        try:
            flint.ctx.prec = self.bits
        except BaseException:
            self.lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        import flint

        flint.ctx.prec = self.before
        self.lock.release()


@contextmanager
def workdps(digits: int) -> Iterator[None]:
    """The same, in decimal digits."""
    import flint

    with _Turn.lock, flint.ctx.workdps(digits):
        yield


@contextmanager
def workterms(terms: int) -> Iterator[None]:
    """Power series with so many terms; as many as before at the end.

    >>> import flint
    >>> with workprec(64), workterms(12):
    ...     print(len(flint.arb_series([0, 1], 12).exp().coeffs()))
    12
    """
    import flint

    with _Turn.lock:
        before, flint.ctx.cap = flint.ctx.cap, terms
        try:
            yield
        finally:
            flint.ctx.cap = before


def _renew() -> None:
    """A fork copies the lock as it is: its holder may be a thread that the child does not have."""
    _Turn.lock = threading.RLock()


os.register_at_fork(after_in_child=_renew)

__all__ = ["alone", "workdps", "workprec", "workterms"]
