"""Derivations of the kernel printed as Rocq files."""
