"""The page on files: its lines run, and what it says of their results holds."""

import re
import subprocess
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")


def test_the_lines_of_the_page_run(command, tmp_path):
    """One after the other; those of other programs are run by a shell."""
    assert command("demo -o movies.csv").code == 0
    blocks = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    assert len(lines) >= 3
    for line in lines:
        if line.startswith("evenfold "):
            done = command(line.removeprefix("evenfold "))
            assert done.code == 0, (line, done.stderr)
        else:
            subprocess.run(line, shell=True, check=True, cwd=tmp_path)
    assert sorted(path.name for path in Path("packed").iterdir()) == ["test.csv.gz", "train.csv.gz"]
