; Columns of words, looked at by all threads in blocks of rows: the least of each, and copies of those that lie apart.
; So are words of records where they lie.
;
; A column is four words: where it begins, how many bytes its rows are apart, where a copy of it goes or null, and the
; least of its words, which is what it was before where that is less.  A block is taken by one thread, column after column.

declare i64 @tolang_parallel(ptr, ptr, i64, i64, i64, ptr)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i64> @llvm.smin.v8i64(<8 x i64>, <8 x i64>)
declare i64 @llvm.vector.reduce.smin.v8i64(<8 x i64>)

define i64 @tolang_columns(ptr %columns, i64 %count, i64 %rows, i64 %block, ptr %fault) {
  %frame = alloca [4 x i64]
  %address = ptrtoint ptr %columns to i64
  %second = getelementptr i64, ptr %frame, i64 1
  %third = getelementptr i64, ptr %frame, i64 2
  %fourth = getelementptr i64, ptr %frame, i64 3
  store i64 %address, ptr %frame
  store i64 %count, ptr %second
  store i64 %rows, ptr %third
  store i64 %block, ptr %fourth
  %more = add i64 %rows, %block
  %up = sub i64 %more, 1
  %blocks = udiv i64 %up, %block
  %items = mul i64 %blocks, %count
  %found = call i64 @tolang_parallel(ptr @columns.piece, ptr %frame, i64 %items, i64 %count, i64 0, ptr %fault)
  ret i64 %found
}

define internal void @columns.piece(ptr %frame, i64 %low, i64 %high) {
entry:
  %address = load i64, ptr %frame
  %columns = inttoptr i64 %address to ptr
  %second = getelementptr i64, ptr %frame, i64 1
  %third = getelementptr i64, ptr %frame, i64 2
  %fourth = getelementptr i64, ptr %frame, i64 3
  %count = load i64, ptr %second
  %rows = load i64, ptr %third
  %block = load i64, ptr %fourth
  %any = icmp slt i64 %low, %high
  br i1 %any, label %item, label %done
item:
  %k = phi i64 [ %low, %entry ], [ %k.next, %next ]
  %number = udiv i64 %k, %count
  %which = urem i64 %k, %count
  %begin = mul i64 %number, %block
  %beyond = add i64 %begin, %block
  %end = call i64 @llvm.smin.i64(i64 %beyond, i64 %rows)
  %length = sub i64 %end, %begin
  %word = mul i64 %which, 4
  %column = getelementptr i64, ptr %columns, i64 %word
  %from.place = load ptr, ptr %column
  %stride.at = getelementptr i64, ptr %column, i64 1
  %stride = load i64, ptr %stride.at
  %to.at = getelementptr i64, ptr %column, i64 2
  %to.place = load ptr, ptr %to.at
  %least.at = getelementptr i64, ptr %column, i64 3
  %skipped = mul i64 %begin, %stride
  %from = getelementptr i8, ptr %from.place, i64 %skipped
  %copies = icmp ne ptr %to.place, null
  br i1 %copies, label %apart, label %together
together:
  %t.least = call i64 @least(ptr %from, i64 %length)
  br label %next
apart:
  %to = getelementptr i64, ptr %to.place, i64 %begin
  %a.least = call i64 @copied(ptr %from, i64 %stride, ptr %to, i64 %length)
  br label %next
next:
  %found = phi i64 [ %t.least, %together ], [ %a.least, %apart ]
  %before = atomicrmw min ptr %least.at, i64 %found monotonic
  %k.next = add i64 %k, 1
  %again = icmp slt i64 %k.next, %high
  br i1 %again, label %item, label %done
done:
  ret void
}

define internal i64 @least(ptr %from, i64 %length) {
entry:
  %first = load i64, ptr %from, align 1
  %lane = insertelement <8 x i64> poison, i64 %first, i64 0
  %start = shufflevector <8 x i64> %lane, <8 x i64> poison, <8 x i32> zeroinitializer
  %vectors = and i64 %length, -32
  %long = icmp sgt i64 %vectors, 0
  br i1 %long, label %loop, label %meet
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %known.0 = phi <8 x i64> [ %start, %entry ], [ %new.0, %loop ]
  %known.1 = phi <8 x i64> [ %start, %entry ], [ %new.1, %loop ]
  %known.2 = phi <8 x i64> [ %start, %entry ], [ %new.2, %loop ]
  %known.3 = phi <8 x i64> [ %start, %entry ], [ %new.3, %loop ]
  %place.0 = getelementptr i64, ptr %from, i64 %k
  %place.1 = getelementptr i64, ptr %place.0, i64 8
  %place.2 = getelementptr i64, ptr %place.0, i64 16
  %place.3 = getelementptr i64, ptr %place.0, i64 24
  %words.0 = load <8 x i64>, ptr %place.0, align 1
  %words.1 = load <8 x i64>, ptr %place.1, align 1
  %words.2 = load <8 x i64>, ptr %place.2, align 1
  %words.3 = load <8 x i64>, ptr %place.3, align 1
  %new.0 = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %known.0, <8 x i64> %words.0)
  %new.1 = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %known.1, <8 x i64> %words.1)
  %new.2 = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %known.2, <8 x i64> %words.2)
  %new.3 = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %known.3, <8 x i64> %words.3)
  %k.next = add nuw nsw i64 %k, 32
  %again = icmp slt i64 %k.next, %vectors
  br i1 %again, label %loop, label %meet
