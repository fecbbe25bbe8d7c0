"""Makes LLVM IR of every C file of the package, beside it: what is shipped and compiled where a program runs.

    pip install ziglang
    python -m native

The compiler is one that a package brings along, so that everybody has the same.  What follows from the machine it runs
on is left out of the text, as the IR is for every processor: whoever compiles it says for which.
"""

from __future__ import annotations

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "tolang"
OPTIONS = (
    "-target", "aarch64-linux-gnu", "-S", "-emit-llvm", "-O1", "-g0", "-std=c11", "-Wall", "-Wextra", "-Werror",
    "-fno-builtin", "-fno-sanitize=all", "-fno-stack-protector", "-fno-strict-aliasing", "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables", "-Wno-unused-command-line-argument", "-Wno-incompatible-library-redeclaration",
)  # fmt: skip
LEFT_OUT = re.compile(r"target |source_filename|; ModuleID|; Function Attrs|attributes #|!|.*@llvm\.lifetime\.")
WORDS_LEFT_OUT = re.compile(
    r" #\d+(?=\s|$)| local_unnamed_addr| unnamed_addr| dso_local| noundef| nonnull| captures\([^)]*\)| nocapture"
    r"|, ![\w.]+ !\d+| +; preds = .*$"
)


def digest(source: Path) -> str:
    """What tells whether IR was made of this very file."""
    return sha256(source.read_bytes()).hexdigest()[:16]


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.c"))


def header(source: Path) -> str:
    return f"; Made of {source.name} ({digest(source)}) by `python -m native`.\n"


def made_of(source: Path) -> str:
    """The IR of a C file, for every processor."""
    with TemporaryDirectory() as folder:
        goal = Path(folder) / "made.ll"
        subprocess.run([sys.executable, "-m", "ziglang", "cc", *OPTIONS, "-o", str(goal), str(source)], check=True)
        text = goal.read_text("utf-8")
    lines = [WORDS_LEFT_OUT.sub("", line).rstrip() for line in text.splitlines() if not LEFT_OUT.match(line)]
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return f"{header(source)}\n{body}\n"


def main() -> None:
    for source in sources():
        goal = source.with_suffix(".ll")
        goal.write_text(made_of(source), "utf-8")
        print(goal.relative_to(PACKAGE))


if __name__ == "__main__":
    main()
