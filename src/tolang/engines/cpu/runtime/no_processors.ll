; Where the system does not say which processor a thread is at.

define internal i64 @tolang_processor() {
  ret i64 -1
}

define internal void @tolang_keep_off(i64 %processor, ptr %threads, i64 %count) {
  ret void
}
