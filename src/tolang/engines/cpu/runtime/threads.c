/* Threads for compiled code: regions of work that any idle thread may join.  threads.py says what each function is for.

   A region is open in one of several slots while its pieces are shared out by atomic counters: so regions may be inside
   regions, and several threads of Python may have some at once.  Whoever opens a region works on it at once and waits for
   nobody but those who joined; whoever is idle looks through the slots, spins a little, and sleeps. */

#include <stdint.h>

#define SLOTS 32
#define SPIN 50000            /* nanoseconds that an idle thread looks for work before it sleeps */
#define PATIENCE 1000000      /* and while a plan runs, which may open the next region at any time: waking is dear */
#define ALONE 20000           /* of small regions after a rest that whoever opens them does alone */
#define STRETCH 32            /* pauses between two looks at the clock */
#define MOST 1024             /* workers, as threads.py has it */
#define PARTS 64              /* of a region's pieces at the most */
#define TURN (1ULL << 32)     /* and how many of those there are at the most */
#define STOPPED ((1LL << 20) - 2) /* plan/artifact.py has these two, and a test compares them */
#define UNREADY ((1LL << 20) - 1)

typedef void (*Job)(void *frame, int64_t low, int64_t high);

/* Pieces that one thread takes before it helps others: with the next region of the same form it has the same ones again,
   and finds what it needs for them in its own caches.  So it finds the word that tells which piece is next, too: it says
   of which turn of its slot that is, and whoever comes first in a turn begins at the first piece. */
struct Part {
  _Alignas(128) uint64_t next; /* TURN for each turn, and the first piece that nobody has */
};

struct Region {
  _Alignas(128) int64_t open; /* while it may be joined, which turn of its slot this is; else 0 */
  Job job;
  void *frame;
  int64_t count, grain, pieces, parts;
  int64_t *fault;
  _Alignas(128) int64_t drained; /* the last turn in which nobody needed to look for pieces any more */
  _Alignas(128) int64_t taken;   /* by a thread that opens it, */
  int64_t awaited;               /* which sleeps until all have left it */
  int64_t turns;                 /* how often that was */
};

/* Where a worker is.  Each has a line of memory of its own for it: to count all of them in one, they would wait for each
   other, and that is most of what a small region costs. */
struct Whereabouts {
  _Alignas(128) int64_t slot; /* that of the region it has joined, from 1, or 0 */
};

struct Time {
  int64_t seconds, rest;
};

int pthread_mutex_init(void *, void *);
int pthread_cond_init(void *, void *);
int pthread_mutex_lock(void *);
int pthread_mutex_unlock(void *);
int pthread_cond_wait(void *, void *);
int pthread_cond_timedwait(void *, void *, void *);
int pthread_cond_signal(void *);
int pthread_cond_broadcast(void *);
int pthread_create(void *, void *, void *(*)(void *), void *);
int pthread_detach(void *);
void *pthread_self(void);
int clock_gettime(int, void *);
void tolang_pause(void); /* what a processor does while it waits for another */
int64_t tolang_processor(void);
int64_t tolang_processors(int64_t *numbers, int64_t room);
void tolang_bind(void *thread, int64_t *numbers, int64_t count);
void tolang_pool_forked(void);

static struct Region region_slots[SLOTS];
static struct Part region_parts[SLOTS][PARTS];
static _Alignas(128) int64_t region_generation; /* grows with each region */
static struct Whereabouts region_joined[MOST + 1]; /* of each worker, by its number */
static _Alignas(128) int64_t region_openers;    /* threads that have opened a region, and are at its pieces */
static _Alignas(128) int64_t region_sleeping;   /* workers that wait to be woken */
static _Alignas(128) int64_t region_running;    /* plans that run */
static _Alignas(128) int64_t region_wanted;     /* workers that are still to be woken, by those who are */
static _Alignas(16) char region_mutex[256], region_wake[256], region_done[256], region_more[256];
static _Alignas(128) int64_t region_ended;      /* when the last one did, */
static int64_t region_alone;                    /* and how many nanoseconds of small ones are done alone from then on */
static int64_t region_threads = 1, region_started, region_parked;
static void *region_workers[MOST], *region_selves[MOST]; /* the same threads, as whoever made them and as they know them */
static int64_t region_processors[MOST], region_places[MOST]; /* all there are, and those that workers are bound to */
static int64_t region_bound;                                 /* how many workers are */
static int64_t region_home = -1;                             /* the processor of whoever opened a region last */
static int64_t clock_number = 1; /* of the clock that only goes on */

