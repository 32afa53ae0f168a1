"""Analytic facts that the code does not derive: each proof lists the ones it stands on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Fact:
    """A theorem of analysis taken as known: its name, what it says, where it is proved."""

    name: str
    says: str
    source: str


DISINTEGRATION = Fact(
    "disintegration",
    "every pair (P, Q) is a mixture of point-mass kernels over its likelihood ratio",
    "Kallenberg, Foundations of Modern Probability, thm 3.4",
)
TONELLI = Fact(
    "tonelli",
    "integrals of non-negative functions may be exchanged, values in [0, oo]",
    "Rudin, Real and Complex Analysis, thm 8.8(a)",
)
FUBINI = Fact(
    "fubini",
    "absolutely convergent integrals may be exchanged",
    "Rudin, Real and Complex Analysis, thm 8.8(b)",
)
DOMINATED_CONVERGENCE = Fact(
    "dominated convergence",
    "limits pass under an integral that has an integrable bound",
    "Rudin, Real and Complex Analysis, thm 1.34",
)
MONOTONE_CONVERGENCE = Fact(
    "monotone convergence",
    "limits of monotone sequences of functions with an integrable bound on one side pass under "
    "the integral",
    "Rudin, Real and Complex Analysis, thm 1.26",
)
MODULUS = Fact(
    "modulus of an integral",
    "the modulus of a complex integral is at most the integral of the modulus",
    "Rudin, Real and Complex Analysis, thm 1.33",
)
HAHN = Fact(
    "hahn decomposition",
    "a supremum over events of a signed measure is the integral of its positive part",
    "Rudin, Real and Complex Analysis, thm 6.14",
)
NEYMAN_PEARSON = Fact(
    "neyman-pearson",
    "for every level in [0, 1] some test of exactly that size has the least error of second kind",
    "Lehmann and Romano, Testing Statistical Hypotheses, thm 3.2.1",
)
MINIMAX = Fact(
    "minimax",
    "inf over tests and sup over multipliers of a bilinear Lagrangian may be exchanged: tests are "
    "weak-* compact",
    "Sion, On general minimax theorems, thm 3.4",
)
CONVEX_CONTINUITY = Fact(
    "continuity of closed convex functions",
    "a finite convex lower semicontinuous function on a compact interval is continuous on it",
    "Rockafellar, Convex Analysis, thm 10.2",
)
SUPPORTING_LINE = Fact(
    "supporting line",
    "a finite convex function on an interval lies above a line through each inner point of its "
    "graph; the slope is <= 0 where the function does not increase",
    "Rockafellar, Convex Analysis, thm 23.4",
)
DISTRIBUTION_FUNCTION = Fact(
    "convex distribution functions",
    "a convex function F on [0, 1] that rises from F(0) = 0 and is at most 1 is, on [0, 1), the "
    "distribution function of a law on [0, 1] with a non-decreasing density below 1 and the rest "
    "of its mass at 1",
    "Rockafellar, Convex Analysis, cor. 24.2.1; Rudin, Real and Complex Analysis, thm 7.18",
)
RESIDUES = Fact(
    "residues",
    "inversion of an exponential polynomial with breakpoints by closing the contour (Jordan)",
    "Widder, The Laplace Transform, ch. II sec. 7",
)
JORDAN_INVERSION = Fact(
    "jordan inversion",
    "the inversion integral of a function of bounded variation is the mean of its one-sided limits",
    "Widder, The Laplace Transform, ch. VI thm 5a",
)
DIRICHLET = Fact(
    "dirichlet integrals",
    "the integral of sin(c t)/t over h < t < T is bounded uniformly in c, h and T, and tends to "
    "(pi/2) sign(c) as h tends to 0 and T to oo",
    "Durrett, Probability: Theory and Examples, 5th ed., thm 3.3.11 (proof) and ex. 1.7.5",
)
PARTS = Fact(
    "integration by parts",
    "Stieltjes integration by parts for functions of locally bounded variation",
    "Widder, The Laplace Transform, ch. I thm 4a",
)
DENSITY = Fact(
    "truncation",
    "integrable functions of bounded variation are limits of such ones with compact support, "
    "in the sum of the L1 norm and the variation",
    "Widder, The Laplace Transform, ch. I thm 4a, and g(t) -> 0 at both ends",
)
DISTRIBUTIONS = Fact(
    "distributional derivative",
    "generalised derivatives are linear and pass under mixtures with locally integrable bound",
    "Rudin, Functional Analysis, ch. 6",
)
IDENTITY_THEOREM = Fact(
    "identity theorem",
    "analytic functions that agree on a set with a limit point agree on the whole domain",
    "Rudin, Real and Complex Analysis, thm 10.18",
)
FOURIER_UNIQUENESS = Fact(
    "fourier uniqueness",
    "a finite complex measure on the line whose Fourier transform vanishes is 0",
    "Katznelson, An Introduction to Harmonic Analysis, ch. VI thm 2.2",
)
DERIVATIVE_AND_POINT = Fact(
    "constancy",
    "a function on an interval whose derivative vanishes is constant",
    "mean value theorem",
)
MEAN_VALUE = Fact(
    "mean value theorem",
    "a function on an interval whose derivative is non-negative is non-decreasing",
    "Rudin, Principles of Mathematical Analysis, thm 5.11",
)
ERFC_ENVELOPE = Fact(
    "erfc envelope",
    "the asymptotic series of erfc brackets it: partial sums lie alternately above and below",
    "DLMF 7.12(i)",
)
CONVEX_MIXTURE = Fact(
    "mixture of hinges",
    "a convex function on (0, oo) is affine plus a mixture, with the measure f'' >= 0, of the "
    "hinges (x - u)+, u >= 1, and (u - x)+, u < 1; so a convex f-divergence is affine in the "
    "masses plus a mixture of privacy profiles",
    "Liese and Vajda, On divergences and informations, IEEE Trans. Inf. Theory 52 (2006), thm 1",
)
INTERPOLATION = Fact(
    "interpolation",
    "a convex function lies below its chords; the interpolant is affine plus hinges at the kinks",
    "Boyd and Vandenberghe, Convex Optimization, sec. 3.1.8",
)
BLACKWELL = Fact(
    "comparison of dichotomies",
    "a pair (P, Q) is a post-processing of a finite pair (w, v), that is P = sum w_i D_i and "
    "Q = sum v_i D_i with distributions D_i, exactly when its privacy profile lies below that of "
    "(w, v) on all of R",
    "Torgersen, Comparison of Statistical Experiments, thm 9.3.15; Strassen, The existence of "
    "probability measures with given marginals, Ann. Math. Stat. 36 (1965), thm 3",
)

BERRY_ESSEEN = Fact(
    "berry-esseen",
    "the distribution function of a sum of n >= 1 independent copies of a variable with variance "
    "s^2 > 0 and finite absolute central third moment b differs from that of the normal law of the "
    "same mean and variance by at most 0.33554 (b/s^3 + 0.415)/sqrt(n), which is less than "
    "0.4748 b/(s^3 sqrt(n)), since b >= s^3",
    "Shevtsova, On the absolute constants in the Berry-Esseen type inequalities for identically "
    "distributed summands, arXiv:1111.6554 (2011)",
)
NAGAEV = Fact(
    "nonuniform berry-esseen",
    "for sums as in Berry-Esseen's theorem, n >= 1, the difference at a point t standard "
    "deviations from the mean is at most 25.80 b/(s^3 sqrt(n) (1 + |t|^3))",
    "Pinelis, On the nonuniform Berry-Esseen bound, in: Inequalities and Extremal Problems in "
    "Probability and Statistics (2017), section 1",
)
BERRY_ESSEEN_UNLIKE = Fact(
    "berry-esseen for unlike summands",
    "the distribution function of a sum of independent variables with sum of variances v > 0 and "
    "sum of absolute central third moments b differs from that of the normal law of the same mean "
    "and variance by at most 0.56 b/v^(3/2)",
    "Shevtsova, An improvement of convergence rate estimates in the Lyapunov theorem, Doklady "
    "Mathematics 82 (2010)",
)

SAME_TRANSFORMS = Fact(
    "same transforms",
    "two finite measures on the line whose Laplace transforms are finite and equal on an open "
    "interval are the same",
    "Billingsley, Probability and Measure, 3rd ed., thm 30.1, the measures weighted by exp(s x) "
    "for an s of the interval",
)
SAME_CHARACTERISTIC_FUNCTIONS = Fact(
    "same characteristic functions",
    "two finite measures on the line with the same characteristic function are the same",
    "Billingsley, Probability and Measure, 3rd ed., thm 26.2",
)
SAME_DISTRIBUTION_FUNCTIONS = Fact(
    "same distribution functions",
    "two finite measures on the line with the same distribution function are the same",
    "Billingsley, Probability and Measure, 3rd ed., thm 3.3",
)
GIL_PELAEZ_INVERSION = Fact(
    "gil-pelaez",
    "for a finite measure on the line with characteristic function phi, the integrals of "
    "i exp(-i u v) phi(u)/u over e < |u| <= 1 and 1 < |u| < t converge as e -> 0 and t -> oo, and "
    "the limits add up to pi times the mass below v less that above v",
    "Gil-Pelaez, Note on the inversion theorem, Biometrika 38 (1951)",
)
BROMWICH_INVERSION = Fact(
    "bromwich",
    "a two-sided Laplace transform of positive parts max(0, 1 - exp(v - x)), averaged by a finite "
    "measure, is inverted by the integral along a vertical line; beside the poles 0 and 1 the "
    "residues are added",
    "Widder, The Laplace Transform, chapter VI, thm 5a; residues of exp(s y)/(s (s - 1))",
)

FIBRES = Fact(
    "fibres",
    "a joint law with a measurable family of second laws is the mixture, over the first outcome, "
    "of the first kernel times the second law",
    "Kallenberg, Foundations of Modern Probability, thms 3.4 and 8.5",
)
BOUNDED_MOMENTS = Fact(
    "moments on a bounded interval",
    "a probability measure on a bounded interval is determined by its moments of whole orders",
    "Billingsley, Probability and Measure, 3rd ed., section 30 (Hausdorff 1921)",
)
GROWING_MOMENTS = Fact(
    "moments that grow slowly",
    "a probability measure on the line with moments a_k of all whole orders k is determined by "
    "them if the power series of a_k r^k / k! has a positive radius of convergence",
    "Billingsley, Probability and Measure, 3rd ed., thm 30.1",
)
INDUCTION = Fact(
    "induction",
    "what holds at 0, and at l + 1 whenever it holds at l, holds at every whole number",
    "Peano",
)

ALL_FACTS = tuple(
    sorted(value for value in list(globals().values()) if isinstance(value, Fact))
)
