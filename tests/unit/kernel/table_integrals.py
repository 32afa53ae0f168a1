"""Applications of the rules of integration: accepted ones, and near misses with the reason."""

from __future__ import annotations

from tests.unit.kernel.language import no, yes

P, Q = "(dens P #0O)", "(dens Q #0O)"
PINY, QINY = f"(oiny {P})", f"(oiny {Q})"
IP, IQ = f"(oint {P})", f"(oint {Q})"
NULL = "(if (in #0O S) (dens P #0O) 0)"
GAUSS = "(exp (mul -1 (mul #0 #0)))"
WILD = "(if (exR (eq #0 (dens P #1O))) 0 1)"
"""A function of an outcome that no structure makes measurable."""
WILDER = "(if (exR (eq #0 (dens P #1O))) 0 (dens P #0O))"


def both(iny, body, value):
    """iny f and I f = value."""
    return f"(and ({iny} {body}) (eq ({iny.replace('iny', 'int')} {body}) {value}))"


INTEGRAL = [
    yes("integral", both("oiny", "0", "0"), data=("=zero",)),
    yes("integral", both("liny", "(cx 0)", "(cx 0)"), data=("=zero",)),
    no("integral", "not 0", both("oiny", "1", "1"), data=("=zero",)),
    no("integral", "not 0", both("oiny", "0", "1"), data=("=zero",)),
    no("integral", "not 0", both("oiny", P, P.replace("#0O", "o")), data=("=zero",)),
    yes("integral", "A ; B |- " + both("oiny", f"(add {P} {Q})", f"(add {IP} {IQ})"),
        f"A |- {PINY}", f"B |- {QINY}", data=("=sum",)),
    no("integral", "another sum", both("oiny", f"(add {P} {Q})", f"(add {IQ} {IP})"), PINY, QINY,
       data=("=sum",)),
    no("integral", "another sum", both("oiny", f"(mul {P} {Q})", f"(add {IP} {IQ})"), PINY, QINY,
       data=("=sum",)),
    no("integral", "another sum", both("oiny", f"(mul {P} {Q})", f"(mul {IP} {IQ})"), PINY, QINY,
       data=("=sum",)),
    no("integral", "another sum", both("oiny", f"(add {P} {Q})", IP), PINY, QINY, data=("=sum",)),
    no("integral", "oiny expected", both("oiny", f"(add {P} {Q})", f"(add {IP} {IQ})"), PINY,
       f"(eq {IQ} 1)", data=("=sum",)),
    no("integral", "oiny expected", both("oiny", "(add 0 0)", "(add (oint 0) (oint 0))"),
       "(liny 0)", "(liny 0)", data=("=sum",)),
    no("integral", "unpack", both("oiny", f"(add {P} {P})", f"(add {IP} {IP})"), PINY,
       data=("=sum",)),
    yes("integral", "A |- " + both("oiny", f"(mul c {P})", f"(mul c {IP})"), f"A |- {PINY}",
        data=("=scale", "c")),
    no("integral", "another multiple", both("oiny", f"(mul c {P})", f"(mul d {IP})"), PINY,
       data=("=scale", "c")),
    no("integral", "another multiple", both("oiny", f"(mul c {P})", IP), PINY,
       data=("=scale", "c")),
    no("integral", "another multiple", both("oiny", f"(add c {P})", f"(add c {IP})"), PINY,
       data=("=scale", "c")),
    no("integral", "another multiple", both("liny", f"(mul #0 {GAUSS})", f"(mul x (lint {GAUSS}))"),
       f"(liny {GAUSS})", data=("=scale", "x")),
    no("integral", "another multiple", both("oiny", f"(mul {P} {P})", f"(mul (dens P o) {IP})"),
       PINY, data=("=scale", "(dens P o)")),
    yes("integral", "A |- " + both("oiny", f"(cx {P})", f"(cx {IP})"), f"A |- {PINY}",
        data=("=embed",)),
    no("integral", "no cx", both("oiny", f"(cx {P})", f"(cx {IQ})"), PINY, data=("=embed",)),
    no("integral", "no cx", both("oiny", f"(cx {Q})", f"(cx {IQ})"), PINY, data=("=embed",)),
    no("integral", "no case", both("oiny", "0", "0")),
    no("integral", "no case", both("oiny", "0", "0"), data=("=product",)),
    no("integral", "integrable, and equal", f"(and {QINY} (eq {IP} 0))", data=("=zero",)),
    no("integral", "no integral", f"(and {PINY} (eq (exp x) 0))", data=("=zero",)),
    no("integral", "eq expected", f"(and {PINY} (le {IP} 0))", data=("=zero",)),
    no("integral", "and expected", f"(eq {IP} 0)", data=("=zero",)),
]

