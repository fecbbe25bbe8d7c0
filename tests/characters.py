"""Characters for generated texts: what hypothesis has of its own takes seconds to make ready in a fresh checkout."""

from __future__ import annotations

from hypothesis import strategies as st

ANY = st.one_of(st.integers(32, 126), st.integers(0, 0x10FFFF)).map(chr)
WRITABLE = ANY.filter(lambda character: not "\ud800" <= character <= "\udfff")
"""All but halves of characters, which no file can hold."""
