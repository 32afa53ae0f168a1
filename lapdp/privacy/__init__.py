"""Pairs of distributions and the notions of privacy on them."""
