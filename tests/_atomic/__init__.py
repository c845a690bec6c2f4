"""Tests of evenfold._atomic."""
