"""Terms: what no bank takes, bodies opened, letters replaced, domain conditions."""

from __future__ import annotations

ILL_SORTED = [
    ("add", ("x",), "no term"), ("add", ("x", "z"), "C where R"), ("exp", ("P",), "D where R"),
    ("le", ("z", "z"), "C where R"), ("log", ("z",), "C where R"), ("not", ("x",), "R where F"),
    ("dens", ("P", "x"), "R where O"), ("in", ("S", "o"), "S where O"),
    ("if", ("A", "x", "z"), "C where R"), ("lint", ("#0O",), "another sort"),
    ("oint", ("#0",), "another sort"),
    ("allS", ("(lt #0 0)",), "another sort"), ("set", ("(in o #0S)",), "another sort"),
    ("and", ("(lt #0 0)", "(in #0O S)"), "two sorts"), ("nothing", (), "no term"),
    ("tends", ("#0", "z"), "C where R"), ("supS", ("A",), "F where R"),
    ("app3", ("g", "x", "x", "x"), "G where J"), ("app3", ("J", "x", "x"), "no term"),
    ("app", ("J", "x"), "J where G"), ("app3", ("J", "x", "z", "x"), "C where R"),
]

OPENED = [
    ("(lt #0 x)", "y", "(lt y x)"), ("(allR (lt #0 #1))", "y", "(allR (lt #0 y))"),
    ("(allR (lt #0 #0))", "y", "(allR (lt #0 #0))"),
    ("(allR (lt #1 #2))", "y", "(allR (lt y #1))"),
    ("(allR (lt #0 #1))", "#0", "(allR (lt #0 #1))"),
    ("(exR (allO (lt #1 #2)))", "(add #0 y)", "(exR (allO (lt #1 (add #2 y))))"),
]

REPLACED = [
    ("(lt x y)", "(lt (add y #0) y)"), ("(allR (lt #0 x))", "(allR (lt #0 (add y #1)))"),
    ("(allR (exR (lt x #1)))", "(allR (exR (lt (add y #2) #1)))"), ("(lt y c)", "(lt y c)"),
]

CONDITIONS = [
    ("(lt (inv x) y)", "(not (eq x 0))"), ("(eq (inv z) z)", "(not (eq z (cx 0)))"),
    ("(eq (clog z) z)", "(not (eq z (cx 0)))"),
    ("(lt (log x) (sqrt y))", "(and (lt 0 x) (le 0 y))"),
    ("(imp (lt 0 x) (lt 0 (log x)))", "(imp (lt 0 x) (lt 0 x))"),
    ("(and (lt 0 x) (lt 0 (log x)))", "(imp (lt 0 x) (lt 0 x))"),
    ("(or (eq x 0) (lt 0 (inv x)))", "(imp (not (eq x 0)) (not (eq x 0)))"),
    ("(iff (eq x 0) (lt 0 (inv x)))", "(not (eq x 0))"),
    ("(lt 0 (if (lt 0 x) (log x) (sqrt x)))",
     "(and (imp (lt 0 x) (lt 0 x)) (imp (not (lt 0 x)) (le 0 x)))"),
    ("(allR (lt (inv #0) x))", "(allR (not (eq #0 0)))"),
    ("(lt (oint (log (dens P #0O))) 0)",
     "(and (allO (lt 0 (dens P #0O))) (oiny (log (dens P #0O))))"),
    ("(liny (inv #0))", "(allR (not (eq #0 0)))"),
    ("(lt 0 (supR (lt #0 x)))",
     "(and (exR (allR (imp (lt #0 x) (le #0 #1)))) (exR (lt #0 x)))"),
    ("(lt 0 (supS (oint (if (in #0O #1S) y 0))))",
     "(and (allS (oiny (if (in #0O #1S) y 0))) (exR (allS (le (oint (if (in #0O #1S) y 0)) #1))))"),
    ("(allR (lt 0 (supR (lt #0 #1))))",
     "(allR (and (exR (allR (imp (lt #0 #2) (le #0 #1)))) (exR (lt #0 #1))))"),
    ("(in o (set (lt 0 (log (dens P #0O)))))", "(allO (lt 0 (dens P #0O)))"),
    # "there is": one instance with a meaning that is true, or all have one
    ("(exR (lt 0 (inv #0)))",
     "(or (exR (and (not (eq #0 0)) (lt 0 (inv #0)))) (allR (not (eq #0 0))))"),
    ("(exO (lt (log c) (dens P #0O)))", "(or (exO (and (lt 0 c) (lt (log c) (dens P #0O)))) "
     "(allO (lt 0 c)))"),
]
