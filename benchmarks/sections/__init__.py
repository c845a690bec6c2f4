"""Sections of the benchmarks that share settings and measures; those of `scale` too."""
