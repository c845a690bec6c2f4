"""Tests of evenfold.problem."""
