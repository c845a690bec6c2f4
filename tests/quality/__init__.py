"""Tests of evenfold.quality."""
