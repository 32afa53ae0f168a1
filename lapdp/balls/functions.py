"""The functions that have balls: SymPy class to operation."""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import acb, arb

from lapdp.balls import elementary as el
from lapdp.balls import special

# Functions of an argument that is real on the path, continued from the real axis: left of 0, where
# the principal values have their cut, they are holomorphic continuations of the values *on* it.
# Wrong for complex arguments.


def ei_on_reals(analytic: bool, z: Any) -> Any:
    """Ei z, as -E1(-z) left of 0."""
    return -(-z).expint(1) if analytic and z.real < 0 else special.ei(analytic, z)


def sqrt_on_reals(analytic: bool, z: Any) -> Any:
    """The square root, as i sqrt(-z) left of 0."""
    return acb(0, 1) * el.sqrt(True, -z) if analytic and z.real < 0 else el.sqrt(analytic, z)


def log_on_reals(analytic: bool, z: Any) -> Any:
    """The logarithm, as log(-z) + i pi left of 0."""
    if analytic and z.real < 0:
        return (-z).log(analytic=True) + acb(0, arb.pi())
    return OPS[sp.log](analytic, z)


def power_on_reals(analytic: bool, z: Any, w: Any) -> Any:
    """z^w, as (-z)^w exp(i pi w) left of 0."""
    if analytic and z.real < 0:
        return el.power(True, -z, w) * w.exp_pi_i()
    return el.power(analytic, z, w)


OPS: dict[type, el.Op] = {
    sp.exp: el.entire("exp"), sp.sin: el.entire("sin"), sp.cos: el.entire("cos"),
    sp.sinh: el.entire("sinh"), sp.cosh: el.entire("cosh"), sp.sinc: el.entire("sinc"),
    sp.tan: el.entire("tan"), sp.sec: el.entire("sec"), sp.tanh: el.entire("tanh"),
    sp.sech: el.entire("sech"),
    sp.cot: el.meromorphic("cot", True), sp.csc: el.meromorphic("csc", True),
    sp.coth: el.meromorphic("coth", True), sp.csch: el.meromorphic("csch", True),
    sp.asin: el.refused("asin", el.outside), sp.acos: el.refused("acos", el.outside),
    sp.atanh: el.refused("atanh", el.outside), sp.atan: el.refused("atan", el.axis),
    sp.asinh: el.refused("asinh", el.axis), sp.acosh: el.cut("acosh", lambda z: el.on_cut(z, 1)),
    sp.log: el.cut("log", singular_at_zero=True),
    sp.erf: el.entire("erf"), sp.erfc: el.entire("erfc"), sp.erfi: el.entire("erfi"),
    sp.erf2: lambda analytic, a, b: b.erf() - a.erf(),
    sp.erfinv: special.inverse_of_erf("erfinv"), sp.erfcinv: special.inverse_of_erf("erfcinv"),
    sp.gamma: special.gamma, sp.loggamma: special.loggamma, sp.polygamma: special.polygamma,
    sp.beta: special.beta,
    sp.factorial: lambda analytic, z: special.gamma(analytic, z + 1), sp.binomial: special.binomial,
    sp.uppergamma: special.uppergamma, sp.lowergamma: special.lowergamma,
    sp.expint: special.expint, sp.Ei: special.ei,
    sp.Si: el.entire("si"), sp.Shi: el.entire("shi"),
    sp.Ci: el.cut("ci", singular_at_zero=True), sp.Chi: el.cut("chi", singular_at_zero=True),
    sp.fresnels: el.entire("fresnel_s"), sp.fresnelc: el.entire("fresnel_c"),
    sp.besselj: special.bessel("bessel_j", False), sp.besseli: special.bessel("bessel_i", False),
    sp.bessely: special.bessel("bessel_y", True), sp.besselk: special.besselk,
    sp.zeta: el.entire("zeta"),
}
"""What each SymPy function means in balls.  ``sp.zeta`` is taken with one argument only."""
