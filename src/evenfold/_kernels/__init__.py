"""Compiled loops over plain arrays, one file per algorithm."""