BELOW = f"(allO (le (abs (mul 1/2 {P})) {P}))"
DOMINATE = [
    yes("dominate", f"A ; B |- (oiny (mul 1/2 {P}))", f"A |- {BELOW}", f"B |- {PINY}"),
    yes("dominate", f"A |- (oiny (abs {P}))", f"A |- {PINY}"),
    yes("dominate", "(liny (app g #0))", f"(allR (le (abs (app g #0)) {GAUSS}))",
        f"(liny {GAUSS})"),
    yes("dominate", "(oiny (if (exR (eq #0 x)) 0 (dens P #0O)))",
        "(allO (le (abs (if (exR (eq #0 x)) 0 (dens P #0O))) (dens P #0O)))", PINY),
    no("dominate", "another bound", f"(oiny (mul 1/2 {P}))", f"(allO (le (mul 1/2 {P}) {P}))",
       PINY),
    no("dominate", "another bound", f"(oiny (mul 1/2 {P}))", f"(allO (le {P} (abs (mul 1/2 {P}))))",
       PINY),
    no("dominate", "another bound", f"(oiny (mul 1/2 {P}))", BELOW, QINY),
    no("dominate", "another bound", f"(oiny (mul 2 {P}))", BELOW, PINY),
    no("dominate", "expected", "(oiny 1)", "(le (abs 1) (dens P o))", PINY),
    no("dominate", "expected", "(oiny (exp x))", "(allR (le (abs (exp x)) 1))", "(oiny 1)"),
    no("dominate", "oiny expected", f"(oiny (mul 1/2 {P}))", BELOW, f"(lt 0 {IP})"),
    no("dominate", "exR of a variable", f"(oiny {WILD})", f"(allO (le (abs {WILD}) {P}))", PINY),
    no("dominate", "supR of a variable", "(oiny (supR (lt #0 (dens P #1O))))",
       f"(allO (le (abs (supR (lt #0 (dens P #1O)))) {P}))", PINY),
    no("dominate", "supS of a variable", "(oiny (supS (if (in #1O #0S) 0 1)))",
       f"(allO (le (abs (supS (if (in #1O #0S) 0 1))) {P}))", PINY),
    no("dominate", "tends of a variable", "(oiny (if (tends (dens P #1O) 0) 0 1))",
       f"(allO (le (abs (if (tends (dens P #1O) 0) 0 1)) {P}))", PINY),
    no("dominate", "another absolute value", f"(oiny (abs {Q}))", PINY),
    no("dominate", "another absolute value", f"(oiny {P})", f"(oiny (abs {P}))"),
    no("dominate", "no integrability", f"(lt 0 {IP})", BELOW, PINY),
]

MONO = [
    yes("mono", f"A ; B ; C |- (le {IP} {IQ})", f"A |- (allO (le {P} {Q}))", f"B |- {PINY}",
        f"C |- {QINY}"),
    yes("mono", f"A ; B |- (le (abs {IP}) (oint (abs {P})))", f"A |- {PINY}",
        f"B |- (oiny (abs {P}))"),
    no("mono", "another bound", f"(le {IP} {IQ})", f"(allO (le {Q} {P}))", PINY, QINY),
    no("mono", "another bound", f"(le {IP} {IQ})", f"(allO (lt {P} {Q}))", PINY, QINY),
    no("mono", "expected", f"(le {IP} {IQ})", "(le (dens P o) (dens Q o))", PINY, QINY),
    no("mono", "expected", f"(le {IP} {IQ})", f"(exO (le {P} {Q}))", PINY, QINY),
    no("mono", "expected", "(le (lint 1) (oint 2))", "(allO (le 1 2))", "(oiny 1)", "(oiny 2)"),
    no("mono", "other iny", f"(le {IP} {IQ})", f"(allO (le {P} {Q}))", PINY, PINY),
    no("mono", "other iny", f"(le {IP} {IQ})", f"(allO (le {P} {Q}))", QINY, PINY),
    no("mono", "unpack", f"(le {IP} {IQ})", f"(allO (le {P} {Q}))", QINY),
    no("mono", "no integral", f"(le {IP} x)", f"(allO (le {P} {Q}))", PINY, QINY),
    no("mono", "le expected", f"(lt {IP} {IQ})", f"(allO (le {P} {Q}))", PINY, QINY),
    no("mono", "|I f| <= I |f|", f"(le (abs {IP}) (oint (abs {Q})))", PINY, QINY),
    no("mono", "|I f| <= I |f|", f"(le (abs {IP}) {IP})", PINY, PINY),
    no("mono", "|I f| <= I |f|", f"(le (abs {IP}) (oint (abs {P})))", PINY),
    no("mono", "|I f| <= I |f|", f"(le (abs {IP}) (oint (abs {P})))", f"(oiny (abs {P}))",
       f"(oiny (abs {P}))"),
    no("mono", "oint expected", f"(le (abs (lint {GAUSS})) (oint (abs {P})))", PINY,
       f"(oiny (abs {P}))"),
]

