"""Problem: units × criteria, targets and parts; all that a method sees."""
