; Where the system has no large pages to ask for.

define internal void @tolang_large_pages(ptr %memory, i64 %bytes) {
  ret void
}
