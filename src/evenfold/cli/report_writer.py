"""ReportWriter: the report of a split that exists."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from .output_checks import (
    check_paths,
    check_report,
    expand_pattern,
)
from .writing import (
    command_line,
    staged_unless_stopped,
)

if TYPE_CHECKING:
    from ..quality import Quality
    from ..splits import Audit
    from ..splits.certificate import Certificate


class ReportWriter:
    """Writes the report of a measured split. Made before the measuring, to refuse early."""

    def __init__(self, report: Path, force: bool, inputs: Sequence[str]) -> None:
        check_report(report)
        self._inputs = [path for given in inputs for path in expand_pattern(given)]
        self._report, self._force = report, force
        check_paths([report], force, self._inputs)

    def write(
        self,
        quality: Quality,
        title: str | None,
        notes: Sequence[str],
        certificate: Certificate | None = None,
    ) -> None:
        """Write the report."""
        with self._staged() as [path]:
            quality.report(
                path,
                title=title,
                call=command_line(),
                notes=notes,
                certificate=certificate,
                date="today",
            )

    def write_audit(self, audit: Audit, title: str) -> None:
        """Write the report of an audit."""
        with self._staged() as [path]:
            audit.report(path, title=title, call=command_line(), date="today")

    def _staged(self) -> AbstractContextManager[list[Path]]:
        return staged_unless_stopped([self._report], force=self._force, inputs=self._inputs)
