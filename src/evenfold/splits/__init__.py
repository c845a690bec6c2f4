"""Splits: make one, extend one, draw a sample, compare methods."""
