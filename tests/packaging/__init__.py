"""Tests of what users install."""
