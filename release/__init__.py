"""What a release needs: checked archives, and tests of the installed wheel.

This package is not part of the wheel. `make release-check` and `make test-wheel` run it.
"""
