"""Tests of evenfold.links."""
