"""Faults that are injected while evenfold runs: kills, full disks, other writers and the like."""
