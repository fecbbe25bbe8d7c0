"""The picture of a cost report, docs/report.png: a headless browser shows the report of README.md's Sinkhorn program.

`python -m documentation.report_picture` writes it; Chromium or Chrome has to be installed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.browser import browser
from tests.docs.pages import snippets

PATH = Path("docs") / "report.png"
PROGRAM = "sinkhorn.tol"
SIZES = ("n=1000", "m=1000")
WINDOW = (1080, 866)
"""Width and height in pixels: the totals, and where the operations go."""


def program() -> str:
    """The source that the picture shows, as README.md has it."""
    (source,) = (block.text for block in snippets(Path("README.md").read_text("utf-8")) if block.file == PROGRAM)
    return source


def main() -> int:
    chromium = browser()
    if chromium is None:
        print("neither Chromium nor Chrome is installed")
        return 1
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / PROGRAM).write_text(program(), encoding="utf-8")
        cost = [sys.executable, "-m", "tolang", "cost", PROGRAM, *SIZES, "--html", "report.html"]
        subprocess.run(cost, cwd=folder, check=True)
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={folder}/profile",
        ]
        options += ["--window-size={},{}".format(*WINDOW), f"--screenshot={folder}/report.png"]
        subprocess.run([chromium, *options, f"file://{folder}/report.html"], check=True, stderr=subprocess.DEVNULL)
        PATH.write_bytes((folder / "report.png").read_bytes())
    print(f"wrote {PATH}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
