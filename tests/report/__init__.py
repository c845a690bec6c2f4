"""Tests of evenfold.report."""
