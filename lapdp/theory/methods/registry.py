"""The methods beside kernels, in the order in which the engine tries them.

A method is a function ``(statement, prove) -> Judgement | None``: None where it does not apply, and
it raises what stops it.  ``prove`` proves a statement to which this one is reduced, with the same
engine, and returns its sealed proof or raises :class:`Unsupported`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from lapdp.core.facts import Fact
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, Proof, seal
from lapdp.theory.methods.having_values import Prove, values_of_parts
from lapdp.theory.obligations import ByProof


@dataclass(frozen=True)
class Method:
    """A way to judge a statement: its name in verdicts, and where it is written.

    ``early``: asked before kernels where hypotheses speak of pairs in ways that kernels ignore.
    ``mixtures``: may it be asked of statements with mixtures of distributions?  Only methods that
    leave a notion to the interpreter, or refuse a mixture: delta(lam*P + (1 - lam)*Q, Q) is no
    profile of (P, Q), it has none where lam lies outside [0, 1], and tells nothing at lam = 0.
    ``replaces``: does it put something in?  What the claim says is then proved to have a value.
    ``clears``: does it prove itself that what depends on pairs and is divided by is not 0?
    """

    name: str
    module: str
    function: str
    early: bool = False
    mixtures: bool = False
    replaces: bool = False
    clears: bool = False

    def run(self, statement: Any, prove: Prove) -> Judgement | None:
        """Ask the method (its module is loaded when it is needed)."""
        module = import_module(f"lapdp.theory.methods.{self.module}")
        found: Judgement | None = getattr(module, self.function)(statement, prove)
        if found is None or not self.replaces or found.proof is None:
            return found
        parts = values_of_parts(statement, prove, divided=not self.clears)
        if not parts:
            return found
        return by_lemmas(found.method, [("the relation", found.proof), *parts], found.proof.facts)


METHODS = (
    Method("balls of numbers", "numbers", "by_numbers", early=True),
    Method("Gaussian pairs", "gaussian_pairs", "by_gaussian_pairs", early=True),
    Method("a bounded letter", "bounded_letters", "by_bounded_letters", early=True, replaces=True),
    Method("a multiple of a moment", "moment_bounds", "by_moment_bounds", early=True,
           replaces=True),
    Method("multiples of divergences", "divergence_multiples", "by_divergence_multiples",
           early=True, replaces=True),
    Method("linear reasoning", "real_lemmas", "by_polynomials"),
    Method("multiples", "multiples", "by_multiples"),
    Method("two implications", "implications", "by_halves", mixtures=True),
    Method("independent losses", "inner_losses", "by_independence", early=True, replaces=True,
           clears=True),
    Method("parts", "implications", "by_parts", early=True, mixtures=True),
    Method("events that exist", "existence", "by_choice", early=True),
    Method("quotients of values", "ratios", "by_quotients", replaces=True, clears=True),
    Method("normal approximation", "normal_approximation", "by_normal_approximation", early=True),
    Method("complete invariant", "determination", "by_determination"),
    Method("data processing", "channels", "by_data_processing", early=True),
    Method("convex order", "dominance", "by_dominance"),
    Method("point guarantees", "guarantees", "by_guarantees", early=True),
    Method("uniqueness of transforms", "uniqueness", "by_uniqueness"),
    Method("a number cancelled", "added", "by_cancellation", early=True),
    Method("a hypothesis added", "added", "by_addition"),
    Method("averages", "averages", "by_averages", early=True, mixtures=True),
    Method("images of dominance", "hinges", "by_images", early=True, mixtures=True),
    Method("order of hinges", "hinges", "by_hinges", early=True, mixtures=True),
    Method("moduli on kernels", "moduli", "by_moduli"),
    Method("kernels with a multiplier", "multipliers", "by_multiplier", mixtures=True),
    Method("positive kernels", "positivity", "by_positivity"),
    Method("an equation", "bounded_letters", "by_equations", replaces=True),
    Method("moments of factors", "moment_bounds", "by_factors", early=True, replaces=True),
    Method("improper integrals", "improper", "by_absolute_convergence"),
    Method("a bound", "implications", "by_bound"),
    Method("a hypothesis more", "implications", "by_hypothesis"),
    Method("mixtures", "mixtures", "by_mixtures"),
    Method("values at points", "jets", "by_jets"),
    Method("a term between", "chains", "by_chain", early=True, mixtures=True),
    Method("a special case", "averages", "by_merging", early=True, mixtures=True),
    Method("any element", "universal", "by_elements", early=True),
    Method("instances of a hypothesis", "supposed", "by_instances", early=True, replaces=True),
    Method("fibres", "fibres", "by_fibres", early=True),
    Method("continuity of combinations", "continuity", "by_composition"),
    Method("induction", "induction", "by_induction", early=True, replaces=True),
    Method("unfolding", "induction", "by_unfolding", early=True, replaces=True),
    Method("binomial means", "means", "by_integrands", early=True, replaces=True),
    Method("mean loss", "logarithms", "by_mean_loss"),
    Method("asymptotics", "asymptotics", "big_o"),
    Method("shape of a function", "shapes", "by_shape", mixtures=True),
    Method("pairs on [0, 1]", "unit_interval", "by_unit_interval", early=True),
    Method("a pair with a given profile", "unit_interval", "by_given_profile"),
    Method("tests", "trade_offs", "by_tests", early=True, mixtures=True),
    Method("tests of size 0", "level_zero", "by_tests_of_size_zero"),
    Method("conjugate curves", "conjugates", "by_conjugates"),
    Method("derivative and one point", "special", "by_derivative", mixtures=True),
    Method("signs of profiles", "profile_order", "by_profile_signs"),
    Method("monotone descent", "order", "by_order"),
    Method("transforms by moments", "moments", "by_moments"),
    Method("change of variable", "substitution", "by_substitution", replaces=True),
    Method("joined half-lines", "half_lines", "by_halves_of_line"),
    Method("a value of a supremum", "half_lines", "by_value_of_supremum"),
    Method("threshold tests", "half_lines", "by_threshold"),
    Method("moments by profiles", "moment_order", "by_profile_order", mixtures=True),
    Method("the largest loss", "largest_losses", "by_largest_loss", mixtures=True),
    Method("counterexample", "counterexamples", "by_counterexample"),
    Method("the contrary", "counterexamples", "by_contrary", mixtures=True),
)
"""Tried in this order after kernels, but for the early ones."""


def by_lemmas(name: str, lemmas: Iterable[tuple[str, Proof]], facts: Iterable[Fact] = ()
              ) -> Judgement:
    """Seal a statement that follows from proved ones; the facts of those are facts of this one.

    The reduction itself, that these lemmas imply the statement, is the business of the method.
    """
    found = list(lemmas)
    used = {*facts, *(f for _, proof in found for f in proof.facts)}
    trees = tuple((what, Leaf((ByProof(proof, what),))) for what, proof in found)
    return Judgement(Kind.DERIVED, name, proof=seal(Certificate(name, trees, tuple(used))))


__all__ = ["METHODS", "Method", "Prove", "by_lemmas"]
