"""Tests of evenfold._kernels."""
