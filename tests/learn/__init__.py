"""Tests of evenfold.learn."""
