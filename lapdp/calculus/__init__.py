"""Exact Laplace calculus: regions of convergence, exponential polynomials, transforms."""
