"""Deliberately wrong laws, mechanisms, profiles, bounds and accountants, and right ones beside."""
