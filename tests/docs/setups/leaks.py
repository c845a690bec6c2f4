"""Embeddings of the movies, two of which are equal."""

import numpy as np


def prepare(folder, _command):
    """Write the embeddings."""
    vectors = np.random.default_rng(0).normal(size=(3000, 16))
    vectors[2000] = vectors[5]
    np.save(folder / "emb.npy", vectors)
