"""Large pages for large buffers: new memory is then a few hundred faults instead of tens of thousands.

tolang_large_pages(memory, bytes)   asks the system for them; where it has none, nothing changes
"""

from __future__ import annotations

import sys

LARGE = 4 << 20
"""Bytes from which on large pages are worth asking for."""
ALIGNMENT = 1 << 16
"""A multiple of every usual page size."""

_LINUX = f"""
declare i32 @madvise(ptr, i64, i32)

define internal void @tolang_large_pages(ptr %memory, i64 %bytes) {{
entry:
  %large = icmp sge i64 %bytes, {LARGE}
  %there = icmp ne ptr %memory, null
  %wanted = and i1 %large, %there
  br i1 %wanted, label %ask, label %end
ask:
  %whole = ptrtoint ptr %memory to i64
  %above = add i64 %whole, {ALIGNMENT - 1}
  %first = and i64 %above, -{ALIGNMENT}
  %start = inttoptr i64 %first to ptr
  %length = sub i64 %bytes, {ALIGNMENT}
  %ignored = call i32 @madvise(ptr %start, i64 %length, i32 14)
  br label %end
end:
  ret void
}}
"""
_ELSEWHERE = """
define internal void @tolang_large_pages(ptr %memory, i64 %bytes) {
  ret void
}
"""
LARGE_PAGES = _LINUX if sys.platform.startswith("linux") else _ELSEWHERE
"""The function in LLVM IR; 14 is MADV_HUGEPAGE."""
