"""Transforms, products, convolutions and inversion in the exact class.

Each operation either returns the exact value, or raises :class:`Undefined` when the integral does
not converge in the cell, or asks the cell for a sign and so splits the case.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

from lapdp.calculus.exact import ZERO, Exact, Term, Terms, _partial, _put, _relative
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.region import Region
from lapdp.core.errors import Undefined, Unsupported


class Divergent(Undefined):
    """A transform is asked at a point outside its region of convergence."""


def _edges(terms: Mapping[Term, Scalar], cell: Cell) -> list[Form]:
    """Real parts of the exponents that really occur (coefficients may vanish in the cell)."""
    by_exponent: dict[Form, list[Scalar]] = {}
    for (a, _), c in terms.items():
        by_exponent.setdefault(a.substitute(cell.values), []).append(c)
    return [a.real_part() for a, cs in by_exponent.items() if any(cell.nonzero(c) for c in cs)]


def region(f: Exact, cell: Cell) -> Region:
    """Region of absolute convergence of the bilateral transform.

    Equal exponents are collected before they count; the strip of an exponential polynomial is
    open, and on its edges the integral does not converge (a pure oscillation has no limit).
    """
    found = Region.everything()
    for edge in _edges(collected(f.tail(), cell), cell):
        found = found.intersect(Region(lower=edge), cell)
    for edge in _edges(collected(f.germ, cell), cell):
        found = found.intersect(Region(upper=edge), cell)
    return found


def collected(terms: Mapping[Term, Scalar], cell: Cell) -> Terms:
    """The terms with exponents that the cell identifies written once; coefficients may be 0."""
    out: Terms = {}
    for (a, n), c in terms.items():
        _put(out, (a.substitute(cell.values), n), c.substitute(cell.values))
    if not any(rel == "=" and form for form, rel in cell.constraints):
        return out
    # an equation that replaced no symbol may still identify exponents
    merged: Terms = {}
    for (a, n), c in out.items():
        home = next((b for b, _ in merged if _vanishes(a - b, cell)), a)
        _put(merged, (home, n), c)
    return merged


def bilateral(f: Exact, s: Form, cell: Cell) -> Scalar:
    """Value of the bilateral transform at ``s``; :class:`Divergent` outside the region."""
    s = s.substitute(cell.values)
    for side, terms in ((1, collected(f.tail(), cell)), (-1, collected(f.germ, cell))):
        for edge in _edges(terms, cell):
            if side * cell.sign(s.real_part() - edge) <= 0:
                raise Divergent(f"the transform diverges at s = {s}: its integrand does not decay")
    total = Scalar.of(0)
    resonant: dict[Form, Terms] = {}
    for at, terms in f.jumps.items():
        for (a, n), c in terms.items():
            gap = s - a.substitute(cell.values)
            if _vanishes(gap, cell):
                resonant.setdefault(at, {})[(a, n)] = c
            else:
                total = total + c * Scalar.exp(-(at * s)) * Scalar.of(gap) ** (-n - 1)
    if resonant:
        total = total + _resonant_part(f, resonant, s, cell)
    for at, orders in f.impulses.items():
        for k, c in orders.items():
            total = total + c * Scalar.exp(-(at * s)) * Scalar.of(s**k)
    return total.substitute(cell.values)


def _vanishes(gap: Form, cell: Cell) -> bool:
    if not gap:
        return True
    real, imag = gap.split_complex()
    if imag and (cell.entails(imag, ">") or cell.entails(-imag, ">")):
        return False
    return cell.sign(real) == 0 and cell.sign(imag) == 0


def _resonant_part(f: Exact, resonant: Mapping[Form, Terms], s: Form, cell: Cell) -> Scalar:
    """Terms whose exponent is s itself: removable, integrated piece by piece.

    After the factor e^(-s t) they are polynomials t^n; on the line they must cancel beyond the
    last breakpoint (the region was checked), so only bounded pieces remain.
    """
    points = [p for p in Exact({}, dict(resonant)).breakpoints(cell)]
    total = Scalar.of(0)
    germ = {k: c for k, c in f.germ.items() if _vanishes(s - k[0].substitute(cell.values), cell)}
    part = Exact(germ, dict(resonant))
    for left, right in pairwise(points):
        behind = [c for c in resonant if cell.sign(c - left) <= 0]
        for (_, n), c in part.piece(behind).items():
            width = Scalar.of(right ** (n + 1)) - Scalar.of(left ** (n + 1))
            total = total + c * width / (n + 1)
    return total


def multiply(f: Exact, g: Exact, cell: Cell) -> Exact:
    """Pointwise product; an impulse meets only functions continuous at its place."""
    if (f.impulses and g.impulses):
        raise Unsupported("a product of two impulses has no meaning")
    total = Exact(_germ_product(f.germ, g.germ))
    for x, y in ((f, g), (g, f)):
        for at, terms in x.jumps.items():
            left = _relative(y.germ, at)
            total = total + Exact(jumps={at: _causal_product(terms, left)})
    for c, first in f.jumps.items():
        for d, second in g.jumps.items():
            later = c if cell.sign(c - d) >= 0 else d
            moved = [_relative(Exact(jumps={at: t}).tail(), later)
                     for at, t in ((c, first), (d, second))]
            total = total + Exact(jumps={later: _causal_product(*moved)})
    for x, y in ((f, g), (g, f)):
        for at, orders in x.impulses.items():
            if any(orders):
                total = total + _derivative_impulse_product(at, orders, y, cell)
                continue
            value = y.limit(at, -1, cell)
            if not (value - y.limit(at, 1, cell)).substitute(cell.values).is_zero():
                raise Unsupported("an impulse sits on a jump of the other factor")
            total = total + Exact.impulse(at, orders[0] * value)
    return total


def _derivative_impulse_product(at: Form, orders: Mapping[int, Scalar], y: Exact, cell: Cell
                                ) -> Exact:
    """g d^k = sum_j (-1)^(k-j) C(k,j) g^(k-j)(at) d^j for g smooth near ``at``."""
    if any(cell.sign(c - at) == 0 for c in y.impulses):
        raise Unsupported("a derivative of an impulse sits on an impulse of the other factor")
    total, derivatives = Exact(), [Exact(y.germ, y.jumps)]
    for _ in range(max(orders)):
        following = derivatives[-1].derivative()
        derivatives.append(Exact(following.germ, following.jumps))
    if any(cell.sign(c - at) == 0 for c in y.jumps):
        for g in derivatives:
            gap = (g.limit(at, 1, cell) - g.limit(at, -1, cell)).substitute(cell.values)
            if not gap.is_zero():
                raise Undefined("a derivative of an impulse meets a kink or jump of its factor")
    for k, c in orders.items():
        for j in range(k + 1):
            value = derivatives[k - j].limit(at, 1, cell)
            total = total + Exact.impulse(at, c * value * comb(k, j) * (-1) ** (k - j), j)
    return total


def _germ_product(a: Mapping[Term, Scalar], b: Mapping[Term, Scalar]) -> Terms:
    out: Terms = {}
    for (x, n), c in a.items():
        for (y, m), d in b.items():
            _put(out, (x + y, n + m), c * d)
    return out


def _causal_product(a: Mapping[Term, Scalar], b: Mapping[Term, Scalar]) -> Terms:
    out: Terms = {}
    for (x, n), c in a.items():
        for (y, m), d in b.items():
            _put(out, (x + y, n + m), c * d * comb(n + m, n))
    return out


def convolve(f: Exact, g: Exact, cell: Cell) -> Exact:
    """Convolution over the line, by the route that the two objects allow.

    Impulses translate; causal parts multiply their transforms; a germ against an integrable object
    multiplies by the transform at the germ's exponents.  :class:`Divergent` where none converges.
    """
    for x, y in ((f, g), (g, f)):
        if not (x.germ or x.jumps):
            return _translate(x, y)
    if not f.germ and not g.germ:
        return _causal_convolution(f, g, cell)
    if f.germ and g.germ:
        return _common_strip(f, g, cell)
    x, y = (f, g) if f.germ else (g, f)
    # y is causal: the germ of x sees all of it
    total = _causal_convolution(Exact({}, x.jumps, x.impulses), y, cell)
    for (a, n), c in x.germ.items():
        total = total + _germ_against(a, n, y, cell).scale(c)
    return total


def _translate(atomic: Exact, other: Exact) -> Exact:
    total = Exact()
    for at, orders in atomic.impulses.items():
        moved = other.shift(at)
        for k in range(max(orders) + 1):
            if k in orders:
                total = total + moved.scale(orders[k])
            moved = moved.derivative()
    return total


def _germ_against(a: Form, n: int, y: Exact, cell: Cell) -> Exact:
    """t^n e^(at) convolved with y: moments of y at the exponent a."""
    total: Terms = {}
    current = y
    for k in range(n + 1):
        # (t - u)^n = sum_k C(n,k) t^(n-k) (-u)^k
        moment = bilateral(current, a, cell)
        _put(total, (a, n - k), moment * comb(n, k) * (-1) ** k)
        current = multiply(current, Exact.term(1, ZERO, 1), cell)
    return Exact(total)


def _common_strip(f: Exact, g: Exact, cell: Cell) -> Exact:
    strip = region(f, cell).intersect(region(g, cell), cell)
    if strip.empty:
        return _quadrants(f, g, cell)
    product = _causal_convolution(Exact({}, f.jumps, f.impulses), Exact({}, g.jumps, g.impulses),
                                  cell)
    germ: Terms = {}
    for at, terms in product.jumps.items():
        right = {key: c for key, c in terms.items()
                 if strip.upper is not None
                 and cell.sign(key[0].real_part() - strip.upper) >= 0}
        for key, c in Exact(jumps={at: right}).tail().items():
            _put(germ, key, -c)
    return Exact(germ, product.jumps, product.impulses)


def _quadrants(f: Exact, g: Exact, cell: Cell) -> Exact:
    """Without a common strip: the two halves of each factor, one by one.

    The convolution converges absolutely where those of the halves do (1 against e^-|t|, say).
    """
    first, second = ([x.after(ZERO, cell).merged(cell), x.before(ZERO, cell).merged(cell)]
                     for x in (f.merged(cell), g.merged(cell)))
    total = convolve(first[0], second[0], cell)
    total = total + convolve(first[1].reflect(), second[1].reflect(), cell).reflect()
    total = total + convolve(first[0], second[1], cell) + convolve(first[1], second[0], cell)
    total = total + _translate(f - first[0] - first[1], g)
    return total + _translate(g - second[0] - second[1], first[0] + first[1])


def _causal_convolution(f: Exact, g: Exact, cell: Cell) -> Exact:
    total = _translate(Exact(impulses=f.impulses), Exact({}, g.jumps, g.impulses))
    total = total + _translate(Exact(impulses=g.impulses), Exact({}, f.jumps))
    for c, first in f.jumps.items():
        for d, second in g.jumps.items():
            out: Terms = {}
            for (a, n), u in first.items():
                for (b, m), v in second.items():
                    for key, w in _partial(a, n + 1, b, m + 1, cell).items():
                        _put(out, key, u * v * w)
            total = total + Exact(jumps={c + d: out})
    return total


def invert(terms: Mapping[Form, Mapping[Term, Scalar]], impulses: Mapping[Form, dict[int, Scalar]],
           gamma: Form, cell: Cell) -> Exact:
    """Inverse of sum e^(-c s) R_c(s) along Re s = gamma, R_c in partial fractions.

    Poles left of the line give right-sided parts, poles right of it left-sided ones (residues).
    :class:`Undefined` when a pole lies on the line.
    """
    germ: Terms = {}
    jumps: dict[Form, Terms] = {}
    sides: dict[Form, int] = {}
    for a in dict.fromkeys(a for parts in terms.values() for a, _ in parts):
        sides[a] = cell.sign(gamma - a.real_part())
        if sides[a] == 0 and not _removable(terms, a, cell):
            raise Undefined(f"a pole lies on the line Re s = {gamma}")
    for at, parts in terms.items():
        for (a, n), c in parts.items():
            side = sides[a]
            _put(jumps.setdefault(at, {}), (a, n), c)
            if side < 0:
                for key, v in Exact(jumps={at: {(a, n): c}}).tail().items():
                    _put(germ, key, -v)
    return Exact(germ, jumps, {c: dict(t) for c, t in impulses.items()})


def principal_part(terms: Mapping[Form, Mapping[Term, Scalar]], pole: Form, cell: Cell
                   ) -> dict[int, Scalar]:
    """The coefficients of 1/(s - pole)^k, k >= 1, in the sum over all breakpoints.

    >>> one = {Form({}): {(Form({}), 0): Scalar.of(3)}}
    >>> principal_part(one, Form({}), Cell(()))[1].is_zero()
    False
    """
    principal: dict[int, Scalar] = {}
    for at, parts in terms.items():
        for (a, n), c in parts.items():
            if not _vanishes((a - pole).substitute(cell.values), cell):
                continue
            # e^(-at s) = e^(-at pole) sum_j (-at)^j (s - pole)^j / j!
            for j in range(n + 1):
                weight = Scalar.of((-at) ** j) * Fraction(1, factorial(j))
                _put(principal, n + 1 - j, c * weight * Scalar.exp(-(at * pole)))
    return {k: c.substitute(cell.values) for k, c in principal.items()}


def _removable(terms: Mapping[Form, Mapping[Term, Scalar]], pole: Form, cell: Cell) -> bool:
    """Do the principal parts at a pole cancel in the sum over all breakpoints?"""
    return all(c.is_zero() for c in principal_part(terms, pole, cell).values())


__all__: list[str] = ["Divergent", "bilateral", "collected", "convolve", "invert", "multiply",
                      "principal_part", "region"]
