"""Bounds that keep text from outside cheap: on the text itself, then on every value built from it.

SymPy evaluates while it constructs, so a short text can ask for an astronomically long number or an
endless expansion.  Sizes are checked *before* a step that would be one long machine operation
(nothing could interrupt it); :class:`Budget` cuts off all that takes many steps.
"""

from __future__ import annotations

import gc
import re
import sys
import threading
import time
from collections.abc import Iterable
from inspect import CO_GENERATOR
from types import FrameType
from typing import Any

import sympy as sp
from sympy.core.cache import clear_cache

from lapdp.core.errors import InputError

MAX_TEXT = 2_000
"""Characters of a text."""
MAX_DEPTH = 60
"""Nesting of brackets, signs, powers and calls."""
MAX_NODES = 2_000
"""Nodes of the syntax tree."""
MAX_DIGITS = 200
"""Digits of one literal."""
MAX_BITS = 10_000
"""Bits of a numerator or denominator, and binary orders of magnitude of a constant."""
MAX_EXPONENT = 1_000
"""Size of an exponent, and of a numeric argument of a gamma-like function."""
MAX_CALLS = 500_000
"""Calls of Python functions while one text is built."""
MAX_SECONDS = 1.0
"""Processor time of one text, in which long integers may be multiplied by few calls."""

_TOO_LONG = "the formula takes too long to build: make it smaller"
_NUMBER = re.compile(r"(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?")
_FOREIGN = re.compile(r"[^A-Za-z0-9_+\-*/^().,=<>!\[\]\s]")
_IN_QUOTES = re.compile(r"([+-]?)(?:(\d+)/(\d+)|((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?))",
                        re.ASCII)
QUOTES = ('quotes hold one number such as "0.1", "1e-5" or "1/3", or among the arguments of a '
          'mechanism a word such as "remove"')
_REASONS = {
    "'": QUOTES,
    '"': QUOTES,
    "{": "use round brackets",
    "}": "use round brackets",
    "|": "write abs(x) for |x|",
    ":": "only formulas are read",
    "%": "only + - * / ** are known",
    **dict.fromkeys("\u2192\u21d2\u27f9", "what is supposed goes after --where; limits are written "
                    "in Python, Lim(...)"),
    **dict.fromkeys("\u2200\u2203\u2208", "every letter stands for all values; a hypothesis for "
                    "all values is ForAll(q, R(P, Q)(q) <= r, q > 1)"),
    "\u222b": "write Int(body, t) or Omega(body)",
    "\u2211": "sums are written in Python, FiniteSum(...)",
    "\u221a": "write sqrt(x)",
    "\u2225": "write R(P, Q)(q), delta(P, Q)(eps)",
    "@": "only + - * / ** are known",
}


_SIGNS = {
    "\u2264": "<=", "\u2a7d": "<=", "\u2265": ">=", "\u2a7e": ">=", "\u2260": "!=",
    "\u2212": "-", "\u00b7": "*", "\u22c5": "*", "\u00d7": "*", "\u221e": "oo",
    "\u00b2": "**2", "\u00b3": "**3",
}
"""Signs as they are printed, and how they are typed."""
_GREEK = {
    **dict(zip("\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8\u03ba\u03bb\u03bc\u03bd\u03be"
               "\u03c0\u03c1\u03c3\u03c4\u03c6\u03c7\u03c8\u03c9",
               ("alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta", "kappa", "lambda",
                "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"),
               strict=True)),
    "\u03f5": "eps", "\u03d5": "phi", "\u03d1": "theta",
}
"""Greek letters and their names, alone or before a subscript."""
_LETTERS = "".join(_GREEK)
_FUSED = re.compile(rf"[A-Za-z0-9_.][{_LETTERS}]|[{_LETTERS}](?=[A-Za-z{_LETTERS}])")
_KEYWORD = re.compile(r"\blambda\b")
LAMBDA = "lambda_"
"""How the letter is read that Python has another use for."""


