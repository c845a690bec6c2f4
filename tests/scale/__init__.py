"""Tests of evenfold.scale."""