meet:
  %all.0 = phi <8 x i64> [ %start, %entry ], [ %new.0, %loop ]
  %all.1 = phi <8 x i64> [ %start, %entry ], [ %new.1, %loop ]
  %all.2 = phi <8 x i64> [ %start, %entry ], [ %new.2, %loop ]
  %all.3 = phi <8 x i64> [ %start, %entry ], [ %new.3, %loop ]
  %half.0 = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %all.0, <8 x i64> %all.1)
  %half.1 = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %all.2, <8 x i64> %all.3)
  %whole = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %half.0, <8 x i64> %half.1)
  %together = call i64 @llvm.vector.reduce.smin.v8i64(<8 x i64> %whole)
  %rest = icmp slt i64 %vectors, %length
  br i1 %rest, label %one, label %done
one:
  %r = phi i64 [ %vectors, %meet ], [ %r.next, %one ]
  %known = phi i64 [ %together, %meet ], [ %new, %one ]
  %place = getelementptr i64, ptr %from, i64 %r
  %word = load i64, ptr %place, align 1
  %new = call i64 @llvm.smin.i64(i64 %known, i64 %word)
  %r.next = add nuw nsw i64 %r, 1
  %more = icmp slt i64 %r.next, %length
  br i1 %more, label %one, label %done
done:
  %found = phi i64 [ %together, %meet ], [ %new, %one ]
  ret i64 %found
}

; Four words a turn, and the least of them from the copy: a word that is held against the least before waits for that.
define internal i64 @copied(ptr noalias %from, i64 %stride, ptr noalias %to, i64 %length) {
entry:
  %twice = mul i64 %stride, 2
  %thrice = mul i64 %stride, 3
  %turn = mul i64 %stride, 4
  %fours = and i64 %length, -4
  %long = icmp sgt i64 %fours, 0
  br i1 %long, label %loop, label %few
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %place.0 = phi ptr [ %from, %entry ], [ %place.next, %loop ]
  %place.1 = getelementptr i8, ptr %place.0, i64 %stride
  %place.2 = getelementptr i8, ptr %place.0, i64 %twice
  %place.3 = getelementptr i8, ptr %place.0, i64 %thrice
  %word.0 = load i64, ptr %place.0, align 1
  %word.1 = load i64, ptr %place.1, align 1
  %word.2 = load i64, ptr %place.2, align 1
  %word.3 = load i64, ptr %place.3, align 1
  %goal.0 = getelementptr i64, ptr %to, i64 %k
  %goal.1 = getelementptr i64, ptr %goal.0, i64 1
  %goal.2 = getelementptr i64, ptr %goal.0, i64 2
  %goal.3 = getelementptr i64, ptr %goal.0, i64 3
  store i64 %word.0, ptr %goal.0, align 1
  store i64 %word.1, ptr %goal.1, align 1
  store i64 %word.2, ptr %goal.2, align 1
  store i64 %word.3, ptr %goal.3, align 1
  %place.next = getelementptr i8, ptr %place.0, i64 %turn
  %k.next = add nuw nsw i64 %k, 4
  %again = icmp slt i64 %k.next, %fours
  br i1 %again, label %loop, label %few
few:
  %rest = icmp slt i64 %fours, %length
  br i1 %rest, label %one, label %done
one:
  %r = phi i64 [ %fours, %few ], [ %r.next, %one ]
  %bytes = mul i64 %r, %stride
  %place = getelementptr i8, ptr %from, i64 %bytes
  %word = load i64, ptr %place, align 1
  %goal = getelementptr i64, ptr %to, i64 %r
  store i64 %word, ptr %goal, align 1
  %r.next = add nuw nsw i64 %r, 1
  %more = icmp slt i64 %r.next, %length
  br i1 %more, label %one, label %done
done:
  %found = call i64 @least(ptr %to, i64 %length)
  ret i64 %found
}