ABOVE, ZERO = f"(allO (le 0 {NULL}))", f"(eq (oint {NULL}) 0)"
ALIKE = f"(and (iff (oiny {P}) (oiny {Q})) (eq {IP} {IQ}))"
INSIDE = f"(allO (imp (eq {NULL} 0) (eq {P} {Q})))"
ALMOST = [
    yes("almost", f"A ; B |- {ALIKE}", f"A |- {ABOVE}", f"(oiny {NULL})", ZERO, f"B |- {INSIDE}"),
    yes("almost", ALIKE, f"(allO (eq {P} {Q}))"),
    yes("almost", ALIKE, ABOVE, f"(oiny {NULL})", ZERO, f"(allO (le 0 {Q}))", QINY, f"(eq {IQ} 0)",
        f"(allO (imp (eq {NULL} 0) (imp (eq {Q} 0) (eq {P} {Q}))))"),
    no("almost", "n >= 0", ALIKE, "(allO (le -1 0))", f"(oiny {NULL})", ZERO, INSIDE),
    no("almost", "n >= 0", ALIKE, f"(allO (le {NULL} 0))", f"(oiny {NULL})", ZERO, INSIDE),
    no("almost", "oiny expected", ALIKE, ABOVE, ABOVE, ZERO, INSIDE),
    no("almost", "I n = 0", ALIKE, ABOVE, f"(oiny {NULL})", f"(eq (oint {NULL}) 1)", INSIDE),
    no("almost", "I n = 0", ALIKE, ABOVE, f"(oiny {NULL})", "(eq (oint 0) 0)", INSIDE),
    no("almost", "where n = 0", ALIKE, ABOVE, f"(oiny {NULL})", ZERO,
       f"(allO (imp (eq {NULL} 1) (eq {P} {Q})))"),
    no("almost", "where n = 0", ALIKE, ABOVE, f"(oiny {NULL})", ZERO,
       f"(allO (imp (not (eq {NULL} 0)) (eq {P} {Q})))"),
    no("almost", "imp expected", ALIKE, ABOVE, f"(oiny {NULL})", ZERO,
       f"(allO (and (eq {NULL} 0) (eq {P} {Q})))"),
    no("almost", "expected", ALIKE, ABOVE, f"(oiny {NULL})", ZERO,
       f"(exO (imp (eq {NULL} 0) (eq {P} {Q})))"),
    no("almost", "other functions", ALIKE, f"(allO (eq {Q} {P}))"),
    no("almost", "other functions", ALIKE, f"(allO (le {P} {Q}))"),
    no("almost", "other functions", ALIKE, f"(allO (imp (eq {NULL} 0) (eq {P} {Q})))"),
    no("almost", "integrable alike", f"(and (iff (oiny {Q}) (oiny {P})) (eq {IP} {IQ}))",
       f"(allO (eq {P} {Q}))"),
    no("almost", "integrable alike", f"(and (oiny {P}) (eq {IP} {IQ}))", f"(allO (eq {P} {Q}))"),
    no("almost", "three premises", ALIKE, ABOVE, ZERO, INSIDE),
    no("almost", "three premises", ALIKE),
    no("almost", "exR of a variable",
       f"(and (iff (oiny {WILD}) (oiny {Q})) (eq (oint {WILD}) {IQ}))",
       f"(allO (eq {WILD} {Q}))"),
    no("almost", "exR of a variable",
       f"(and (iff (oiny {Q}) (oiny {WILD})) (eq {IQ} (oint {WILD})))",
       f"(allO (eq {Q} {WILD}))"),
    no("almost", "no integral", f"(and (iff (oiny {P}) (oiny {Q})) (eq x y))",
       f"(allO (eq {P} {Q}))"),
    no("almost", "oint expected", "(and (iff (oiny 1) (oiny 1)) (eq (oint 1) (lint 1)))",
       "(allO (eq 1 1))"),
]

DENSITY = [
    yes("density", f"(allO (le 0 {P}))", data=("P",)),
    yes("density", both("oiny", P, "1"), data=("P",)),
    yes("density", "(allO (le 0 (dens Q #0O)))", data=("Q",)),
    no("density", "not about", f"(allO (lt 0 {P}))", data=("P",)),
    no("density", "not about", f"(allO (le {P} 1))", data=("P",)),
    no("density", "not about", both("oiny", P, "0"), data=("P",)),
    no("density", "not about", both("oiny", P, "2"), data=("P",)),
    no("density", "not about", both("oiny", Q, "1"), data=("P",)),
    no("density", "not about", f"(eq {IP} 1)", data=("P",)),
    no("density", "D is needed", f"(allO (le 0 {P}))", data=("x",)),
    no("density", "1 terms", f"(allO (le 0 {P}))"),
]

