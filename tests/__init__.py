"""Tests of evenfold."""
