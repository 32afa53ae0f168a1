"""Hypotheses of a statement, sorted by what they restrict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus.convert import to_form
from lapdp.calculus.form import Form
from lapdp.calculus.nodes import Primitive
from lapdp.calculus.ordering import Constraint
from lapdp.core.errors import Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.mixtures import is_mixture
from lapdp.theory import language as lang

PAIR_NODES = (pn.Profile, pn.LossCDF, pn.LossDensity, pn.Probability, pn.Expectation, pn.Moment,
              pn.RenyiDivergence)
KINDS = ("finite", "plus", "minus")


@dataclass
class Hypotheses:
    """Constraints on parameters, excluded points, supports of pairs, finite integrals."""

    constraints: list[Constraint] = field(default_factory=list)
    different: list[Form] = field(default_factory=list)
    nonzero: list[Any] = field(default_factory=list)
    converge: list[Any] = field(default_factory=list)
    defined: list[Any] = field(default_factory=list)
    no_atom: list[tuple[Any, Any]] = field(default_factory=list)
    forbidden: list[dict[tuple[Any, str], bool]] = field(default_factory=list)
    """Alternatives (a disjunction): each forbids kernels, keyed (pair, kind)."""
    continuous: list[str] = field(default_factory=list)
    """Names of functions declared continuous."""
    no_impulse: list[str] = field(default_factory=list)
    """Names of functions that have no impulses (continuous, or with a continuous integral)."""
    other: list[Any] = field(default_factory=list)
    """Hypotheses that kernels do not use: a proof without them is a proof."""


def gather(statement: Any) -> Hypotheses:
    """Sort the hypotheses of a statement, mechanisms' parameter ranges included."""
    h = Hypotheses(forbidden=[{}])
    for form in statement.where:
        _add(h, form)
    for identity in statement.pairs:
        for atom in identity.atoms():
            if atom.mechanism is not None:
                try:
                    h.constraints.extend(atom.mechanism.constraints())
                except Unsupported:
                    # parameters that cells do not read, such as an element of a sequence
                    h.other.append(atom.mechanism)
    return h


def _add(h: Hypotheses, form: Any) -> None:
    if isinstance(form, Relational):
        _add_relation(h, form)
    elif isinstance(form, lang.AllOf):
        for part in form.claims:
            _add(h, part)
    elif isinstance(form, lang.Converges):
        h.converge.append(form.node)
    elif isinstance(form, lang.Defined) and isinstance(
            form.expr, (pn.Moment, pn.Expectation)):
        h.defined.append(form.expr)
    elif isinstance(form, lang.Defined) and isinstance(form.expr, pn.RenyiDivergence):
        moment = pn.Moment(*form.expr.args)
        h.defined.append(moment)
        h.nonzero.append(moment)
        h.different.append(to_form(form.expr.args[0] - 1))
    elif isinstance(form, (lang.AbsolutelyContinuous, lang.OneWayContinuous)) and is_mixture(
            form.P, form.Q):
        h.other.append(form)
    elif isinstance(form, lang.AbsolutelyContinuous):
        _forbid(h, [_missing(form.P, form.Q)])
    elif isinstance(form, lang.OneWayContinuous):
        _forbid(h, [_missing(form.P, form.Q), _missing(form.Q, form.P)])
    elif isinstance(form, lang.NoAtom):
        h.no_atom.append((form.Z, form.x))
    elif isinstance(form, lang.Continuous) and not _on_the_line(form.t):
        h.other.append(form)
    elif isinstance(form, lang.Continuous) and isinstance(form.expr, AppliedUndef) and (
            form.expr.args == (form.t,)):
        h.continuous.append(type(form.expr).__name__)
        h.no_impulse.append(type(form.expr).__name__)
    elif isinstance(form, lang.Continuous) and isinstance(form.expr, Primitive) and isinstance(
            form.expr.args[0], AppliedUndef) and form.expr.args[0].args == (form.t,):
        h.no_impulse.append(type(form.expr.args[0]).__name__)
    else:
        h.other.append(form)


def _on_the_line(t: Any) -> bool:
    """Does a variable run over all real numbers?  What is continuous on a half-line may jump."""
    return bool(t.assumptions0 == sp.Symbol("t", real=True).assumptions0)


def _missing(P: Any, Q: Any) -> dict[tuple[Any, str], bool]:
    """P << Q removes k(+oo) from the pair (P, Q), in its own orientation; of a product, from each
    factor (a product of probability measures is absolutely continuous iff its factors are)."""
    identity, reverse = pn.oriented(P, Q)
    return {(atom, "minus" if reverse else "plus"): True for atom in identity.atoms()}


def _forbid(h: Hypotheses, alternatives: list[dict[tuple[Any, str], bool]]) -> None:
    h.forbidden = [{**old, **new} for old in h.forbidden for new in alternatives]


def _add_relation(h: Hypotheses, form: Any) -> None:
    difference = form.lhs - form.rhs
    if difference.has(*PAIR_NODES):
        if isinstance(form, sp.Ne) and form.rhs == 0:
            h.nonzero.append(form.lhs)
        else:
            h.other.append(form)
        return
    try:
        _add_order(h, form, difference)
    except Unsupported:
        h.other.append(form)


def _add_order(h: Hypotheses, form: Any, difference: Any) -> None:
    if isinstance(form, (sp.Gt, sp.Ge, sp.Lt, sp.Le)):
        sign = 1 if isinstance(form, (sp.Gt, sp.Ge)) else -1
        strict = isinstance(form, (sp.Gt, sp.Lt))
        h.constraints.append((real_form(sign * difference), ">" if strict else ">="))
    elif isinstance(form, sp.Ne):
        h.different.append(to_form(difference))
    else:
        h.constraints.append((real_form(difference), "="))


def real_form(e: Any) -> Form:
    """A form with re() and im() of sums spread out."""
    form = to_form(sp.expand(e).xreplace({
        x: x for x in sp.sympify(e).atoms(sp.re, sp.im)}))
    if form != form.real_part():
        raise Unsupported(f"the condition on {e} is not a real one")
    return form
