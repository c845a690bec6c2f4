"""Tests of the pages of the documentation: their code, their links and their figures."""
