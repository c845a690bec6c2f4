"""Checks of arguments that every package uses."""
