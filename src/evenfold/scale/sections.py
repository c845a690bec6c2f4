"""Sections: consecutive partitions that are placed together, because small ones do it badly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# Partitions are joined until they have this many label entries and rows. In smaller sections,
# quotas are a few rows of a label, which leaves much to correct: go_sp2014_mf in 64 sections of
# 0.1 million entries was 0.8 % above its bound at a budget of 5 %, in 3 sections 0.2 %. A section
# takes about 150 MB.
ENTRIES_OF_SECTION = 2_000_000


class Section(NamedTuple):
    """Units that are placed together.

    Attributes
    ----------
    number : int
        Its number.
    partitions : tuple of int, default=()
        The numbers of its partitions; none for a bucket of groups.
    """

    number: int
    partitions: tuple[int, ...] = ()


class PartitionTask(NamedTuple):
    """A partition, and where its rows are in its section.

    Attributes
    ----------
    number : int
        The number of the partition.
    section : int, default=-1
        The number of its section; -1 if its rows are in buckets of groups.
    start : int, default=0
        Its first row in the section.
    n_rows : int, default=0
        Its number of rows.
    """

    number: int
    section: int = -1
    start: int = 0
    n_rows: int = 0


def make_sections(
    rows_of_partition: Sequence[int], entries_of_partition: Sequence[int]
) -> list[Section]:
    """Join consecutive partitions; what is joined depends on the data alone."""
    sections: list[Section] = []
    members: list[int] = []
    n_entries = 0
    for number, own in enumerate(zip(rows_of_partition, entries_of_partition, strict=True)):
        members.append(number)
        n_entries += sum(own)
        if n_entries >= ENTRIES_OF_SECTION:
            sections.append(Section(len(sections), tuple(members)))
            members, n_entries = [], 0
    if members:
        sections.append(Section(len(sections), tuple(members)))
    return sections


def make_buckets(n_rows: int, n_entries: int) -> list[Section]:
    """Return as many sections as groups with these rows and entries need."""
    n_buckets = -(-(n_rows + n_entries) // ENTRIES_OF_SECTION)
    return [Section(number) for number in range(max(1, n_buckets))]


def list_partitions(
    sections: Sequence[Section], rows_of_partition: Sequence[int]
) -> list[PartitionTask]:
    """Return for each partition where its rows are."""
    tasks = []
    for section in sections:
        start = 0
        for number in section.partitions:
            n_rows = int(rows_of_partition[number])
            tasks.append(PartitionTask(number, section.number, start, n_rows))
            start += n_rows
    return tasks
