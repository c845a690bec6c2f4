"""Tests of the searches for rows that belong together."""
