"""Encodings that formats use: JSON, Thrift, Spark's schema, bytes as text."""
