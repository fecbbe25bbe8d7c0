/* Which processor a thread is at, and others kept off it, as Linux has them.  threads.c says what for. */

#include <stdint.h>

#define WORDS 16 /* of 64 processors each */

int sched_getcpu(void);
void *pthread_self(void);
int pthread_getaffinity_np(void *, uint64_t, void *);
int pthread_setaffinity_np(void *, uint64_t, void *);

int64_t tolang_processor(void) { return sched_getcpu(); }

/* Lets threads run wherever the calling one may, but not at this processor; nothing changes where there is no other. */
void tolang_keep_off(int64_t processor, void **threads, int64_t count) {
  uint64_t allowed[WORDS] = {0}, any = 0;
  if (processor < 0 || processor >= 64 * WORDS || pthread_getaffinity_np(pthread_self(), sizeof allowed, allowed))
    return;
  allowed[processor / 64] &= ~(1ULL << processor % 64);
  for (int k = 0; k < WORDS; k++)
    any |= allowed[k];
  for (int64_t k = 0; k < count && any; k++)
    pthread_setaffinity_np(threads[k], sizeof allowed, allowed);
}
