/* Large blocks of memory that were given back, kept for whoever asks for as much next.

   A system clears memory before it gives it out, page by page; a program that takes and gives back the same
   blocks in every call would pay for that in every call.  pool.ll is made of this file by `python -m native`. */

#include <stdint.h>

#define SLOTS 64
#define SMALLEST (1 << 15)

void *malloc(uint64_t);
void free(void *);

struct pool_block { void *memory; int64_t size; };
static struct pool_block pool_slots[SLOTS]; /* the oldest first */
static int64_t pool_count, pool_kept, pool_most;
static int pool_lock;

static void enter(void) {
  while (__atomic_exchange_n(&pool_lock, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(&pool_lock, __ATOMIC_RELAXED))
      ;
}

static void leave(void) { __atomic_store_n(&pool_lock, 0, __ATOMIC_RELEASE); }

static void *removed(int64_t place) {
  void *memory = pool_slots[place].memory;
  pool_kept -= pool_slots[place].size;
  pool_count -= 1;
  for (int64_t k = place; k < pool_count; k++)
    pool_slots[k] = pool_slots[k + 1];
  return memory;
}

/* A block of at least so many bytes that is not much larger, the smallest there is, or null. */
void *tolang_pool_take(int64_t bytes) {
  if (bytes < SMALLEST)
    return 0;
  enter();
  int64_t best = -1;
  for (int64_t k = 0; k < pool_count; k++)
    if (pool_slots[k].size >= bytes && pool_slots[k].size - bytes <= bytes / 4 && (best < 0 || pool_slots[k].size < pool_slots[best].size))
      best = k;
  void *memory = best < 0 ? 0 : removed(best);
  leave();
  return memory;
}

/* Keeps a block of so many bytes, or frees it; the oldest make room. */
void tolang_pool_give(void *memory, int64_t size) {
  if (size < SMALLEST || size > __atomic_load_n(&pool_most, __ATOMIC_RELAXED)) {
    free(memory);
    return;
  }
  for (;;) {
    enter();
    if (pool_count < SLOTS && pool_kept + size <= __atomic_load_n(&pool_most, __ATOMIC_RELAXED)) {
      pool_slots[pool_count].memory = memory;
      pool_slots[pool_count].size = size;
      pool_count += 1;
      pool_kept += size;
      leave();
      return;
    }
    void *oldest = pool_count ? removed(0) : 0;
    leave();
    if (!oldest) {
      free(memory);
      return;
    }
    free(oldest);
  }
}

/* Says how many bytes may be kept; frees what is too much. */
void tolang_pool_keep(int64_t bytes) {
  __atomic_store_n(&pool_most, bytes, __ATOMIC_RELAXED);
  for (;;) {
    enter();
    void *oldest = pool_count && pool_kept > bytes ? removed(0) : 0;
    leave();
    if (!oldest)
      return;
    free(oldest);
  }
}

/* Frees all that is kept: memory is short. */
void tolang_pool_empty(void) {
  int64_t before = __atomic_load_n(&pool_most, __ATOMIC_RELAXED);
  tolang_pool_keep(0);
  __atomic_store_n(&pool_most, before, __ATOMIC_RELAXED);
}

/* After a fork: the thread that may have been inside is gone, and what it was at is left alone. */
void tolang_pool_forked(void) {
  if (__atomic_load_n(&pool_lock, __ATOMIC_RELAXED)) {
    pool_count = 0;
    pool_kept = 0;
    leave();
  }
}
