/* Several threads that open regions, some inside others, while the number of threads changes: every item is done once,
   and no two threads have the same number in a region. */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int64_t tolang_parallel(void (*)(void *, int64_t, int64_t), void *, int64_t, int64_t, int64_t, int64_t *);
int64_t tolang_worker(void);
void tolang_python(void **, int64_t, int64_t);
void tolang_threads(int64_t);
void tolang_forked(void);

enum { CALLERS = 3, TURNS = 400, ITEMS = 64, INNER = 40, MOST = 5 };

void tolang_pause(void) {}

static int ensured(void) { return 0; }
static int no_signal(void) { return 0; }
static void fetched(void *a, void *b, void *c) { (void)a, (void)b, (void)c; }
static void released(int state) { (void)state; }
static void cleared(void) {}

struct Work {
  int64_t counts[ITEMS], inside[MOST], fault, inner_fault;
};

static int64_t wrong;

struct Inner {
  int64_t *count;
};

static void inner(void *frame, int64_t low, int64_t high) {
  __atomic_fetch_add(((struct Inner *)frame)->count, high - low, __ATOMIC_RELAXED);
}

static void outer(void *frame, int64_t low, int64_t high) {
  struct Work *work = frame;
  int64_t *mine = &work->inside[tolang_worker()];
  if (__atomic_fetch_add(mine, 1, __ATOMIC_RELAXED))
    __atomic_store_n(&wrong, 3, __ATOMIC_RELAXED);
  for (int64_t item = low; item < high; item++) {
    struct Inner nested = {&work->counts[item]};
    if (item % 4)
      inner(&nested, 0, INNER);
    else
      tolang_parallel(inner, &nested, INNER, 3, item % 8 ? INNER : 0, &work->inner_fault);
  }
  __atomic_fetch_sub(mine, 1, __ATOMIC_RELAXED);
}

static void *caller(void *argument) {
  int64_t number = (int64_t)argument;
  for (int turn = 0; turn < TURNS; turn++) {
    struct Work work = {{0}, {0}, 0, 0};
    int64_t items = 1 + (turn * 7 + number) % ITEMS;
    if (tolang_parallel(outer, &work, items, 1 + turn % 3, turn % 5, &work.fault))
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
    for (int64_t item = 0; item < ITEMS; item++)
      if (work.counts[item] != (item < items ? INNER : 0))
        __atomic_store_n(&wrong, 2, __ATOMIC_RELAXED);
    if (turn % 50 == 0)
      tolang_threads(1 + (turn / 50 + number) % MOST);
    if (turn % 97 == 0)
      usleep(300);
  }
  return 0;
}

int main(void) {
  void *functions[] = {(void *)ensured, (void *)no_signal, (void *)fetched, (void *)released, (void *)cleared};
  pthread_t threads[CALLERS];
  tolang_forked();
  tolang_python(functions, (int64_t)pthread_self(), 1);
  tolang_threads(4);
  for (int64_t k = 1; k < CALLERS; k++)
    pthread_create(&threads[k], 0, caller, (void *)k);
  caller(0);
  for (int k = 1; k < CALLERS; k++)
    pthread_join(threads[k], 0);
  printf("%d\n", (int)wrong);
  return (int)wrong;
}
