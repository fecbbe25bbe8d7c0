/* Conversions between f16 and the wider floats, for processors that have no instruction for them: LLVM calls these by
 * the names that compilers have for them.  They round once, to the even one of two; a NaN stays one, and is quiet. */

#include <stdint.h>

typedef union { _Float16 number; uint16_t bits; } Half;
typedef union { float number; uint32_t bits; } Single;
typedef union { double number; uint64_t bits; } Double;

#define SIGN 0x8000
#define INFINITE 0x7C00
#define QUIET 0x0200

#define ONE_BIT ((uint64_t)1)
#define LEFT_OUT 42                                   /* digits of a double's significand that an f16 does not have */
#define TOO_LARGE ((uint64_t)(1023 + 16) << 52)       /* 2^16 */
#define LEAST_NORMAL ((uint64_t)(1023 - 14) << 52)    /* 2^-14 */
#define HALF_OF_LEAST ((uint64_t)(1023 - 25) << 52)   /* 2^-25 */
#define NOT_A_NUMBER ((uint64_t)0x7FF << 52)          /* anything above is none */

/* A number without its last digits, rounded to the even one of two. */
static uint64_t rounded(uint64_t digits, uint64_t left_out) {
    uint64_t half = ONE_BIT << (left_out - 1);
    return (digits + half - 1 + (digits >> left_out & 1)) >> left_out;
}

_Float16 __truncdfhf2(double wide) {
    Double value = {wide};
    uint64_t size = value.bits & ~(ONE_BIT << 63);
    uint64_t result;
    if (size > NOT_A_NUMBER) {
        result = INFINITE | QUIET | (size >> LEFT_OUT & (QUIET - 1));
    } else if (size >= TOO_LARGE) {
        result = INFINITE;
    } else if (size >= LEAST_NORMAL) {
        result = rounded(size - ((uint64_t)(1023 - 15) << 52), LEFT_OUT);
    } else if (size >= HALF_OF_LEAST) {
        uint64_t digits = (size & ((ONE_BIT << 52) - 1)) | ONE_BIT << 52;
        result = rounded(digits, 1051 - (size >> 52));
    } else {
        result = 0;
    }
    Half narrow = {.bits = (uint16_t)(result | (value.bits >> 48 & SIGN))};
    return narrow.number;
}

_Float16 __truncsfhf2(float wide) {
    return __truncdfhf2(wide);
}

float __extendhfsf2(_Float16 narrow) {
    Half value = {narrow};
    uint32_t sign = (uint32_t)(value.bits & SIGN) << 16, size = value.bits & (SIGN - 1);
    Single wide;
    if (size > INFINITE) {
        wide.bits = 0x7FC00000 | size << 13;
    } else if (size == INFINITE) {
        wide.bits = 0x7F800000;
    } else if (size >= 0x0400) {
        wide.bits = (size << 13) + (112 << 23);
    } else {
        wide.number = (float)size * 0x1p-24f;
    }
    wide.bits |= sign;
    return wide.number;
}
