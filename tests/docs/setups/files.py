"""The movies of `evenfold demo`."""


def prepare(_folder, command):
    """Write the movies."""
    assert command("demo -o movies.csv").code == 0


def check(folder):
    """The parts are compressed like the input."""
    written = sorted(path.name for path in (folder / "packed").iterdir())
    assert written == ["test.csv.gz", "train.csv.gz"]
