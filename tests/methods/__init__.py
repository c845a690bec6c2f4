"""Tests of evenfold.methods."""
