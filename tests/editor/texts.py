"""Texts of programs as long as wanted."""

from __future__ import annotations

_PART = """\
# Rows, each divided by its sum
tol a{k}: R [n{k},m{k}]
norm{k}(t, p=2) = {{
  s = reduce(t, (u, v) -> u + v^p, 0)
  s^(1/p)
}}
total{k} = reduce(a{k}, add, 0)
scaled{k} = map(a{k}, x -> x / total{k})
w{k} = softmax(scaled{k}, axis=2)
# The product
product{k} = matmul(w{k}, transpose(a{k}))
size{k} = norm{k}(a{k})
out{k} := map(product{k}, x -> if x > 0 then exp(x) else size{k})
"""


def long_text(lines: int) -> str:
    """A program of at least so many lines, in parts that do not need each other."""
    count = lines // _PART.count("\n") + 1
    return "use linalg\nuse nn\n" + "".join(_PART.format(k=k) for k in range(count))


def chain(definitions: int) -> str:
    """A program in which each definition needs the one before."""
    steps = (f"x{k} = map(x{k - 1}, * + {k})\n" for k in range(1, definitions))
    return "tol a: R [n,m]\nx0 = a\n" + "".join(steps)


def star(definitions: int) -> str:
    """A program in which all definitions need the same two."""
    lines = (f"x{k} = map(base, * + {k}) + shifted(a)\n" for k in range(definitions))
    return "tol a: R [n,m]\nbase = transpose(transpose(a))\nshifted(t) = map(t, * + 1)\n" + "".join(lines)
