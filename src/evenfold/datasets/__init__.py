"""Seeded data of the shapes real data has, ready for `split`."""

from .measure_experiments import make_measure_experiment
from .movies import Movies, make_movies
from .ontologies import make_ontology
from .patients import make_patients
from .tails import make_exponential, make_zipf
from .weights import make_weights

__all__ = [
    "Movies",
    "make_exponential",
    "make_measure_experiment",
    "make_movies",
    "make_ontology",
    "make_patients",
    "make_weights",
    "make_zipf",
]
