"""Errors that a user sees: one clear line each, saying what to do."""

from __future__ import annotations


class LapdpError(Exception):
    """Base of every error lapdp raises on purpose; its text is one line for the user."""


class InputError(LapdpError, ValueError):
    """The input has no meaning: a mass, a parameter, a name or a formula is wrong."""


class Unsupported(LapdpError):
    """A method meets something outside its class; another method may still reach it."""


class TooManyDigits(Unsupported):
    """A number is not reached to so many digits; fewer of them may be."""


class NotLinear(Unsupported):
    """A claim about an arbitrary function that is linear in it only up to a constant."""


class IllFormed(LapdpError):
    """A statement has no meaning as written: a free variable, two degrees in one pair."""


class Undefined(LapdpError):
    """An expression has no value at a point of its domain: log 0, 1/0, a divergent transform."""


def called(value: object) -> str:
    """What a message calls a wrong argument: a function by its name, never by its address.

    >>> called(max), called("x" * 50)
    ('max, a function,', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')
    """
    name = getattr(value, "__name__", None)
    return f"{name}, a function," if callable(value) and name else str(value)[:40]
