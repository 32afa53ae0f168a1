"""The table of symbols: sorts of the arguments, sort of the value, and where a value exists.

``x>y`` as the sort of an argument: the symbol binds a variable of sort x in an argument of sort y.
Every symbol is total; outside its domain (``DOMAINS``) its value means nothing, and a statement is
proved only together with its domain condition, see :mod:`lapdp.kernel.domain`.
"""

from __future__ import annotations

SORTS = frozenset("RCFOSDGHJLW")
ALIKE = ("R", "C")

SIGNATURES: dict[str, tuple[tuple[str, ...], str]] = {
    # numbers: real, or complex where K is C
    **{f: (("K", "K"), "K") for f in ("add", "mul")},
    **{f: (("K",), "K") for f in ("inv", "exp")},  # 1/x; domain x != 0
    "if": (("F", "K", "K"), "K"),
    "abs": (("K",), "R"),
    **{f: (("R", "R"), "R") for f in ("max", "min")},
    # the domain of log is x > 0, that of sqrt x >= 0
    **{f: (("R",), "R") for f in ("log", "sqrt", "erfc", "cos", "sin")},
    "clog": (("C",), "C"),         # principal logarithm, -pi < im <= pi; domain z != 0
    "cx": (("R",), "C"),           # a real number as a complex one
    "pi": ((), "R"), "i": ((), "C"),
    **{f: (("C",), "R") for f in ("re", "im")},
    # formulas
    "eq": (("K", "K"), "F"),
    **{f: (("R", "R"), "F") for f in ("le", "lt")},
    "false": ((), "F"), "not": (("F",), "F"),
    **{f: (("F", "F"), "F") for f in ("and", "or", "imp", "iff")},
    "nat": (("R",), "F"),          # a whole number >= 0
    **{f"all{s}": ((f"{s}>F",), "F") for s in "RCOSDGH"},
    **{f"ex{s}": ((f"{s}>F",), "F") for s in "RCOSDGH"},
    # densities on one sigma-finite space, events, functions
    "dens": (("D", "O"), "R"),
    "given": (("H", "O"), "D"),    # a family's density for an outcome; measurable in both
    "in": (("O", "S"), "F"),
    "set": (("O>F",), "S"),        # the outcomes of which a formula holds; see `measurable`
    "app": (("G", "R"), "R"),
    "app3": (("J", "R", "R", "R"), "R"),
    # releases one after another: the outcome that stands for a history and one more outcome, the
    # density of release number i after a history, functions of five numbers and a history
    "then": (("O", "O"), "O"),
    "stage": (("L", "R", "O"), "D"),
    "app6": (("W", "R", "R", "R", "R", "R", "O"), "R"),
    # integrals: over the space, over the line (Lebesgue); 0 where the integrand is not integrable
    "oint": (("O>K",), "K"),
    "lint": (("R>K",), "K"),
    "oiny": (("O>K",), "F"),       # is integrable
    "liny": (("R>K",), "F"),
    # limits and suprema
    "tends": (("R>K", "K"), "F"),  # f(t) -> limit as t -> +oo
    "supS": (("S>R",), "R"),       # supremum over all events; domain: bounded above
    "supR": (("R>F",), "R"),       # supremum of a set of reals; domain: bounded above, not empty
}

QUANTIFIERS = frozenset(f"{kind}{s}" for kind in ("all", "ex") for s in "RCOSDGH")
INTEGRALS = {"oint": "oiny", "lint": "liny"}
UNARY = frozenset({"log", "clog", "sqrt", "erfc", "cos", "sin", "inv"})
"""Functions of one number: alike where their arguments are equal as polynomials."""
UNMEASURABLE = QUANTIFIERS | {"tends", "supS", "supR"}
"""Symbols that may make a function of a bound variable unmeasurable."""