HALVES = f"(add (mul 1/2 {P}) (mul 1/2 {Q}))"
THERE = f"(exD (allO (eq (dens #1D #0O) {HALVES})))"
ABOVE, FINITE, ONE = f"(allO (le 0 {HALVES}))", f"(oiny {HALVES})", f"(eq (oint {HALVES}) 1)"
AS_DENSITY = [
    yes("as_density", f"A ; B ; C |- {THERE}", f"A |- {ABOVE}", f"B |- {FINITE}", f"C |- {ONE}"),
    yes("as_density", f"(exD (allO (eq (dens #1D #0O) {NULL})))", f"(allO (le 0 {NULL}))",
        f"(oiny {NULL})", f"(eq (oint {NULL}) 1)"),
    no("as_density", "f >= 0", THERE, f"(allO (lt 0 {HALVES}))", FINITE, ONE),
    no("as_density", "f >= 0", THERE, f"(allO (le {HALVES} 0))", FINITE, ONE),
    no("as_density", "f >= 0", THERE, f"(allO (le -1 {HALVES}))", FINITE, ONE),
    no("as_density", "f >= 0", THERE, f"(allO (le 0 {P}))", FINITE, ONE),
    no("as_density", "allO expected", THERE, f"(le 0 {HALVES.replace('#0O', 'o')})", FINITE, ONE),
    no("as_density", "oiny expected", THERE, ABOVE, "(liny (add #0 0))", ONE),
    no("as_density", "unpack", THERE, ABOVE, ONE),
    no("as_density", "I f = 1", THERE, ABOVE, FINITE, f"(eq (oint {HALVES}) 2)"),
    no("as_density", "I f = 1", THERE, ABOVE, FINITE, f"(le (oint {HALVES}) 1)"),
    no("as_density", "I f = 1", THERE, ABOVE, FINITE, f"(eq {IP} 1)"),
    # 0 is integrable, and what is not integrable has the integral 0: neither is a density
    no("as_density", "I f = 1", "(exD (allO (eq (dens #1D #0O) 0)))", "(allO (le 0 0))",
       "(oiny 0)", "(eq (oint 0) 0)"),
    no("as_density", "exR of a variable", f"(exD (allO (eq (dens #1D #0O) {WILDER})))",
       f"(allO (le 0 {WILDER}))", f"(oiny {WILDER})", f"(eq (oint {WILDER}) 1)"),
    no("as_density", "another function", f"(exD (allO (eq (dens #1D #0O) {P})))", ABOVE, FINITE,
       ONE),
    no("as_density", "another function", f"(allD (allO (eq (dens #1D #0O) {HALVES})))", ABOVE,
       FINITE, ONE),
    no("as_density", "another function", f"(exD (exO (eq (dens #1D #0O) {HALVES})))", ABOVE,
       FINITE, ONE),
    no("as_density", "another function", f"(exD (allO (eq {HALVES} (dens #1D #0O))))", ABOVE,
       FINITE, ONE),
    no("as_density", "another function", f"(allO (eq (dens P #0O) {HALVES}))", ABOVE, FINITE, ONE),
]

F2 = "(mul (dens P #0O) (dens Q #1O))"
TURNED = "(mul (dens P #1O) (dens Q #0O))"
EACH, ALL = f"(allO (oiny {F2}))", f"(oiny (oint (abs {F2})))"
SWAPPED = (f"(and (oiny (oint {TURNED})) (eq (oint (oint {F2})) (oint (oint {TURNED}))))")
MIXED, MIXED_TURNED = "(mul (dens P #1O) (app g #0))", "(mul (dens P #0O) (app g #1))"
SWAP = [
    yes("swap", f"A ; B |- {SWAPPED}", f"A |- {EACH}", f"B |- {ALL}"),
    yes("swap", f"(and (liny (oint {MIXED_TURNED})) (eq (oint (lint {MIXED})) "
        f"(lint (oint {MIXED_TURNED}))))", f"(allO (liny {MIXED}))",
        f"(oiny (lint (abs {MIXED})))"),
    no("swap", "another order", f"(and (oiny (oint {TURNED})) (eq (oint (oint {F2})) "
       f"(oint (oint {F2}))))", EACH, ALL),
    no("swap", "another order", f"(and (oiny (oint {F2})) (eq (oint (oint {F2})) "
       f"(oint (oint {F2}))))", EACH, ALL),
    no("swap", "integrable in the other", f"(and (oiny (oint {F2})) (eq (oint (oint {F2})) "
       f"(oint (oint {TURNED}))))", EACH, ALL),
    no("swap", "another order", f"(and (liny (oint {MIXED_TURNED})) (eq (oint (lint {MIXED})) "
       f"(oint (lint {MIXED}))))", f"(allO (liny {MIXED}))", f"(oiny (lint (abs {MIXED})))"),
    no("swap", "integrable for all x", SWAPPED, f"(allO (oiny {TURNED}))", ALL),
    no("swap", "absolutely", SWAPPED, EACH, f"(oiny (oint {F2}))"),
    no("swap", "absolutely", SWAPPED, EACH, f"(oiny (oint (abs {TURNED})))"),
    no("swap", "expected", SWAPPED, f"(exO (oiny {F2}))", ALL),
    no("swap", "oiny expected", SWAPPED, EACH, EACH),
    no("swap", "unpack", SWAPPED, EACH),
    no("swap", "two integrals", f"(and (oiny {P}) (eq {IP} {IP}))", PINY, PINY),
    no("swap", "two integrals", f"(and (oiny {P}) (eq (exp {IP}) {IP}))", PINY, PINY),
    no("swap", "exR of a variable",
       "(and (oiny (oint (if (exR (eq #0 (dens P #1O))) 0 1))) (eq (oint (oint (if (exR (eq #0 "
       "(dens P #2O))) 0 1))) (oint (oint (if (exR (eq #0 (dens P #1O))) 0 1)))))",
       "(allO (oiny (if (exR (eq #0 (dens P #2O))) 0 1)))",
       "(oiny (oint (abs (if (exR (eq #0 (dens P #2O))) 0 1))))"),
]

