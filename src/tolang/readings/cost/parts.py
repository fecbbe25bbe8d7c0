"""A bundle of which some parts are never used: only what the outputs reach is counted."""

from __future__ import annotations
