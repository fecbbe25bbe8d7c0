"""Amounts as people write them: 1000000, 1e6, 500M, 2GB."""

from __future__ import annotations

import operator
import re
from decimal import Decimal

from tolang.ground.reporting.diagnostics import usage
from tolang.ground.reporting.whole_numbers import MOST_DIGITS

_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]*)?(?:[eE][+]?[0-9]+)?)\s*([kKMGTP]?)(i?)[bB]?")
LARGEST_AMOUNT = Decimal(10) ** 300
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


def bytes_from(memory: int | str, option: str = "memory") -> int:
    """A number of bytes, or a text such as 2GB that stands for one."""
    found = amount(memory, option) if isinstance(memory, str) else operator.index(memory)
    if found is None or found < 1:
        raise usage("E605", f"{option} is not an amount", found=str(memory), expected="bytes, such as 500M or 2GB")
    return found


def amount(text: str | None, option: str) -> int | None:
    """A number such as 1e9, 2.5G or 2GB, in thousands; with an i, as of 2GiB, in units of 1024."""
    if text is None:
        return None
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise usage(
            "E605", f"{option} is not an amount", found=text, expected="a number such as 1000000, 1e6, 500M or 2G"
        )
    mantissa, _, exponent = match[1].lower().partition("e")
    unit = (1024 if match[3] else 1000) ** _POWERS[match[2].upper()]
    if len(mantissa) > MOST_DIGITS or len(exponent) > 4 or Decimal(match[1]) * unit > LARGEST_AMOUNT:
        raise usage(
            "E605", f"{option} is not an amount", found=text, expected=f"a number of at most {LARGEST_AMOUNT:.0e}"
        )
    return int(Decimal(match[1]) * unit)
