"""Encodings that formats are made of."""
