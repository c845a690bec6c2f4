"""The page on reliability shows what the records of the proofs hold."""

from reliability.page import PAGE, PROOF, fill
from reliability.records import FOLDER


def test_page_is_written_from_the_records():
    """A figure that was typed by hand, or is from an older run, would differ."""
    page = PAGE.read_text(encoding="utf-8")
    assert fill(page) == page, "run `python -m reliability.page`"


def test_page_shows_every_record():
    """A record that no page shows is a proof that nobody reads."""
    shown = {found[1] for found in PROOF.finditer(PAGE.read_text(encoding="utf-8"))}
    assert shown == {path.stem for path in FOLDER.glob("*.json")}
