/* Which processor a thread is at, and threads bound to processors, as Linux has them.  threads.c says what for. */

#include <stdint.h>

#define WORDS 16 /* of 64 processors each */

int sched_getcpu(void);
void *pthread_self(void);
int pthread_getaffinity_np(void *, uint64_t, void *);
int pthread_setaffinity_np(void *, uint64_t, void *);

int64_t tolang_processor(void) { return sched_getcpu(); }

/* The processors that the calling thread may run at, in order, as far as there is room; how many they are. */
int64_t tolang_processors(int64_t *numbers, int64_t room) {
  uint64_t allowed[WORDS] = {0};
  int64_t count = 0;
  if (pthread_getaffinity_np(pthread_self(), sizeof allowed, allowed))
    return 0;
  for (int64_t k = 0; k < 64 * WORDS; k++)
    if (allowed[k / 64] >> k % 64 & 1) {
      if (count < room)
        numbers[count] = k;
      count += 1;
    }
  return count;
}

/* Has a thread run at some processors alone. */
void tolang_bind(void *thread, int64_t *numbers, int64_t count) {
  uint64_t some[WORDS] = {0};
  for (int64_t k = 0; k < count; k++)
    some[numbers[k] / 64] |= 1ULL << numbers[k] % 64;
  pthread_setaffinity_np(thread, sizeof some, some);
}
