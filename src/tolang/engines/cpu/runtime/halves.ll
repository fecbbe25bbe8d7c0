; Made of halves.c (274fce12a50c2e7d) by `python -m native`.

define half @__truncdfhf2(double %0) {
  %2 = tail call double @llvm.fabs.f64(double %0)
  %3 = bitcast double %2 to i64
  %4 = icmp samesign ugt i64 %3, 9218868437227405312
  br i1 %4, label %5, label %9

5:
  %6 = lshr i64 %3, 42
  %7 = and i64 %6, 511
  %8 = or disjoint i64 %7, 32256
  br label %34

9:
  %10 = icmp samesign ugt i64 %3, 4679240012837945343
  br i1 %10, label %34, label %11

11:
  %12 = icmp samesign ugt i64 %3, 4544132024016830463
  br i1 %12, label %13, label %19

13:
  %14 = lshr i64 %3, 42
  %15 = and i64 %14, 1
  %16 = add nsw i64 %3, -4539626225366204417
  %17 = add nuw nsw i64 %16, %15
  %18 = lshr i64 %17, 42
  br label %34

19:
  %20 = icmp samesign ugt i64 %3, 4494592428115755007
  br i1 %20, label %21, label %34

21:
  %22 = and i64 %3, 4503599627370495
  %23 = or disjoint i64 %22, 4503599627370496
  %24 = lshr i64 %3, 52
  %25 = sub nuw nsw i64 1051, %24
  %26 = sub nuw nsw i64 1050, %24
  %27 = shl nuw nsw i64 1, %26
  %28 = lshr i64 %23, %25
  %29 = and i64 %28, 1
  %30 = add nuw nsw i64 %22, 4503599627370495
  %31 = add nuw nsw i64 %30, %27
  %32 = add nuw nsw i64 %31, %29
  %33 = lshr i64 %32, %25
  br label %34

34:
  %35 = phi i64 [ %8, %5 ], [ 31744, %9 ], [ %18, %13 ], [ %33, %21 ], [ 0, %19 ]
  %36 = bitcast double %0 to i64
  %37 = lshr i64 %36, 48
  %38 = and i64 %37, 32768
  %39 = or i64 %35, %38
  %40 = trunc nuw i64 %39 to i16
  %41 = bitcast i16 %40 to half
  ret half %41
}

define half @__truncsfhf2(float %0) {
  %2 = fpext float %0 to double
  %3 = tail call double @llvm.fabs.f64(double %2)
  %4 = bitcast double %3 to i64
  %5 = icmp samesign ugt i64 %4, 9218868437227405312
  br i1 %5, label %6, label %10

6:
  %7 = lshr i64 %4, 42
  %8 = and i64 %7, 511
  %9 = or disjoint i64 %8, 32256
  br label %35

10:
  %11 = icmp samesign ugt i64 %4, 4679240012837945343
  br i1 %11, label %35, label %12

12:
  %13 = icmp samesign ugt i64 %4, 4544132024016830463
  br i1 %13, label %14, label %20

14:
  %15 = lshr i64 %4, 42
  %16 = and i64 %15, 1
  %17 = add nsw i64 %4, -4539626225366204417
  %18 = add nuw nsw i64 %17, %16
  %19 = lshr i64 %18, 42
  br label %35

20:
  %21 = icmp samesign ugt i64 %4, 4494592428115755007
  br i1 %21, label %22, label %35

22:
  %23 = and i64 %4, 4503599627370495
  %24 = or disjoint i64 %23, 4503599627370496
  %25 = lshr i64 %4, 52
  %26 = sub nuw nsw i64 1051, %25
  %27 = sub nuw nsw i64 1050, %25
  %28 = shl nuw nsw i64 1, %27
  %29 = lshr i64 %24, %26
  %30 = and i64 %29, 1
  %31 = add nuw nsw i64 %23, 4503599627370495
  %32 = add nuw nsw i64 %31, %28
  %33 = add nuw nsw i64 %32, %30
  %34 = lshr i64 %33, %26
  br label %35

35:
  %36 = phi i64 [ %9, %6 ], [ 31744, %10 ], [ %19, %14 ], [ %34, %22 ], [ 0, %20 ]
  %37 = bitcast double %2 to i64
  %38 = lshr i64 %37, 48
  %39 = and i64 %38, 32768
  %40 = or i64 %36, %39
  %41 = trunc nuw i64 %40 to i16
  %42 = bitcast i16 %41 to half
  ret half %42
}

define float @__extendhfsf2(half %0) {
  %2 = tail call half @llvm.fabs.f16(half %0)
  %3 = bitcast half %2 to i16
  %4 = zext nneg i16 %3 to i32
  %5 = icmp samesign ugt i16 %3, 31744
  br i1 %5, label %6, label %9

6:
  %7 = shl nuw nsw i32 %4, 13
  %8 = or i32 %7, 2143289344
  br label %20

9:
  %10 = icmp eq i16 %3, 31744
  br i1 %10, label %20, label %11

11:
  %12 = icmp samesign ugt i16 %3, 1023
  br i1 %12, label %13, label %16

13:
  %14 = shl nuw nsw i32 %4, 13
  %15 = add nuw nsw i32 %14, 939524096
  br label %20

16:
  %17 = uitofp nneg i16 %3 to float
  %18 = fmul float %17, 0x3E70000000000000
  %19 = bitcast float %18 to i32
  br label %20

20:
  %21 = phi i32 [ %8, %6 ], [ %19, %16 ], [ %15, %13 ], [ 2139095040, %9 ]
  %22 = bitcast half %0 to i16
  %23 = sext i16 %22 to i32
  %24 = and i32 %23, -2147483648
  %25 = or i32 %21, %24
  %26 = bitcast i32 %25 to float
  ret float %26
}

declare double @llvm.fabs.f64(double)

declare half @llvm.fabs.f16(half)