SHRUNK = "(if (lt (dens P #0O) (exp #1)) (dens P #0O) 0)"
SHRUNK_AT = "(if (lt (dens P #1O) (exp #0)) (dens P #1O) 0)"
TO = f"(and {PINY} (tends (oint {SHRUNK}) {IP}))"
POINTWISE = f"(allO (tends {SHRUNK_AT} {P}))"
BELOW = f"(allO (allR (imp (le c #0) (le (abs {SHRUNK_AT}) (dens P #1O)))))"
ON_LINE = "(mul (app g #0) (exp (mul -1 (mul #0 (exp #1)))))"
ON_LINE_AT = "(mul (app g #1) (exp (mul -1 (mul #1 (exp #0)))))"
LIMINT = [
    yes("limint", f"A ; B ; C |- {TO}", f"A |- {POINTWISE}", f"B |- {BELOW}", f"C |- {PINY}",
        data=("c",)),
    yes("limint", f"(and (liny (app h #0)) (tends (lint {ON_LINE}) (lint (app h #0))))",
        f"(allR (tends {ON_LINE_AT} (app h #0)))",
        f"(allR (allR (imp (le 0 #0) (le (abs {ON_LINE_AT}) (exp #1)))))", "(liny (exp #0))",
        data=("0",)),
    yes("limint", f"(and (oiny (cx {P})) (tends (oint (cx {SHRUNK})) (oint (cx {P}))))",
        f"(allO (tends (cx {SHRUNK_AT}) (cx {P})))",
        f"(allO (allR (imp (le c #0) (le (abs (cx {SHRUNK_AT})) (dens P #1O)))))", PINY,
        data=("c",)),
    no("limint", "at each point", TO, f"(allO (tends {SHRUNK_AT} {Q}))", BELOW, PINY, data=("c",)),
    no("limint", "at each point", TO, f"(allO (tends {SHRUNK_AT} 0))", BELOW, PINY, data=("c",)),
    no("limint", "at each point", f"(and {PINY} (tends (oint (exp #1)) {IP}))", POINTWISE, BELOW,
       PINY, data=("c",)),
    no("limint", "expected", TO, f"(exO (tends {SHRUNK_AT} {P}))", BELOW, PINY, data=("c",)),
    no("limint", "another bound", TO, POINTWISE, BELOW, QINY, data=("c",)),
    no("limint", "another bound", TO, POINTWISE, BELOW, PINY, data=("d",)),
    no("limint", "another bound", TO, POINTWISE, BELOW.replace("(le c #0)", "(le #0 c)"), PINY,
       data=("c",)),
    no("limint", "another bound", TO, POINTWISE, BELOW.replace("abs", "exp"), PINY, data=("c",)),
    no("limint", "another bound", TO, POINTWISE,
       f"(allO (allR (imp (le c #0) (le (dens P #1O) (abs {SHRUNK_AT})))))", PINY, data=("c",)),
    no("limint", "another bound", TO, POINTWISE,
       f"(allO (exR (imp (le c #0) (le (abs {SHRUNK_AT}) (dens P #1O)))))", PINY, data=("c",)),
    no("limint", "another bound", TO, POINTWISE,
       f"(allO (allR (imp (le c #0) (le {SHRUNK_AT} (dens P #1O)))))", PINY, data=("c",)),
    no("limint", "at each point",
       f"(and (liny (app h #0)) (tends (lint {ON_LINE}) (lint (app h #0))))",
       f"(allR (tends {ON_LINE} (app h #0)))",
       f"(allR (allR (imp (le 0 #0) (le (abs {ON_LINE_AT}) (exp #1)))))", "(liny (exp #0))",
       data=("0",)),
    no("limint", "another bound",
       f"(and (liny (app h #0)) (tends (lint {ON_LINE}) (lint (app h #0))))",
       f"(allR (tends {ON_LINE_AT} (app h #0)))",
       f"(allR (allR (imp (le 0 #0) (le (abs {ON_LINE_AT}) (exp #0)))))", "(liny (exp #0))",
       data=("0",)),
    no("limint", "oiny expected", TO, POINTWISE, BELOW, f"(eq {IP} 1)", data=("c",)),
    no("limint", "oiny expected", TO, POINTWISE, BELOW, "(liny (exp #0))", data=("c",)),
    no("limint", "integrable", TO.replace(PINY, QINY, 1), POINTWISE, BELOW, PINY, data=("c",)),
    no("limint", "expected", f"(and {PINY} (tends (oint {SHRUNK}) 1))", POINTWISE, BELOW, PINY,
       data=("c",)),
    no("limint", "no integral", f"(and {PINY} (tends (exp #0) {IP}))", POINTWISE, BELOW, PINY,
       data=("c",)),
    no("limint", "unpack", TO, POINTWISE, BELOW, data=("c",)),
    no("limint", "1 terms", TO, POINTWISE, BELOW, PINY),
    no("limint", "exR of a variable",
       "(and (oiny 0) (tends (oint (if (exR (lt #0 (dens P #1O))) 0 (exp #1))) (oint 0)))",
       "(allO (tends (if (exR (lt #0 (dens P #2O))) 0 (exp #0)) 0))",
       "(allO (allR (imp (le c #0) (le (abs (if (exR (lt #0 (dens P #2O))) 0 (exp #0))) 0))))",
       "(oiny 0)", data=("c",)),
]

