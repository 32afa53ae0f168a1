"""The oracle: a second implementation of the definitions, sharing no code with lapdp.

It imports fractions, mpmath, itertools and random only.  Masses are Fractions, breakpoints are
exact reals (a rational plus a rational combination of logs of primes), values that are not
rational are mpmath numbers at the working precision.
"""
