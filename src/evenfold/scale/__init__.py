"""Data past memory or past one machine: the same even splits, partition by partition."""
