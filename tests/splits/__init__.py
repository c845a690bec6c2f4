"""Tests of evenfold.splits."""
