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
    "add": (("K", "K"), "K"),
    "mul": (("K", "K"), "K"),
    "inv": (("K",), "K"),          # 1/x; domain x != 0
    "exp": (("K",), "K"),
    "if": (("F", "K", "K"), "K"),
    "abs": (("K",), "R"),
    "max": (("R", "R"), "R"),
    "min": (("R", "R"), "R"),
    "log": (("R",), "R"),          # domain x > 0
    "clog": (("C",), "C"),         # principal logarithm, -pi < im <= pi; domain z != 0
    "sqrt": (("R",), "R"),         # domain x >= 0
    "erfc": (("R",), "R"),
    "cos": (("R",), "R"),
    "sin": (("R",), "R"),
    "pi": ((), "R"),
    "cx": (("R",), "C"),           # a real number as a complex one
    "i": ((), "C"),
    "re": (("C",), "R"),
    "im": (("C",), "R"),
    # formulas
    "eq": (("K", "K"), "F"),
    "le": (("R", "R"), "F"),
    "lt": (("R", "R"), "F"),
    "false": ((), "F"),
    "not": (("F",), "F"),
    "and": (("F", "F"), "F"),
    "or": (("F", "F"), "F"),
    "imp": (("F", "F"), "F"),
    "iff": (("F", "F"), "F"),
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
