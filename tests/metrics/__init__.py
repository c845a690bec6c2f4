"""Tests of evenfold.metrics."""
