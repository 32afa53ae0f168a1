"""Products of exact pairs against the convolution of their losses, compared with ==."""

from __future__ import annotations

from fractions import Fraction as Fr

from hypothesis import given
from hypothesis import strategies as st

from lapdp.privacy.finite import finite
from lapdp.testing.strategies import alphas, channels, finite_pairs
from tests.oracle import finite as oracle
from tests.oracle.convolution import convolve
from tests.oracle.reals import log
from tests.oracle.transforms import density_signal, profile_signal

small = finite_pairs(max_size=3)


@st.composite
def products_and_alphas(draw):
    """Two pairs and a place: any alpha, or a breakpoint of their product."""
    first, second = draw(small), draw(small)
    cuts = (first * second).breakpoints()
    alpha = draw(st.one_of(alphas(), st.sampled_from(cuts)) if cuts else alphas())
    return first, second, alpha


@given(products_and_alphas())
def test_product_is_a_convolution_of_losses(case):
    """(47) with its mass at infinity: sum of f_2(tau) delta_1(eps - tau), plus Pr[Z_2 = oo]."""
    first, second, alpha = case
    expected = second.mass_at_infinity + sum(
        (m * first.hockey_stick(alpha / r) for r, m in second.loss_masses() if r is not None),
        Fr(0),
    )
    assert (first * second).hockey_stick(alpha) == expected


@given(products_and_alphas())
def test_product_by_the_oracle(case):
    first, second, alpha = case
    both = oracle.product_pair((first.P, first.Q), (second.P, second.Q))
    composed = first * second
    assert both == (composed.P, composed.Q)
    convolved = convolve(profile_signal(first.P, first.Q), density_signal(second.P, second.Q))
    assert convolved.value(log(alpha)) + second.mass_at_infinity == composed.hockey_stick(alpha)


@given(small, small)
def test_losses_add(first, second):
    """The loss of a product is the sum of the losses; infinite when either is."""
    expected = {}
    for r, m in first.loss_masses():
        for s, n in second.loss_masses():
            ratio = None if r is None or s is None else r * s
            expected[ratio] = expected.get(ratio, Fr(0)) + m * n
    assert dict((first * second).loss_masses()) == expected


@given(small, small, small)
def test_product_is_a_commutative_monoid_up_to_merging(first, second, third):
    assert (first * second).merge() == (second * first).merge()
    assert ((first * second) * third).merge() == (first * (second * third)).merge()
    assert (first * finite([1], [1])).merge() == first.merge()
    assert (first.merge() * second.merge()).merge() == (first * second).merge()
    assert (first * second).reverse() == first.reverse() * second.reverse()


@given(small, st.integers(0, 4), st.integers(0, 3))
def test_powers(pair, j, k):
    assert (pair ** (j + k)).merge() == (pair**j * pair**k).merge()


@given(small, small, st.integers(-4, 5))
def test_moments_multiply(first, second, q):
    """(51) for E_q, infinite moments included: an integer moment outside (0, 1) is never 0."""
    assert (first * second).moment(q) == first.moment(q) * second.moment(q)


@given(small, small, alphas())
def test_composition_never_loses_to_a_part(first, second, alpha):
    assert (first * second).hockey_stick(alpha) >= first.hockey_stick(alpha)


@given(small, small, st.data())
def test_composition_respects_dominance(first, second, data):
    image = first.post_process(data.draw(channels(len(first.masses), max_out=3)))
    assert (first * second).profile_dominates(image * second)
