"""Compiled loops over plain arrays, one file per method that calls them."""
