"""Tests of evenfold.files."""
