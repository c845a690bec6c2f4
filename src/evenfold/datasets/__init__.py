"""Seeded synthetic data with the properties of real data, ready for `split`."""

from .label_frequencies import make_exponential, make_zipf
from .measure_experiments import make_measure_experiment
from .movies import Movies, make_movies
from .ontologies import make_ontology
from .patients import make_patients
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
