"""Tests with packages that evenfold works with but does not need."""
