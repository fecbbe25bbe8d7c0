"""`python -m benchmarks.models.fetch NAME`: makes sure that a model is there, and prints the path of its file."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.models.catalogue import BY_NAME
from benchmarks.models.making import place


def main() -> int:
    """Without the model, as where there is no network, nothing is printed and the reason told."""
    wanted = [BY_NAME[name] for name in sys.argv[1:] if name in BY_NAME]
    if not wanted:
        print(f"which of {', '.join(BY_NAME)}?", file=sys.stderr)
        return 2
    for model in wanted:
        try:
            print(place(model, BY_NAME))
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{model.name} could not be fetched: {error}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
