"""Certified comparisons of two mechanisms."""
