"""Measurements: speed as a ratio to a named other thing in the same run, quality beside its bound."""
