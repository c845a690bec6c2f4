"""A dataset of movies with directors, saved to disk."""

import datasets

from ...integrations.hugging_face_data import make_dataset


def prepare(folder, _command):
    """Write the dataset."""
    datasets.disable_progress_bars()
    make_dataset().rename_column("patient", "director").save_to_disk(folder / "movies")
