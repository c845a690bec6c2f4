"""Tests of release."""