; Records of so many words each, at most 32, looked at where they lie: the least of what is first in all of them, of what
; is second, and so on.  Eight records are as many vectors as a record has words; each has a least of its own, of which
; the lanes go round the words.
define i64 @tolang_records(ptr %records, i64 %words, i64 %rows, i64 %block, ptr %least, ptr %fault) {
  %frame = alloca [5 x i64]
  %address = ptrtoint ptr %records to i64
  %goal = ptrtoint ptr %least to i64
  %second = getelementptr i64, ptr %frame, i64 1
  %third = getelementptr i64, ptr %frame, i64 2
  %fourth = getelementptr i64, ptr %frame, i64 3
  %fifth = getelementptr i64, ptr %frame, i64 4
  store i64 %address, ptr %frame
  store i64 %words, ptr %second
  store i64 %rows, ptr %third
  store i64 %block, ptr %fourth
  store i64 %goal, ptr %fifth
  %more = add i64 %rows, %block
  %up = sub i64 %more, 1
  %blocks = udiv i64 %up, %block
  %found = call i64 @tolang_parallel(ptr @records.piece, ptr %frame, i64 %blocks, i64 1, i64 0, ptr %fault)
  ret i64 %found
}

define internal void @records.piece(ptr %frame, i64 %low, i64 %high) {
entry:
  %own = alloca [32 x <8 x i64>]
  %address = load i64, ptr %frame
  %records = inttoptr i64 %address to ptr
  %second = getelementptr i64, ptr %frame, i64 1
  %third = getelementptr i64, ptr %frame, i64 2
  %fourth = getelementptr i64, ptr %frame, i64 3
  %fifth = getelementptr i64, ptr %frame, i64 4
  %words = load i64, ptr %second
  %rows = load i64, ptr %third
  %block = load i64, ptr %fourth
  %goal = load i64, ptr %fifth
  %least = inttoptr i64 %goal to ptr
  %from = mul i64 %low, %block
  %to = mul i64 %high, %block
  %end = call i64 @llvm.smin.i64(i64 %to, i64 %rows)
  %any = icmp slt i64 %from, %end
  br i1 %any, label %clear, label %done
clear:
  %c = phi i64 [ 0, %entry ], [ %c.next, %clear ]
  %empty = getelementptr <8 x i64>, ptr %own, i64 %c
  store <8 x i64> splat (i64 9223372036854775807), ptr %empty
  %c.next = add i64 %c, 1
  %cleared = icmp slt i64 %c.next, %words
  br i1 %cleared, label %clear, label %start
start:
  %count = sub i64 %end, %from
  %eights = sdiv i64 %count, 8
  %skipped = mul i64 %from, %words
  %first = getelementptr i64, ptr %records, i64 %skipped
  %long = icmp sgt i64 %eights, 0
  br i1 %long, label %turn, label %rest
turn:
  %k = phi i64 [ 0, %start ], [ %k.next, %turned ]
  %place = phi ptr [ %first, %start ], [ %place.next, %turned ]
  br label %vector
vector:
  %v = phi i64 [ 0, %turn ], [ %v.next, %vector ]
  %here = getelementptr <8 x i64>, ptr %place, i64 %v
  %found = load <8 x i64>, ptr %here, align 1
  %kept = getelementptr <8 x i64>, ptr %own, i64 %v
  %known = load <8 x i64>, ptr %kept
  %new = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %known, <8 x i64> %found)
  store <8 x i64> %new, ptr %kept
  %v.next = add i64 %v, 1
  %another = icmp slt i64 %v.next, %words
  br i1 %another, label %vector, label %turned
turned:
  %place.next = getelementptr <8 x i64>, ptr %place, i64 %words
  %k.next = add i64 %k, 1
  %again = icmp slt i64 %k.next, %eights
  br i1 %again, label %turn, label %rest
rest:
  %behind = phi ptr [ %first, %start ], [ %place.next, %turned ]
  %so.far = mul i64 %eights, 8
  %left = sub i64 %count, %so.far
  %over = mul i64 %left, %words
  %some = icmp sgt i64 %over, 0
  br i1 %some, label %one, label %fold
one:
  %r = phi i64 [ 0, %rest ], [ %r.next, %one ]
  %r.place = getelementptr i64, ptr %behind, i64 %r
  %r.word = load i64, ptr %r.place, align 1
  %r.kept = getelementptr i64, ptr %own, i64 %r
  %r.known = load i64, ptr %r.kept
  %r.new = call i64 @llvm.smin.i64(i64 %r.known, i64 %r.word)
  store i64 %r.new, ptr %r.kept
  %r.next = add i64 %r, 1
  %r.more = icmp slt i64 %r.next, %over
  br i1 %r.more, label %one, label %fold
fold:
  %lanes = mul i64 %words, 8
  br label %lane
lane:
  %l = phi i64 [ 0, %fold ], [ %l.next, %lane ]
  %l.place = getelementptr i64, ptr %own, i64 %l
  %l.least = load i64, ptr %l.place
  %which = urem i64 %l, %words
  %target = getelementptr i64, ptr %least, i64 %which
  %before = atomicrmw min ptr %target, i64 %l.least monotonic
  %l.next = add i64 %l, 1
  %l.more = icmp slt i64 %l.next, %lanes
  br i1 %l.more, label %lane, label %done
done:
  ret void
}