MOVED = "(exp (add (mul r #0) c))"
SUBST = (f"(and (iff (liny (exp #0)) (liny {MOVED})) "
         f"(eq (lint (exp #0)) (mul (abs r) (lint {MOVED}))))")
AFFINE = [
    yes("affine", f"A |- {SUBST}", "A |- (not (eq r 0))", data=("(exp #0)", "r", "c")),
    yes("affine", "(and (iff (liny (exp (cx #0))) (liny (exp (cx (add (mul 2 #0) 1))))) (eq (lint "
        "(exp (cx #0))) (mul (cx (abs 2)) (lint (exp (cx (add (mul 2 #0) 1)))))))",
        "(not (eq 2 0))", data=("(exp (cx #0))", "2", "1")),
    no("affine", "r != 0", SUBST, "(not (eq s 0))", data=("(exp #0)", "r", "c")),
    no("affine", "r != 0", SUBST, "(not (eq r 1))", data=("(exp #0)", "r", "c")),
    no("affine", "r != 0", SUBST, "(le 0 r)", data=("(exp #0)", "r", "c")),
    no("affine", "another substitution", SUBST.replace("(abs r)", "r"), "(not (eq r 0))",
       data=("(exp #0)", "r", "c")),
    no("affine", "another substitution", SUBST.replace("(mul (abs r)", "(mul (inv (abs r))"),
       "(not (eq r 0))", data=("(exp #0)", "r", "c")),
    no("affine", "another substitution", SUBST, "(not (eq r 0))", data=("(exp #0)", "r", "d")),
    no("affine", "another substitution", SUBST, "(not (eq r 0))", data=("(cos #0)", "r", "c")),
    no("affine", "another substitution", "(and (iff (oiny (exp x)) (oiny (exp x))) (eq (oint (exp "
       "x)) (mul (abs r) (oint (exp x)))))", "(not (eq r 0))", data=("(exp x)", "r", "c")),
    no("affine", "another sort", SUBST, "(not (eq r 0))", data=(P, "r", "c")),
    no("affine", "unpack", SUBST, data=("(exp #0)", "r", "c")),
]

CHANGED = "(and (iff (liny (exp #0)) (liny (cos #0))) (eq (lint (exp #0)) (lint (cos #0))))"
EXCEPT = [
    yes("except_at", f"A |- {CHANGED}", "A |- (allR (imp (not (eq #0 c)) (eq (exp #0) (cos #0))))"),
    yes("except_at", CHANGED, "(allR (imp (not (eq #0 c)) (imp (not (eq #0 0)) (eq (exp #0) "
        "(cos #0)))))"),
    yes("except_at", CHANGED, "(allR (eq (exp #0) (cos #0)))"),
    no("except_at", "all t but", CHANGED,
       "(allR (imp (not (eq #0 (exp #0))) (eq (exp #0) (cos #0))))"),
    no("except_at", "all t but", CHANGED, "(allR (imp (not (eq c #0)) (eq (exp #0) (cos #0))))"),
    no("except_at", "expected", CHANGED, "(allR (imp (lt 0 #0) (eq (exp #0) (cos #0))))"),
    no("except_at", "expected", CHANGED, "(allR (imp (eq #0 c) (eq (exp #0) (cos #0))))"),
    no("except_at", "expected", CHANGED, "(exR (eq (exp #0) (cos #0)))"),
    no("except_at", "other integrals", CHANGED, "(allR (eq (cos #0) (exp #0)))"),
    no("except_at", "other integrals",
       "(and (iff (oiny (exp x)) (oiny 1)) (eq (oint (exp x)) (oint 1)))",
       "(allR (imp (not (eq #0 c)) (eq (exp x) 1)))"),
    no("except_at", "eq expected", CHANGED, "(allR (le (exp #0) (cos #0)))"),
]

FIN = "(if (and (lt a #0) (lt #0 c)) (mul 2 #0) 0)"
SQUARE = "(mul #0 #0)"
SLOPE = "(add (mul 1 #0) (mul #0 1))"
FINITE = both("liny", FIN, "(add (mul c c) (mul -1 (mul a a)))")
FDATA = ("=finite", SQUARE, "(mul 2 #0)", "a", "c")
INSIDE_AC = f"(allR (imp (and (lt a #0) (lt #0 c)) (eq {SLOPE} (mul 2 #0))))"
TAIL = "(if (lt a #0) (exp (mul -1 #0)) 0)"
DECAY = "(mul -1 (exp (mul -1 #0)))"
DSLOPE = ("(add (mul 0 (exp (mul -1 #0))) "
          "(mul -1 (mul (exp (mul -1 #0)) (add (mul 0 #0) (mul -1 1)))))")
