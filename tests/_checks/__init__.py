"""Tests of evenfold._checks."""
