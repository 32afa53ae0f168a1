"""A sample of the campaign against references, and that it would see an enclosure that lies."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import pytest

import lapdp
from lapdp.accounting.answers import Answer
from lapdp.balls.decimals import Enclosure
from lapdp.privacy import catalogue
from tests.campaigns import catalogue_references, product_references, references
from tests.campaigns.references import BAD, HELD, MISS, WIDE, entries, judged
from tests.oracle import finite as oracle


def test_a_sample_has_no_miss():
    found = list(entries(30, 11, 10))
    assert len(found) == 30 and len({e.family for e in found}) > 5
    assert not [e for e in found if e.outcome in BAD], references.summary(found)
    assert sum(e.outcome == HELD for e in found) >= 27


@pytest.mark.parametrize("family", catalogue_references.FAMILIES)
def test_the_rest_of_the_catalogue_has_no_miss_and_would_see_one(family):
    draw = random.Random(7)
    for _ in range(4):
        pair, profile, name = family(draw)
        with mp.workdps(80):
            for at in (Fraction(-1, 7), Fraction(1, 9), Fraction(3, 4)):
                found = pair.delta(references.rational(at), digits=12)
                assert judged(found, profile, "delta", at, (12, 60)) == HELD, (name, pair)
                if found.value:
                    moved = replace(found, enclosure=Enclosure(
                        found.value * (1 + Fraction(1, 10**9)), found.value / 10**13))
                    assert judged(moved, profile, "delta", at, (12, 60)) == MISS, (name, pair)


@pytest.mark.parametrize("seed", range(40))
def test_joint_masses_are_those_of_the_definitions(seed):
    draw, parts = random.Random(seed), []
    while len(parts) < 2:
        part = product_references.listed(draw)
        parts += [(part, draw.choice((1, 2)))] * bool(part.masses)
    both = (Fraction(1),), (Fraction(1),)
    for part, copies in parts:
        for _ in range(copies):
            both = oracle.product_pair(both, tuple(zip(*part.masses, strict=True)))
    for alpha in (Fraction(1, 3), Fraction(1), Fraction(7, 5)):
        there = oracle.hockey_stick(*both, alpha)
        with mp.workdps(40):
            found = product_references.joint(parts, None)(mp.log(references.number(alpha)))
            assert abs(found - references.number(there)) < mp.mpf(10) ** -35


@pytest.mark.parametrize("kind", product_references.LISTED)
def test_listed_masses_are_those_of_the_mechanism(kind):
    """Each with the moments that the pair states, reversed and sampled, too; they sum to 1."""
    draw = random.Random(5)
    for part in (kind(draw), kind(draw).reversed(), kind(draw).sampled(Fraction(1, 3), "add"),
                 kind(draw).sampled(Fraction(1, 10), "remove")):
        with mp.workdps(40):
            rows = part.rows()
            for side in range(2):
                assert abs(sum(row[side] for row in rows) - 1) < mp.mpf(10) ** -35
            for at in (Fraction(-1, 7), Fraction(2, 9)):
                t = references.number(at)
                there = sum(max(p - mp.exp(t) * q, 0) for p, q in rows)
                found = part.pair.delta(references.rational(at), digits=30)
                assert abs(references.number(found.value) - there) < mp.mpf(10) ** -29
            for loss in part.losses:
                x = mp.exp(references.number(loss))
                assert any(q and abs(p / q / x - 1) < 1e-30 for p, q in rows)


def test_products_have_no_miss():
    found = []
    for seed in (0, 1, 2, 5, 9, 14, 17, 19):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(references, "families", lambda rest: product_references.FAMILIES)
            found += references.case(random.Random(seed), 20)
    assert len({e.method for e in found}) > 10
    assert not [e for e in found if e.outcome in BAD], references.summary(found)
    assert sum(e.outcome == HELD for e in found) > 50


def test_all_of_the_catalogue_is_asked_about():
    texts = " ".join(repr(draw.choice(references.families())(draw)[0])
                     for draw in map(random.Random, range(250)))
    asked = set(re.findall(r"(\w+)\(", texts))
    # these are other names, or said by their outcomes
    assert set(catalogue()) - asked <= {"approximate_dp", "coarsen", "subset", "mixture"}


@pytest.mark.parametrize("seed", range(30))
def test_two_laplaces_by_antiderivatives_and_by_quadrature(seed):
    draw = random.Random(seed)
    scales = [Fraction(draw.randint(1, 400), draw.choice((100, 13))) for _ in range(2)]
    with mp.workdps(40):
        a, b, other = 1 / references.number(scales[0]), 1 / references.number(
            scales[1]), references.laplace(scales[1])
        for share in (-1.5, -1, -0.4, 0, 0.3, 0.8, 1, 1.2):
            t = share * (a + b)
            cuts = sorted({-a, a, *(min(max(x, -a), a) for x in (t - b, t + b))})
            found = other(t - a) / 2 + mp.exp(-a) * other(t + a) / 2 + mp.quad(
                lambda z, t=t: mp.exp((z - a) / 2) / 4 * other(t - z), cuts)
            assert abs(found - references.two_laplaces(*scales)(t)) < mp.mpf(10) ** -30 * (
                1 + mp.exp(t))


@pytest.mark.parametrize("family", references.FAMILIES[:11])
def test_each_family_has_references_of_its_own(family):
    """The pair answers as the reference says, to fifteen digits, and not as that of another one."""
    draw = random.Random(3)
    pair, profile, _ = family(draw)
    with mp.workdps(60):
        there = profile(mp.mpf(1) / 8)
        found = pair.delta("1/8", digits=15)
        assert abs(references.number(found.value) - there) <= references.number(
            found.radius) + mp.mpf(10) ** -40
        other = profile(mp.mpf(1) / 9)
        assert there < other or there == other in (0, 1)


def test_two_sampled_gaussians_by_an_integral():
    with mp.workdps(36):
        there = references.two_sampled(Fraction(1), Fraction(1, 10))(mp.mpf(1) / 5)
        found = (lapdp.poisson(lapdp.gaussian(1), "1/10", direction="remove") ** 2).delta(
            "1/5", digits=20)
        assert abs(references.number(found.value) / there - 1) < 1e-19


@pytest.mark.parametrize("wants", ["delta", "epsilon"])
def test_a_wrong_enclosure_is_a_miss_and_a_wide_one_is_seen(wants):
    pair, profile = lapdp.gaussian(1), references.normal(Fraction(1, 2))
    at = Fraction(1, 2) if wants == "delta" else Fraction(1, 10**5)
    right = getattr(pair, wants)(references.rational(at), digits=12)

    def moved(share, radius):
        value = right.value * (1 + Fraction(share))
        return replace(right, enclosure=Enclosure(value, right.value * Fraction(radius)))

    assert isinstance(right, Answer)
    with mp.workdps(80):
        for answer, outcome in ((right, HELD), (moved("1e-9", "1e-13"), MISS),
                                (moved("-1e-9", "1e-13"), MISS), (moved(0, "1e-8"), WIDE),
                                (replace(right, enclosure=None), MISS)):
            assert judged(answer, profile, wants, at, (12, 60)) == outcome, answer


def test_a_discrete_gaussian_is_known_to_fifty_digits_far_out():
    """Masses beyond four hundred places are 1e-24 of delta here."""
    with mp.workdps(70):
        eps = mp.mpf(849) / 1000
        masses = [mp.exp(-mp.mpf(n * n) / 800) for n in range(-3000, 3001)]
        gaps = (p - mp.exp(eps) * q for q, p in pairwise(masses))
        whole = sum((gap for gap in gaps if gap > 0), mp.mpf(0)) / sum(masses)
        assert abs(references.discrete(20)(eps) / whole - 1) < mp.mpf(10) ** -60