def _typed(text: str) -> str:
    """A text with signs and Greek letters as they are typed.

    >>> _typed("\u03b4(P, Q)(\u03b5) \u2264 1")
    'delta(P, Q)(eps) <= 1'
    """
    fused = _FUSED.search(text)
    if fused:
        raise InputError(f"cannot read {clip(fused[0])} in {clip(text)}: write a product with *, "
                         "and names of one letter alone or with a subscript, as in eps_1")
    for table in (_SIGNS, _GREEK):
        for sign, word in table.items():
            text = text.replace(sign, word)
    return _KEYWORD.sub(LAMBDA, text)


def clip(text: str, width: int = 40) -> str:
    """A piece of the user's text, safe to print on one line.

    >>> clip("x" * 50)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"
    """
    return repr(shortened(text, width))


def shortened(text: str, width: int) -> str:
    """The beginning of a long text.

    >>> shortened("abcdef", 3)
    'abc...'
    """
    return text if len(text) <= width else text[:width] + "..."


_QUOTED = re.compile(r"'[A-Za-z0-9_+\-./]*'|\"[A-Za-z0-9_+\-./]*\"")


def checked_text(text: Any) -> str:
    """``text`` on one line, fit for ``ast.parse``: short, plain, brackets shallow and balanced.

    Signs such as those for "less or equal", and Greek letters, are read as they are typed; quotes
    may hold plain words and numbers.  Raises :class:`InputError` otherwise, in time linear in the
    length.

    >>> checked_text(" x + 1")
    'x + 1'
    """
    if not isinstance(text, str):
        raise InputError(f"a formula is a text, not {type(text).__name__}")
    if not text.isascii() or "lambda" in text:
        text = _typed(text)
    if len(text) > MAX_TEXT:
        raise InputError(f"the text has {len(text)} characters: at most {MAX_TEXT} are read")
    foreign = _FOREIGN.search(_QUOTED.sub("", text))
    if foreign:
        why = _REASONS.get(foreign[0], "formulas are plain: letters, digits, + - * / ** ( ) , [ ]")
        if "||" in text:
            why = ("divergences take two arguments: R(P, Q)(q) is the Renyi divergence of order q, "
                   "delta(P, Q)(eps) the hockey-stick divergence")
        raise InputError(f"cannot read {clip(foreign[0])} in {clip(text)}: {why}")
    line = " ".join(text.split())
    if not line:
        raise InputError("the text is empty: write a formula")
    _check_brackets(line)
    if re.search(rf"(?:[-+]\s*){{{MAX_DEPTH + 1}}}", line):
        raise InputError(f"more than {MAX_DEPTH} signs in a row in {clip(line)}")
    return line


def _check_brackets(line: str) -> None:
    closing = {"(": ")", "[": "]"}
    expected: list[str] = []
    for char in line:
        if char in closing:
            expected.append(closing[char])
            if len(expected) > MAX_DEPTH:
                raise InputError(f"brackets nested deeper than {MAX_DEPTH} in {clip(line)}")
        elif char in ")]" and (not expected or expected.pop() != char):
            raise InputError(f"a bracket {char!r} closes nothing in {clip(line)}")
    if expected:
        raise InputError(f"a bracket is not closed in {clip(line)}: {expected[-1]!r} is missing")


def exact_number(literal: str) -> Any:
    """The exact rational that a decimal or integer literal writes.

    >>> exact_number("0.1"), exact_number("1e-8"), exact_number("25.")
    (1/10, 1/100000000, 25)
    """
    match = _NUMBER.fullmatch(literal)
    if not match or not (match[1] or match[2]):
        raise InputError(f"cannot read the number {clip(literal)}: write it as 0.1 or 1e-8")
    whole, fraction, exponent = match[1] or "", match[2] or "", match[3] or "0"
    digits = (whole + fraction).lstrip("0") or "0"
    if len(digits) > MAX_DIGITS or len(fraction) > MAX_EXPONENT:
        raise InputError(f"the number {clip(literal)} has more than {MAX_DIGITS} digits")
    if len(exponent) > len(str(MAX_EXPONENT)) + 1 or abs(int(exponent)) > MAX_EXPONENT:
        raise InputError(f"the exponent of {clip(literal)} is larger than {MAX_EXPONENT}")
    shift = int(exponent) - len(fraction)
    return sp.Rational(int(digits) * 10 ** max(shift, 0), 10 ** max(-shift, 0))