static int64_t signal_stopped, signal_main, signal_tick;
static void *signal_python[5], *signal_exception[3];

#define LOAD(place) __atomic_load_n(&(place), __ATOMIC_ACQUIRE)
#define GLANCE(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define STORE(place, value) __atomic_store_n(&(place), value, __ATOMIC_RELEASE)
#define ADD(place, value) __atomic_fetch_add(&(place), value, __ATOMIC_SEQ_CST)
#define LOOK(place) __atomic_load_n(&(place), __ATOMIC_SEQ_CST) /* these two of several threads are in one order */
#define SHOW(place, value) __atomic_store_n(&(place), value, __ATOMIC_SEQ_CST)

static int64_t nanoseconds(void) {
  struct Time now;
  clock_gettime((int)GLANCE(clock_number), &now);
  return now.seconds * 1000000000 + now.rest;
}

/* Signals */

static int is_main(void) { return (int64_t)pthread_self() == GLANCE(signal_main); }

void keep_exception(void) {
  if (!is_main()) {
    ((void (*)(void))signal_python[4])();
    return;
  }
  ((void (*)(void *, void *, void *))signal_python[2])(signal_exception, signal_exception + 1, signal_exception + 2);
  STORE(signal_stopped, 1);
}

int64_t tolang_look(int64_t *fault) {
  int64_t known = GLANCE(*fault);
  if (known || !is_main())
    return known;
  if (!GLANCE(signal_stopped)) {
    int64_t now = nanoseconds() / 50000000;
    if (now == signal_tick)
      return 0;
    signal_tick = now;
    int state = ((int (*)(void))signal_python[0])();
    int raised = ((int (*)(void))signal_python[1])();
    if (raised)
      keep_exception();
    ((void (*)(int))signal_python[3])(state);
    if (!raised)
      return 0;
  }
  int64_t none = 0;
  __atomic_compare_exchange_n(fault, &none, STOPPED, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return GLANCE(*fault);
}

void tolang_python(void **functions, int64_t thread, int64_t clock) {
  for (int k = 0; k < 5; k++)
    signal_python[k] = functions[k];
  STORE(signal_main, thread);
  STORE(clock_number, clock);
}

void tolang_taken(void **exception) {
  for (int k = 0; k < 3; k++) {
    exception[k] = signal_exception[k];
    signal_exception[k] = 0;
  }
  STORE(signal_stopped, 0);
}

int64_t tolang_not_yet(void *frame) {
  (void)frame;
  return UNREADY;
}

/* Regions */

/* Does the pieces of a part, from one to another, that nobody has yet; whether all is well. */
static int work_on_part(struct Region *region, struct Part *part, uint64_t turn, int64_t from, int64_t to) {
  uint64_t first = turn * TURN;
  for (uint64_t found; (found = GLANCE(part->next) - first) >= TURN || (int64_t)found < to;) {
    if (tolang_look(region->fault))
      return 0;
    int64_t piece = from, grain = region->grain;
    uint64_t before = found + first;
    if (found < TURN)
      piece = (int64_t)(__atomic_fetch_add(&part->next, 1, __ATOMIC_RELAXED) - first);
    else if (!__atomic_compare_exchange_n(&part->next, &before, first + from + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      continue;
    if (piece < to)
      region->job(region->frame, piece * grain, region->count - piece * grain < grain ? region->count : (piece + 1) * grain);
  }
  return 1;
}

/* Does pieces of a turn until nobody is without one, those of the part of this thread's own number first. */
static void work_on(struct Region *region, int64_t turn, int64_t own) {
  struct Part *parts = region_parts[region - region_slots];
  int64_t count = region->parts, pieces = region->pieces;
  for (int64_t k = 0; k < count; k++) {
    int64_t number = (own + k) % count;
    if (k && GLANCE(region->drained) == turn)
      return;
    if (!work_on_part(region, &parts[number], turn, pieces * number / count, pieces * (number + 1) / count))
      return;
  }
  __atomic_store_n(&region->drained, turn, __ATOMIC_RELAXED);
}

/* Joins a region that is open and has pieces left, as the worker of a number; whether there was one.  It says where it
   is, then looks whether the region is still open; whoever closes it does so, then looks who is there. */
static int join(struct Region *region, int64_t number) {
  int64_t turn = GLANCE(region->open);
  if (!turn || GLANCE(region->drained) == turn)
    return 0;
  SHOW(region_joined[number].slot, region - region_slots + 1);
  turn = LOOK(region->open);
  if (turn)
    work_on(region, turn, number);
  SHOW(region_joined[number].slot, 0);
  if (LOOK(region->awaited)) {
    pthread_mutex_lock(region_mutex);
    pthread_cond_broadcast(region_done);
    pthread_mutex_unlock(region_mutex);
  }
  return turn != 0;
}

static int join_any(int64_t number) {
  int found = 0;
  for (int k = 0; k < SLOTS; k++)
    found |= join(&region_slots[k], number);
  return found;
}

/* Wakes two workers, if so many are wanted, who do the same: so whoever opens a region begins to work at once. */
static void wake_two(void) {
  for (int k = 0; k < 2; k++) {
    if (GLANCE(region_wanted) <= 0 || ADD(region_wanted, -1) <= 0)
      return;
    pthread_cond_signal(region_wake);
  }
}

static int64_t patience(void) { return GLANCE(region_running) > 0 ? PATIENCE : SPIN; }

/* Waits until there may be a region that was not there. */
static void rest(int64_t seen) {
  int64_t begun = nanoseconds();
  do {
    for (int k = 0; k < STRETCH && LOAD(region_generation) == seen; k++)
      tolang_pause();
  } while (LOAD(region_generation) == seen && nanoseconds() < begun + patience());
  if (LOAD(region_generation) != seen)
    return;
  pthread_mutex_lock(region_mutex);
  ADD(region_sleeping, 1);
  while (LOOK(region_generation) == seen)
    pthread_cond_wait(region_wake, region_mutex);
  ADD(region_sleeping, -1);
  pthread_mutex_unlock(region_mutex);
  wake_two();
}

/* Waits until there are to be so many threads. */
static void park(int64_t index) {
  pthread_mutex_lock(region_mutex);
  ADD(region_parked, 1);
  while (index >= LOOK(region_threads))
    pthread_cond_wait(region_more, region_mutex);
  ADD(region_parked, -1);
  pthread_mutex_unlock(region_mutex);
}

static void *worker(void *argument) {
  int64_t index = (int64_t)argument;
  STORE(region_selves[index - 1], pthread_self());
  for (;;) {
    int64_t seen = LOAD(region_generation);
    if (index >= LOAD(region_threads))
      park(index);
    else if (!join_any(index))
      rest(seen);
  }
  return 0;
}

/* Starts the workers that are not there yet; the lock is held. */
static void start_workers(void) {
  while (GLANCE(region_started) < GLANCE(region_threads) - 1 && GLANCE(region_started) < MOST) {
    int64_t number = ADD(region_started, 1) + 1; /* before it can join anything: whoever waits looks at so many */
    void **thread = &region_workers[number - 1];
    if (pthread_create(thread, 0, worker, (void *)number)) {
      ADD(region_started, -1);
      return;
    }
    pthread_detach(*thread);
    STORE(region_home, -1);
  }
}

static void bind(int64_t worker, int64_t processor) {
  region_places[worker] = processor;
  tolang_bind(region_workers[worker], &processor, 1);
}

/* Whether the calling thread may run at the processors that threads are bound to, and no others. */
static int are_known(int64_t *numbers, int64_t found) {
  int same = region_bound && found == region_bound + 1;
  for (int64_t k = 0; same && k < found; k++)
    same = numbers[k] == region_processors[k];
  return same;
}

/* Gives every thread a processor of its own, `here` to the calling one, where they are as many; else all run wherever
   the calling one may, if that is not at one place alone. */
static void bind_all(int64_t here, int64_t *numbers, int64_t found) {
  int64_t workers = GLANCE(region_threads) - 1, next = 0, bound = region_bound;
  region_bound = 0;
  if (found > 1)
    for (int64_t k = 0; k < found; k++)
      region_processors[k] = numbers[k];
  for (int64_t k = 0; k < bound; k++)
    tolang_bind(region_workers[k], region_processors, found > 1 ? found : bound + 1);
  if (found != workers + 1 || GLANCE(region_started) < workers)
    return;
  for (int64_t k = 0; k < workers; k++) {
    next += numbers[next] == here;
    bind(k, numbers[next++]);
  }
  region_bound = workers;
}

/* Sees to it that no worker wakes at the processor of whoever opens a region; the lock is held.  A system that finds a
   processor busy for a moment puts two threads at another, where they take turns for milliseconds: where there are as many
   threads as processors each has its own, and changes places with the calling one, which goes where it likes. */
static void place_workers(void) {
  int64_t here = tolang_processor(), before = GLANCE(region_home);
  if (here == before || GLANCE(region_openers))
    return;
  STORE(region_home, here);
  int64_t numbers[MOST], found = tolang_processors(numbers, MOST);
  if (found > MOST)
    return;
  int known = before >= 0 && are_known(numbers, found);
  for (int64_t k = 0; known && k < region_bound; k++)
    if (region_places[k] == here) {
      bind(k, before);
      return;
    }
  bind_all(here, numbers, found);
}

/* How many workers are at pieces of regions. */
static int64_t workers_at_work(void) {
  int64_t found = 0, started = GLANCE(region_started);
  for (int64_t k = 1; k <= started; k++)
    found += GLANCE(region_joined[k].slot) != 0;
  return found;
}

/* Has as many workers woken as pieces want and as do not look for work already. */
static void wake(int64_t pieces) {
  int64_t most = GLANCE(region_threads) - 1;
  ADD(region_generation, 1);
  int64_t asleep = LOOK(region_sleeping), started = GLANCE(region_started);
  if (!asleep && started >= most) /* whoever is about to sleep sees that there is a region more */
    return;
  int64_t wanted = pieces - 1 < most ? pieces - 1 : most;
  wanted -= started - GLANCE(region_parked) - asleep - workers_at_work();
  wanted = wanted < asleep ? wanted : asleep;
  if (started < most || wanted > 0) { /* whoever is about to sleep has the lock until it does */
    pthread_mutex_lock(region_mutex);
    start_workers();
    place_workers();
    pthread_mutex_unlock(region_mutex);
  }
  if (wanted > 0) {
    STORE(region_wanted, wanted);
    wake_two();
  }
}

static struct Region *free_slot(void) {
  for (int k = 0; k < SLOTS; k++) {
    int64_t none = 0;
    struct Region *region = &region_slots[k];
    if (!GLANCE(region->taken) &&
        __atomic_compare_exchange_n(&region->taken, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return region;
  }
  return 0;
}

/* The first worker from a number on that is at a region, or 0. */
static int64_t who_is_at(struct Region *region, int64_t from) {
  int64_t slot = region - region_slots + 1, started = GLANCE(region_started);
  for (int64_t k = from; k <= started; k++)
    if (LOOK(region_joined[k].slot) == slot)
      return k;
  return 0;
}

/* Waits for those who joined a region that is closed: nobody does so again. */
static void await(struct Region *region, int64_t *fault) {
  int64_t last = who_is_at(region, 1);
  if (!last)
    return;
  int64_t begun = nanoseconds();
  do {
    for (int k = 0; k < STRETCH; k++) {
      last = who_is_at(region, last);
      if (!last)
        return;
      tolang_pause();
    }
  } while (nanoseconds() < begun + patience());
  SHOW(region->awaited, 1);
  while (who_is_at(region, 1)) {
    struct Time soon;
    clock_gettime(0, &soon);
    soon.rest += 50000000;
    soon.seconds += soon.rest / 1000000000;
    soon.rest %= 1000000000;
    pthread_mutex_lock(region_mutex);
    if (who_is_at(region, 1))
      pthread_cond_timedwait(region_done, region_mutex, &soon);
    pthread_mutex_unlock(region_mutex);
    tolang_look(fault);
  }
  STORE(region->awaited, 0);
}

static void do_alone(Job job, void *frame, int64_t count, int64_t grain, int64_t *fault) {
  for (int64_t low = 0;;) {
    int64_t high = low + grain < count ? low + grain : count;
    job(frame, low, high);
    low = high;
    if (low >= count || tolang_look(fault))
      return;
  }
}

int64_t tolang_width(void) {
  int64_t threads = GLANCE(region_threads), openers = GLANCE(region_openers);
  int64_t left = openers ? threads - openers - workers_at_work() : threads;
  return left < 1 ? 1 : left;
}

int64_t tolang_workers(void) { return GLANCE(region_threads); }

int64_t tolang_worker(void) {
  void *self = pthread_self();
  int64_t started = GLANCE(region_started);
  for (int64_t k = 0; k < started; k++)
    if (GLANCE(region_selves[k]) == self)
      return k + 1;
  return 0;
}

/* Caches: words of a run, which kernels size their blocks by */

static int64_t cache_bytes[3] = {32 << 10, 1 << 20, 32 << 20};

void tolang_caches(int64_t nearest, int64_t second, int64_t last) {
  STORE(cache_bytes[0], nearest);
  STORE(cache_bytes[1], second);
  STORE(cache_bytes[2], last);
}

int64_t tolang_nearest_cache(void) { return GLANCE(cache_bytes[0]); }

int64_t tolang_second_cache(void) { return GLANCE(cache_bytes[1]); }

int64_t tolang_last_cache(void) { return GLANCE(cache_bytes[2]); }

/* Whether a small region is done by whoever opens it, alone.  After a rest what it needs lies in the caches of whoever opens
   it, and what others make in theirs would have to come back; where many follow, they had better help. */
static int is_left_alone(int64_t now) {
  if (now - GLANCE(region_ended) > SPIN)
    STORE(region_alone, ALONE);
  return GLANCE(region_alone) > 0;
}

static void ended(int64_t left) {
  STORE(region_alone, left);
  STORE(region_ended, nanoseconds());
}

int64_t tolang_parallel(Job job, void *frame, int64_t count, int64_t grain, int64_t small, int64_t *fault) {
  int several = GLANCE(region_threads) > 1 && count > grain;
  int64_t begun = several && count <= small ? nanoseconds() : 0;
  if (begun && is_left_alone(begun)) {
    do_alone(job, frame, count, grain, fault);
    ended(GLANCE(region_alone) - (nanoseconds() - begun));
    return LOAD(*fault);
  }
  struct Region *region = several ? free_slot() : 0;
  if (!region) {
    do_alone(job, frame, count, grain, fault);
    return LOAD(*fault);
  }
  int64_t least = count / (TURN / 2) + 1, threads = GLANCE(region_threads), parts = threads < PARTS ? threads : PARTS;
  region->job = job;
  region->frame = frame;
  region->fault = fault;
  region->count = count;
  region->grain = grain < least ? least : grain;
  region->pieces = (count - 1) / region->grain + 1;
  region->parts = parts < region->pieces ? parts : region->pieces;
  int64_t turn = ++region->turns;
  SHOW(region->open, turn);
  wake(region->pieces);
  ADD(region_openers, 1);
  work_on(region, turn, 0);
  ADD(region_openers, -1);
  SHOW(region->open, 0);
  await(region, fault);
  STORE(region->taken, 0);
  ended(0);
  return LOAD(*fault);
}

void tolang_running(int64_t more) { ADD(region_running, more); }

void tolang_threads(int64_t number) {
  if (LOOK(region_threads) == number)
    return;
  SHOW(region_threads, number);
  STORE(region_home, -1);
  if (LOOK(region_parked)) {
    pthread_mutex_lock(region_mutex);
    pthread_cond_broadcast(region_more);
    pthread_mutex_unlock(region_mutex);
  }
}

/* Before the first region, and after a fork: no worker is there, and no region open. */
void tolang_forked(void) {
  signal_main = (int64_t)pthread_self();
  pthread_mutex_init(region_mutex, 0);
  pthread_cond_init(region_wake, 0);
  pthread_cond_init(region_done, 0);
  pthread_cond_init(region_more, 0);
  for (int64_t k = 0; k <= region_started; k++)
    region_joined[k].slot = 0;
  for (int64_t k = 0; k < region_started; k++)
    region_selves[k] = 0;
  region_started = region_openers = region_sleeping = region_parked = region_wanted = region_running = region_bound = 0;
  region_ended = region_alone = 0;
  region_home = -1;
  for (int k = 0; k < SLOTS; k++) {
    region_slots[k].taken = region_slots[k].open = region_slots[k].awaited = 0;
  }
  tolang_pool_forked();
}
