"""Near-duplicate texts: how many a random split puts into both parts, and a split without them.

Run it in an empty folder: python duplicates.py
"""

import argparse

import numpy as np

import evenfold

WORDS = np.array([f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnrs"])


def make_texts(n_rows):
    """Return texts and their tags; every fifth text is an earlier one with one word changed."""
    rng = np.random.default_rng(0)
    texts, tags = [], []
    for row in range(n_rows):
        if row % 5 == 4:
            source = rng.integers(row)
            words, own = texts[source].split(), tags[source]
            words[rng.integers(len(words))] = "changed"
        else:
            words, own = rng.choice(WORDS, 40), list(rng.choice(["a", "b", "c", "d"], 2, False))
        texts.append(" ".join(words))
        tags.append([str(tag) for tag in own])
    return texts, tags


def main():
    """Audit a random split, then make one in which near-duplicates stay together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1000)
    texts, tags = make_texts(parser.parse_args().rows)

    at_random = np.where(np.random.default_rng(1).random(len(texts)) < 0.8, "train", "test")
    audit = evenfold.audit(tags, at_random, text=texts, at=0.7)
    print("random:", audit.verdict)
    audit.report("audit.html")

    links = evenfold.link(text=texts, at=0.7)
    print(links)
    s = evenfold.split(tags, parts={"train": 0.8, "test": 0.2}, groups=links)
    part = np.array(s.names)[s.part_of_row]
    print("evenfold:", evenfold.audit(tags, part, text=texts, at=0.7).verdict)
    print(s.certificate())


if __name__ == "__main__":
    main()
