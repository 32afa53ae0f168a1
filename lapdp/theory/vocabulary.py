"""The words of formulas written as text: constants, functions, and hints for near misses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import B, D, Int, L, Linv, conv
from lapdp.core.errors import InputError
from lapdp.theory import guards
from lapdp.theory.guards import clip

MAX_ORDER = 100
"""Order of a derivative."""

CONSTANTS = {"pi": sp.pi, "oo": sp.oo, "I": sp.I, "EulerGamma": sp.EulerGamma}
HINTS = {
    "E": "write exp(1) for Euler's number",
    "e": "write exp(x) for powers of Euler's number",
    "inf": "write oo for infinity",
    "infinity": "write oo for infinity",
    "Infinity": "write oo for infinity",
    "nan": "a number is needed",
    "NaN": "a number is needed",
    **dict.fromkeys(("densities", "law", "outcomes"), "from Python only: see lapdp mechanisms"),
    **dict.fromkeys(
        ("FiniteSum", "BinomialMean", "Lim", "LimInt", "Inf", "PV", "Impulse", "Primitive",
         "Exists", "Implies", "Iff", "Where", "Indicator", "Converges", "Continuous",
         "SameMeasure", "BigO", "composition", "adaptive_pair", "recursion"),
        "texts do not have it: write the statement in Python, see docs/language.md"),
    "ln": "write log(x)",
    **dict.fromkeys(("tv", "dTV", "TotalVariation"), "total variation is TV(P, Q)"),
    **dict.fromkeys(("kl", "Dkl", "DKL", "D_KL", "KLD"),
                    "the Kullback-Leibler divergence is KL(P, Q)"),
    **dict.fromkeys(("hellinger", "H2", "Hell"),
                    "the Hellinger distance is Hellinger(P, Q), its square 1 - BC(P, Q)"),
    **dict.fromkeys(("bc", "affinity", "Bhattacharyya"),
                    "the affinity, the integral of sqrt(P Q), is BC(P, Q)"),
    **dict.fromkeys(("Chi2", "ChiSquared", "chisq", "chi_squared"), "chi-squared is chi2(P, Q)"),
    **dict.fromkeys(("HS", "hockey_stick", "HockeyStick"),
                    "the hockey-stick divergence of order exp(eps) is delta(P, Q)(eps)"),
    **dict.fromkeys(("renyi", "Renyi", "RenyiDivergence", "D_alpha", "D_q", "Dalpha"),
                    "the Renyi divergence of order q is R(P, Q)(q)"),
    **dict.fromkeys(("subsample", "subsampled", "sample", "sampled", "PoissonSubsampled"),
                    "a mechanism on a Poisson sample is poisson(mechanism, rate)"),
    "factorial": "write gamma(n + 1)",
    "float": "write decimals such as 0.1: they are exact",
}

NOTIONS = "; notions of pairs: delta, T, R, E, PLD, F, f, Pr, Ex, TV, KL, chi2, BC, Hellinger"
"""Closes the list of functions."""


def _derivative(g: Any, t: Any, n: Any = sp.S.One) -> Any:
    if not n.is_Integer or not 0 < n <= MAX_ORDER:
        raise InputError(f"the order of a derivative is an integer from 1 to {MAX_ORDER}")
    return D(g, t, int(n))


def _unchecked(name: str, *arguments: Any) -> None:
    """For functions that SymPy builds without computing."""


@dataclass(frozen=True)
class Function:
    """A known name: what it builds, how many arguments it takes, which check comes first."""

    build: Callable[..., Any]
    least: int = 1
    most: int = 1
    check: Callable[..., None] = _unchecked


def _of_numbers(*builds: Any, count: int = 1) -> dict[str, Function]:
    return {f.__name__: Function(f, count, count, guards.check_numbers) for f in builds}


FUNCTIONS = {
    **{f.__name__: Function(f) for f in (
        sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, sp.sinh, sp.cosh, sp.tanh,
        sp.atan, sp.asinh, sp.sqrt, sp.Abs, sp.sign, sp.re, sp.im, sp.arg, sp.conjugate, sp.floor,
        sp.Heaviside, sp.DiracDelta,
    )},
    "abs": Function(sp.Abs),
    **dict.fromkeys(("Max", "max"), Function(sp.Max, 1, 100)),
    **dict.fromkeys(("Min", "min"), Function(sp.Min, 1, 100)),
    **_of_numbers(sp.gamma, sp.loggamma, sp.erf, sp.erfc, sp.erfi, sp.Ei, sp.E1),
    **_of_numbers(sp.uppergamma, sp.lowergamma, sp.expint, sp.besselj, sp.bessely, sp.besseli,
                  sp.besselk, count=2),
    "L": Function(L, 3, 3), "B": Function(B, 3, 3), "Linv": Function(Linv, 4, 4),
    "Int": Function(Int, 2, 4), "D": Function(_derivative, 2, 3), "conv": Function(conv, 3, 4),
}


def unknown(name: str, known: Iterable[str]) -> InputError:
    """The error for a name that is not in ``known``: a hint, the closest name, or all of them.

    >>> unknown("expp", ["exp", "log"])
    InputError("unknown name 'expp': did you mean exp?")
    """
    known = set(known)
    close = get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    listing = f"did you mean {close[0]}?" if close else (
        f"known are {', '.join(sorted(known))}" + (NOTIONS if FUNCTIONS.keys() <= known else ""))
    return InputError(f"unknown name {clip(name)}: {HINTS.get(name, listing)}")