INFINITE = both("liny", TAIL, "(add 0 (mul -1 (mul -1 (exp (mul -1 a)))))")
IDATA = ("=infinite", DECAY, "(exp (mul -1 #0))", "a", "0")
LIMIT = f"(tends {DECAY} 0)"
IINSIDE = f"(allR (imp (lt a #0) (eq {DSLOPE} (exp (mul -1 #0)))))"
IABOVE = "(allR (imp (lt a #0) (le 0 (exp (mul -1 #0)))))"
LOG = both("liny", "(if (and (lt a #0) (lt #0 c)) (inv #0) 0)", "(add (log c) (mul -1 (log a)))")
LDATA = ("=finite", "(log #0)", "(inv #0)", "a", "c")
LINSIDE = "(allR (imp (and (lt a #0) (lt #0 c)) (eq (mul (inv #0) 1) (inv #0))))"
LSMOOTH = "(allR (imp (and (le a #0) (le #0 c)) (lt 0 #0)))"
FTC = [
    yes("ftc", f"A ; B |- {FINITE}", "A |- (le a c)", f"B |- {INSIDE_AC}", data=FDATA),
    yes("ftc", f"A ; B ; C |- {LOG}", "A |- (le a c)", f"B |- {LINSIDE}", f"C |- {LSMOOTH}",
        data=LDATA),
    yes("ftc", f"A ; B ; C |- {INFINITE}", f"A |- {LIMIT}", f"B |- {IINSIDE}", f"C |- {IABOVE}",
        data=IDATA),
    yes("ftc", INFINITE, LIMIT, IINSIDE, f"(liny {TAIL})", data=IDATA),
    no("ftc", "another premise", FINITE, "(le c a)", INSIDE_AC, data=FDATA),
    no("ftc", "another premise", FINITE, "(le a c)",
       f"(allR (imp (and (lt a #0) (lt #0 c)) (eq {SLOPE} #0)))", data=FDATA),
    no("ftc", "another premise", FINITE, "(le a c)",
       f"(allR (imp (and (lt a #0) (lt #0 a)) (eq {SLOPE} (mul 2 #0))))", data=FDATA),
    no("ftc", "another premise", FINITE, "(le a c)", data=FDATA),
    no("ftc", "another premise", FINITE, INSIDE_AC, data=FDATA),
    no("ftc", "another integral", both("liny", FIN, "(add (mul a a) (mul -1 (mul c c)))"),
       "(le a c)", INSIDE_AC, data=FDATA),
    no("ftc", "another integral", both("liny", FIN, "(mul c c)"), "(le a c)", INSIDE_AC,
       data=FDATA),
    no("ftc", "another integral", both("liny", "(mul 2 #0)", "(add (mul c c) (mul -1 (mul a a)))"),
       "(le a c)", INSIDE_AC, data=FDATA),
    no("ftc", "another integral", both("liny", FIN, "(add (mul a a) (mul -1 (mul a a)))"),
       "(le a c)", INSIDE_AC, data=FDATA),
    no("ftc", "another integral", both("liny", FIN, "(add (mul c c) (mul a a))"), "(le a c)",
       INSIDE_AC, data=FDATA),
    no("ftc", "another premise", both("liny", "(if (and (lt a #0) (lt #0 c)) (sin #0) 0)",
                                      "(add (cos c) (mul -1 (cos a)))"),
       "(le a c)", "(allR (imp (and (lt a #0) (lt #0 c)) (eq (mul (sin #0) 1) (sin #0))))",
       data=("=finite", "(cos #0)", "(sin #0)", "a", "c")),
    no("ftc", "another premise", LOG, "(le a c)", LINSIDE,
       "(allR (imp (and (lt a #0) (le #0 c)) (lt 0 #0)))", data=LDATA),
    no("ftc", "another premise", LOG, "(le a c)", LINSIDE, data=LDATA),
    no("ftc", "another premise", LOG, "(le a c)", LINSIDE,
       "(allR (imp (and (lt a #0) (lt #0 c)) (lt 0 #0)))", data=LDATA),
    no("ftc", "another premise", LOG, "(le a c)", LINSIDE,
       "(allR (imp (and (le a #0) (le #0 c)) (le 0 #0)))", data=LDATA),
    no("ftc", "no derivative", both("liny", "(if (and (lt a #0) (lt #0 c)) 1 0)",
                                    "(add (abs c) (mul -1 (abs a)))"),
       "(le a c)", INSIDE_AC, data=("=finite", "(abs #0)", "1", "a", "c")),
    no("ftc", "no derivative", both("liny", "(if (and (lt a #0) (lt #0 c)) 0 0)",
                                    "(add (if (lt 0 c) 1 0) (mul -1 (if (lt 0 a) 1 0)))"),
       "(le a c)", INSIDE_AC, data=("=finite", "(if (lt 0 #0) 1 0)", "0", "a", "c")),
    no("ftc", "another premise", INFINITE, f"(tends {DECAY} 1)", IINSIDE, IABOVE, data=IDATA),
    no("ftc", "another premise", INFINITE, "(tends (exp (mul -1 #0)) 0)", IINSIDE, IABOVE,
       data=IDATA),
    no("ftc", "another premise", INFINITE, LIMIT, IABOVE, IABOVE, data=IDATA),
    no("ftc", "f >= 0 or integrable", INFINITE, LIMIT, IINSIDE, data=IDATA),
    no("ftc", "f >= 0 or integrable", INFINITE, LIMIT, IINSIDE,
       "(allR (imp (lt a #0) (le (exp (mul -1 #0)) 0)))", data=IDATA),
    no("ftc", "f >= 0 or integrable", INFINITE, LIMIT, IINSIDE, "(liny (exp (mul -1 #0)))",
       data=IDATA),
    no("ftc", "f >= 0 or integrable",
       both("liny", "(if (lt a #0) (cx 0) (cx 0))", "(add z (mul (cx -1) z))"),
       "(tends z z)", "(allR (imp (lt a #0) (eq (cx 0) (cx 0))))",
       "(allR (imp (lt a #0) (le 0 0)))", data=("=infinite", "z", "(cx 0)", "a", "z")),
    no("ftc", "finite or infinite", FINITE, "(le a c)", INSIDE_AC, data=("=half", *FDATA[1:])),
    no("ftc", "five entries", FINITE, "(le a c)", INSIDE_AC, data=FDATA[:4]),
]

