"""The movies of `evenfold demo`."""


def prepare(_folder, command):
    """Write the movies."""
    assert command("demo -o movies.csv").code == 0