def number_in_quotes(text: str) -> Any:
    """The exact rational that stands in quotes, as Python takes it; None where it is no number.

    >>> number_in_quotes("-0.1"), number_in_quotes("2/6"), number_in_quotes("1_000")
    (-1/10, 1/3, None)
    """
    match = _IN_QUOTES.fullmatch(text)
    if not match:
        return None
    sign, above, below, decimal = match.groups()
    divisor = exact_number(below or "1")
    if divisor == 0:
        raise InputError(f"division by 0 in {clip(text)}")
    value = exact_number(above or decimal) / divisor
    return -value if sign == "-" else value


class _Exhausted(BaseException):
    """Passes every ``except Exception`` on its way out of SymPy."""


class Budget:
    """Work for building values: ``with budget:`` may be entered again and again.

    Work is counted in calls of Python functions, so that a text is read or refused alike on every
    machine and under every load; processor time is only the far limit, and what collecting the
    garbage of others takes is left out of it.  Works in any thread and needs no signals: the
    interpreter's profiling hook counts.  Under a profiler the hook is taken, and only the far limit
    is left.
    """

    def __init__(self, calls: int = MAX_CALLS, seconds: float = MAX_SECONDS) -> None:
        self.calls, self.left = calls, seconds
        self._start = self._deadline = self._pause = 0.0
        self._thread = 0

    def _collection(self, phase: str, info: dict[str, int]) -> None:
        if threading.get_ident() == self._thread:
            if phase == "start":
                self._pause = time.thread_time()
            elif self._pause:
                self._deadline += time.thread_time() - self._pause

    def _watch(self, frame: FrameType, event: str, arg: Any) -> None:
        if event != "call":
            return
        self.calls -= 1
        if self.calls % 16 or not self._spent():
            return
        # a generator may be on its way to the bin, a callback of another module may run anywhere:
        # exceptions are lost there
        module, code = str(frame.f_globals.get("__name__")), frame.f_code
        if module.startswith(("sympy.", "mpmath.")) and not code.co_flags & CO_GENERATOR:
            raise _Exhausted

    def _spent(self) -> bool:
        return self.calls <= 0 or time.thread_time() > self._deadline

    def check(self) -> None:
        """Raise :class:`InputError` when no work is left."""
        if self._spent():
            raise InputError(_TOO_LONG)

    def __enter__(self) -> Budget:
        self._start = time.thread_time()
        self._deadline = self._start + self.left
        self._thread, self._pause = threading.get_ident(), 0.0
        gc.callbacks.append(self._collection)
        if sys.getprofile() is None:
            sys.setprofile(self._watch)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        if sys.getprofile() == self._watch:
            sys.setprofile(None)
        gc.callbacks.remove(self._collection)
        self.left = self._deadline - time.thread_time()
        if kind is _Exhausted:
            clear_cache()  # values left half-built must not be met again
            raise InputError(_TOO_LONG) from None


