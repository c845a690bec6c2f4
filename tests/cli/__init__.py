"""Tests of evenfold.cli."""
