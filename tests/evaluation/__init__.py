"""Tests of evenfold.evaluation."""