class Sizes:
    """Remembers which subexpressions have been found small, so that each is looked at once."""

    def __init__(self) -> None:
        self._seen: set[Any] = set()

    def checked(self, value: Any) -> Any:
        """``value`` if it is finite and all its constants and exponents are of moderate size."""
        stack = [value]
        while stack:
            part = stack.pop()
            if part in self._seen:
                continue
            if part in (sp.zoo, sp.nan) or isinstance(part, sp.AccumBounds):
                raise InputError("a part of the formula has no value: 1/0, log(0), oo - oo ...?")
            if part.is_Rational:
                _check_rational(part)
            elif part.is_Pow:
                check_power(part.base, part.exp)
            elif isinstance(part, sp.exp):
                check_exp(part.args[0])
            if _is_constant(part):
                _check_magnitude(part)
            self._seen.add(part)
            stack.extend(part.args)
        return value

    def total(self, terms: Iterable[Any], product: bool = False) -> Any:
        """Sum or product of checked terms; numbers, and powers of numbers, are joined one by one.

        Each step can then grow only by what its two parts allow, and is checked before the next.
        """
        join = sp.Mul if product else sp.Add
        value, rest = sp.Integer(1 if product else 0), []
        for term in terms:
            if term.is_Rational or (product and _has_power_of_number(term)):
                value = self.checked(join(value, term))
            else:
                rest.append(term)
        return self.checked(join(value, *rest))


def _has_power_of_number(term: Any) -> bool:
    return any(f.is_Pow and _bits_in(f.base) for f in sp.Mul.make_args(term))


def _bits_in(expr: Any) -> int:
    """Bits of the longest rational in an expression; 0 when there are only 0, 1 and -1."""
    return max((_bits(r) for r in expr.atoms(sp.Rational) if r not in (-1, 0, 1)), default=0)


def _bits(number: Any) -> int:
    return int(max(abs(int(number.p)).bit_length(), int(number.q).bit_length()))


def _check_rational(number: Any) -> None:
    if _bits(number) > MAX_BITS:
        raise InputError(f"a number of the formula has more than {MAX_BITS * 3 // 10} digits")


def _is_constant(part: Any) -> bool:
    plain = not (part.is_Rational or part.is_NumberSymbol or part.is_infinite)
    return bool(plain and isinstance(part, sp.Expr) and part.is_number)


def _check_magnitude(constant: Any) -> None:
    size = abs(constant.evalf(15))
    if not size.is_Float and size != 0:
        raise InputError(f"the constant {clip(str(constant))} has no finite value")
    _, _, exponent, count = getattr(size, "_mpf_", (0, 0, 0, 0))
    if abs(exponent + count) > MAX_BITS:
        raise InputError("a constant of the formula is too large or too close to 0 to be computed")


def check_power(base: Any, exponent: Any) -> None:
    """Refuse ``base**exponent`` before SymPy computes it, or anything that could merge to it.

    Numbers in symbolic exponents count, since ``2**(x + c)*2**(-x)`` becomes ``2**c``, and
    denominators count as numerators do, since SymPy reduces ``12**(p/q)`` by computing powers.
    """
    if exponent.is_number and not exponent.is_Rational:
        if abs(exponent.evalf(15)) > MAX_EXPONENT:
            raise InputError(f"an exponent is larger than {MAX_EXPONENT}")
        return
    bits = _bits_in(base)
    for number in exponent.atoms(sp.Rational):
        if not number.is_finite:
            continue
        if abs(number) > MAX_EXPONENT:
            raise InputError(f"an exponent is larger than {MAX_EXPONENT}")
        if bits * max(abs(int(number.p)), int(number.q)) > MAX_BITS:
            raise InputError("a power of a number is too long: its digits times its exponent's "
                             f"numerator or denominator exceed {MAX_BITS * 3 // 10}")


def check_exp(argument: Any) -> None:
    """Refuse exponentials that SymPy turns into large powers: exp(c*log(b)) becomes b**c."""
    for term in sp.Add.make_args(argument):
        for log in term.atoms(sp.log):
            check_power(log.args[0], term.xreplace({log: sp.Integer(1)}))


def check_numbers(name: str, *arguments: Any) -> None:
    """Refuse gamma-like functions of large numbers: SymPy computes factorials at once."""
    for argument in arguments:
        if argument.is_number and abs(argument.evalf(15)) > MAX_EXPONENT:
            raise InputError(f"{name} takes numbers up to {MAX_EXPONENT} only")
