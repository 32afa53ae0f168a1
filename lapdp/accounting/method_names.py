"""The names of the methods for delta, and what their names say of them."""

from __future__ import annotations

CLOSED, LINE = "closed form", "contour integral"
LATTICE, COUNTS, PLACES = "lattice sum", "sum over counts", "sum over places of a lattice"
FEW_LOSSES, FORMULA = "sum over few losses", "integral of a formula"
POLES, WINDOWS = "integral around the poles", "contour integral on windows"
NEAR_END, FAINT = "few draws next to the largest loss", "profile of all but faint factors"
HITS, BY_HITS = "contour integral of hits", "contour integrals by numbers of huge losses"
ONE_HIT, HIT_BESIDE = "sum over one huge loss", "sum over one huge loss beside others"
HIT_ATOMS = "sum over the atoms of one huge loss"
GIVEN_FINITE = "profile given that losses are finite"
IN_DOUBLES = "contour integral in doubles"
CARRIED = "atoms of wide releases apart, in doubles"
PLACES_IN_DOUBLES = "sum over places of lattices in doubles"
SMOOTHED = "contour integral with a little noise, in doubles"
MET = "sums of atoms, met in the middle, in doubles"
HALVES = "sums of half of the releases beside the others, in doubles"

SOON = (LATTICE, FORMULA, POLES, FEW_LOSSES, ONE_HIT)
"""Methods that give any number of digits in no time, or say at once that they do not."""
ONCE = {SMOOTHED, ONE_HIT, HIT_BESIDE, HIT_ATOMS}
"""Methods that are not asked again after few digits."""
TRUSTED = (SMOOTHED, GIVEN_FINITE)
"""Methods that answer most where few digits are enough: the second asks the first."""
CHOICES = (CLOSED, "contour", "characteristic")
"""Methods that can be asked for by name."""
ROUNDED = "sums and products of floating numbers are rounded as IEEE 754 says"
ASSUMED = dict.fromkeys((IN_DOUBLES, CARRIED, PLACES_IN_DOUBLES, SMOOTHED, MET, HALVES), ROUNDED)
"""What a method rests on beside ball arithmetic."""
