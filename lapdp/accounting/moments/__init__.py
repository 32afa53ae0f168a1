"""Moments of complex order with proved errors: what inversion needs of a pair."""
