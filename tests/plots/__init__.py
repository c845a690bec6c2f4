"""Tests of evenfold.plots."""
