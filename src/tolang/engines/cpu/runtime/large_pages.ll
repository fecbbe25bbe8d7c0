; Large pages for large buffers, as Linux has them; 14 is MADV_HUGEPAGE.

declare i32 @madvise(ptr, i64, i32)

define internal void @tolang_large_pages(ptr %memory, i64 %bytes) {
entry:
  %large = icmp sge i64 %bytes, LARGE
  %there = icmp ne ptr %memory, null
  %wanted = and i1 %large, %there
  br i1 %wanted, label %ask, label %end
ask:
  %whole = ptrtoint ptr %memory to i64
  %above = add i64 %whole, BELOW
  %first = and i64 %above, -ALIGNMENT
  %start = inttoptr i64 %first to ptr
  %length = sub i64 %bytes, ALIGNMENT
  %ignored = call i32 @madvise(ptr %start, i64 %length, i32 14)
  br label %end
end:
  ret void
}
