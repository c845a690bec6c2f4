"""`python -m evenfold` is the command."""

from .cli.main import main

main()
