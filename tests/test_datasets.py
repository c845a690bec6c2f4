"""Made data has the shape it promises."""

import evenfold


def test_movies_are_multi_label_with_a_tail():
    """Common and rare genres, movies with several and with none, the same for the same seed."""
    movies = evenfold.datasets.make_movies(3000)
    assert movies == evenfold.datasets.make_movies(3000)
    assert movies != evenfold.datasets.make_movies(3000, random_state=1)
    labels = evenfold.labels.make_labels(movies.genres)
    counts = sorted(labels.count_of_label)
    assert counts[0] < 15 < 500 < counts[-1]
    n_genres = [len(genres) for genres in movies.genres]
    assert min(n_genres) == 0
    assert max(n_genres) >= 4
    assert len(set(movies.director)) < len(movies.title) == len(set(movies.title))
