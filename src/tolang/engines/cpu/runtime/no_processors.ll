; Where the system does not say which processor a thread is at.

define internal i64 @tolang_processor() {
  ret i64 -1
}

define internal i64 @tolang_processors(ptr %numbers, i64 %room) {
  ret i64 0
}

define internal void @tolang_bind(ptr %thread, ptr %numbers, i64 %count) {
  ret void
}