COMPREHENSION = [
    yes("comprehension", "(iff (in o (set (lt (dens P #0O) x))) (lt (dens P o) x))"),
    yes("comprehension", "(iff (in o (set (exR (lt #0 x)))) (exR (lt #0 x)))"),
    no("comprehension", "another formula",
       "(iff (in o (set (lt (dens P #0O) x))) (lt x (dens P o)))"),
    no("comprehension", "another formula",
       "(iff (in o (set (lt (dens P #0O) x))) (lt (dens P o2) x))"),
    no("comprehension", "another formula",
       "(iff (in o (set (lt (dens P #0O) x))) (lt (dens Q o) x))"),
    no("comprehension", "exR of a variable",
       "(iff (in o (set (exR (eq #0 (dens P #1O))))) (exR (eq #0 (dens P o))))"),
    no("comprehension", "allS of a variable",
       "(iff (in o (set (allS (in #1O #0S)))) (allS (in o #0S)))"),
    no("comprehension", "set expected", "(iff (in o S) (lt (dens P o) x))"),
    no("comprehension", "expected", "(imp (in o (set (lt (dens P #0O) x))) (lt (dens P o) x))"),
]

PS = "(oint (if (in #0O #1S) (dens P #0O) 0))"
SUP = f"(supS {PS})"
SBOUND = f"(exR (allS (le {PS} #1)))"
SDOMAIN = (f"(and (allS (oiny (if (in #0O #1S) (dens P #0O) 0))) {SBOUND})")
SGOAL = f"(allR (iff (le {SUP} #0) (allS (le {PS} #1))))"
RGOAL = "(allR (iff (le (supR (lt #0 c)) #0) (allR (imp (lt #0 c) (le #0 #1)))))"
RDOMAIN = "(and (exR (allR (imp (lt #0 c) (le #0 #1)))) (exR (lt #0 c)))"
SUPREMUM = [
    yes("supremum", f"A |- {SGOAL}", f"A |- {SDOMAIN}"),
    yes("supremum", f"A |- {RGOAL}", f"A |- {RDOMAIN}"),
    no("supremum", "its domain condition", SGOAL, SBOUND),
    no("supremum", "its domain condition", RGOAL, "(exR (lt #0 c))"),
    no("supremum", "its domain condition", RGOAL, "(exR (allR (imp (lt #0 c) (le #0 #1))))"),
    no("supremum", "its domain condition", RGOAL, RDOMAIN.replace("c", "d")),
    no("supremum", "another bound", f"(allR (iff (le {SUP} #0) (exS (le {PS} #1))))", SDOMAIN),
    no("supremum", "another bound", f"(allR (iff (le {SUP} #0) (allS (lt {PS} #1))))", SDOMAIN),
    no("supremum", "another bound",
       "(allR (iff (le (supR (lt #0 c)) #0) (allR (imp (lt #0 c) (le #1 #0)))))", RDOMAIN),
    no("supremum", "another bound",
       "(allR (iff (le (supR (lt #0 c)) #0) (allR (imp (le #0 c) (le #0 #1)))))", RDOMAIN),
    no("supremum", "for all upper bounds",
       "(allR (iff (le (supR (lt #0 c)) d) (allR (imp (lt #0 c) (le #0 d)))))", RDOMAIN),
    no("supremum", "for all upper bounds",
       "(allR (iff (le (supR (lt #0 #1)) #0) (allR (imp (lt #0 #1) (le #0 #1)))))",
       "(and (exR (allR (imp (lt #0 c) (le #0 #1)))) (exR (lt #0 c)))"),
    no("supremum", "le expected",
       "(allR (iff (lt (supR (lt #0 c)) #0) (allR (imp (lt #0 c) (le #0 #1)))))", RDOMAIN),
    no("supremum", "no supremum",
       "(allR (iff (le (lint (exp #0)) #0) (allR (imp (lt #0 c) (le #0 #1)))))", RDOMAIN),
    no("supremum", "expected", RGOAL.replace("(allR (iff", "(exR (iff"), RDOMAIN),
]

ROWS = [*INTEGRAL, *DOMINATE, *MONO, *ALMOST, *DENSITY, *AS_DENSITY, *SWAP, *LIMINT, *AFFINE,
        *EXCEPT, *FTC, *COMPREHENSION, *SUPREMUM]
