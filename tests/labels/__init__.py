"""Tests of evenfold.labels."""
