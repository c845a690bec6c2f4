"""Tests of evenfold.datasets."""
