"""The tables of `benchmarks.default`, one module for each kind."""
