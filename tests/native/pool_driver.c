/* Threads that take, fill, check and give back blocks at random, while the limit changes. */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *tolang_pool_take(int64_t);
void tolang_pool_give(void *, int64_t);
void tolang_pool_keep(int64_t);
void tolang_pool_empty(void);

enum { THREADS = 4, TURNS = 400, MEGABYTE = 1 << 20 };
static int wrong;

static void *work(void *argument) {
  unsigned seed = (unsigned)(uintptr_t)argument;
  for (int turn = 0; turn < TURNS; turn++) {
    int64_t size = MEGABYTE + (rand_r(&seed) % 8) * (MEGABYTE / 4);
    int64_t *memory = tolang_pool_take(size);
    if (!memory) {
      memory = malloc((size_t)(size + size / 4)); /* the pool may give a block that is a quarter larger */
      memory[1] = size;
    } else if (memory[1] < size || memory[1] > size + size / 4) {
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
    }
    int64_t whole = memory[1], mark = (int64_t)(uintptr_t)argument * TURNS + turn;
    memory[0] = mark;
    memory[whole / 8 - 1] = mark;
    if (turn % 500 == 0)
      tolang_pool_keep((int64_t)(rand_r(&seed) % 16) * MEGABYTE);
    if (turn % 700 == 0)
      tolang_pool_empty();
    if (memory[0] != mark || memory[whole / 8 - 1] != mark)
      __atomic_store_n(&wrong, 2, __ATOMIC_RELAXED);
    tolang_pool_give(memory, whole);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  tolang_pool_keep(8 * MEGABYTE);
  for (uintptr_t k = 0; k < THREADS; k++)
    pthread_create(&threads[k], 0, work, (void *)(k + 1));
  for (int k = 0; k < THREADS; k++)
    pthread_join(threads[k], 0);
  tolang_pool_keep(0);
  printf("%d\n", wrong);
  return wrong;
}
