"""Synthetic movies, the data of `evenfold demo`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._checks.numbers import check_whole
from .._checks.seeds import make_rng

# Genre: its share of the movies, and the genres that it often comes with.
_GENRES = {
    "drama": (0.50, ("romance", "crime", "war", "biography")),
    "comedy": (0.30, ("romance", "family", "music")),
    "thriller": (0.18, ("crime", "mystery", "horror")),
    "romance": (0.16, ("drama", "comedy")),
    "action": (0.15, ("adventure", "thriller", "sci-fi")),
    "crime": (0.12, ("drama", "thriller", "film-noir")),
    "horror": (0.11, ("mystery", "thriller")),
    "adventure": (0.09, ("fantasy", "family", "action")),
    "sci-fi": (0.07, ("horror", "action")),
    "mystery": (0.06, ("thriller", "crime")),
    "family": (0.06, ("animation", "comedy")),
    "fantasy": (0.05, ("adventure", "animation")),
    "documentary": (0.05, ("biography", "music", "history")),
    "biography": (0.03, ("history", "drama")),
    "war": (0.03, ("history", "drama")),
    "animation": (0.03, ("family", "adventure")),
    "music": (0.025, ("documentary", "drama")),
    "history": (0.02, ("drama", "war")),
    "western": (0.012, ("action", "adventure")),
    "sport": (0.01, ("drama", "biography")),
    "musical": (0.006, ("comedy", "romance")),
    "film-noir": (0.003, ("crime", "mystery")),
    "silent": (0.0015, ("comedy", "drama")),
}
_ADJECTIVES = [
    "Last",
    "Silent",
    "Golden",
    "Broken",
    "Hidden",
    "Distant",
    "Crimson",
    "Endless",
    "Paper",
    "Frozen",
    "Borrowed",
    "Midnight",
    "Secret",
]
_NOUNS = [
    "River",
    "Garden",
    "Promise",
    "Station",
    "Summer",
    "Letter",
    "Harbour",
    "Mountain",
    "Window",
    "Island",
    "Winter",
    "Orchard",
    "Signal",
]


class Movies(NamedTuple):
    """Synthetic movies: one entry per movie in each list.

    Attributes
    ----------
    title : list of str
        The titles, all distinct.
    director : list of str
        The directors.
    genres : list of list of str
        The genres of each movie, the labels.
    year : list of int
        The years.
    minutes : list of int
        The lengths in minutes.
    budget : list of float
        The budgets in millions.

    Examples
    --------
    >>> evenfold.datasets.make_movies(50)._fields
    ('title', 'director', 'genres', 'year', 'minutes', 'budget')
    """

    title: list[str]
    director: list[str]
    genres: list[list[str]]
    year: list[int]
    minutes: list[int]
    budget: list[float]


def make_movies(n_movies: int = 3000, random_state: int | None = 0) -> Movies:
    """Make movies with genres: a few common, many rare, some that often come together.

    Some movies have no genre. Year, length and budget depend a little on the genres, so that a
    learner has something to learn.

    Parameters
    ----------
    n_movies : int, default=3000
        The number of movies.
    random_state : int, default=0
        The same number gives the same movies. With None, the result differs each time.

    Returns
    -------
    Movies
        The movies, as one list per column.

    Raises
    ------
    InputError
        If `n_movies` is below 1.

    Notes
    -----
    Titles are distinct; a director can have several movies.

    Examples
    --------
    >>> movies = evenfold.datasets.make_movies(100)
    >>> movies.title[0], movies.genres[0]
    ('...', [...])
    """
    check_whole(n_movies, "n_movies", "Ask for at least one movie.")
    rng = make_rng(random_state)
    names = list(_GENRES)
    share_of_genre = np.array([share for share, _ in _GENRES.values()])
    is_drawn = rng.random((n_movies, len(names))) < share_of_genre * 0.6
    title, genres = [], []
    for movie in range(n_movies):
        own = {names[number] for number in np.flatnonzero(is_drawn[movie])}
        for genre in sorted(own):
            own |= {related for related in _GENRES[genre][1] if rng.random() < 0.12}
        genres.append([name for name in names if name in own])
        adjective = _ADJECTIVES[rng.integers(len(_ADJECTIVES))]
        title.append(f"The {adjective} {_NOUNS[rng.integers(len(_NOUNS))]} {movie + 1}")
    # Most directors have one or two movies, a few have many.
    n_directors = max(1, n_movies // 3)
    number = np.minimum(rng.pareto(1.2, n_movies) * n_directors / 8, n_directors - 1).astype(int)
    director = [f"director {one + 1}" for one in number]
    held = np.array([[name in own for name in names] for own in genres], dtype=float)
    year, length, cost = (
        held @ rng.normal(size=(len(names), 3)) + rng.normal(size=(n_movies, 3))
    ).T
    minutes = np.maximum(40, 100 + 12 * length).astype(int)
    return Movies(
        title,
        director,
        genres,
        (1995 + 9 * year).astype(int).tolist(),
        minutes.tolist(),
        np.exp(2 + 0.7 * cost).round(1).tolist(),
    )
