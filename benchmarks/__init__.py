"""Measurements of speed and quality. Times are ratios to another job in the same run."""
