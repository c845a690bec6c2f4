"""Tests of evenfold.model_selection."""
