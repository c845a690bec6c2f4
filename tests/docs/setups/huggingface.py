"""A dataset of movies with directors, saved to disk."""

from ...integrations.hugging_face_data import make_dataset


def prepare(folder, _command):
    """Write the dataset."""
    import datasets  # of the extra `integrations`

    datasets.disable_progress_bars()
    make_dataset().rename_column("patient", "director").save_to_disk(folder / "movies")
