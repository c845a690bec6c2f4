"""The method even, the default."""
