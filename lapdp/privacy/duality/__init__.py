"""Profiles and trade-off functions determine each other: pairs made from either."""
