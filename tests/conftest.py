"""Hypothesis profiles: `default` for `make test`, `fuzz` for `make fuzz`.

Neither has a deadline, as a first call may compile.  Under CI=true the default profile draws the same cases each time,
so a change is judged by what it changed; new cases are found by `fuzz`.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    deadline=None,
    max_examples=100,
    derandomize=os.environ.get("CI", "").lower() == "true",
    print_blob=True,
)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=int(os.environ.get("TOLANG_FUZZ_EXAMPLES", "5000")),
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("default")
