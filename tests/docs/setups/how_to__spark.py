"""Spark runs in Java."""

import shutil

import pytest


def prepare(_folder, _command):
    """Skip the page without Java."""
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
