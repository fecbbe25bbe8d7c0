/* Texts numbered by several threads: equal ones alike, in the order of their bytes, and what is wrong is told. */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t tolang_texts(const int64_t *given);
void tolang_python(void **, int64_t, int64_t);
void tolang_threads(int64_t);
void tolang_forked(void);

void tolang_pause(void) {}
void tolang_begin(void) {}
void *tolang_take(int64_t bytes) { return malloc(bytes); }
void tolang_give(void *memory) { free(memory); }

static int ensured(void) { return 0; }
static int no_signal(void) { return 0; }
static void fetched(void *a, void *b, void *c) { (void)a, (void)b, (void)c; }
static void released(int state) { (void)state; }
static void cleared(void) {}

enum { COUNT = 100000 };

struct Made {
  char *data;
  int64_t *offsets, *firsts, size;
  int32_t *numbers;
};

/* Texts of 0 to 30 bytes, with zeros and letters beyond ASCII among them, of about so many kinds. */
static struct Made made_of(int64_t kinds) {
  struct Made made = {malloc(COUNT * 32), malloc((COUNT + 1) * 8), malloc(COUNT * 8), 0, malloc(COUNT * 4)};
  uint64_t random = 88172645463325252u;
  for (int64_t k = 0; k < COUNT; k++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    uint64_t kind = random % kinds;
    made.offsets[k] = made.size;
    char text[40];
    int length = kind % 7 == 0 ? 0 : snprintf(text, sizeof text, kind % 3 ? "%lu" : kind % 2 ? "a longer text \xc3\xa4 %lu" : "short%c%lu", kind % 3 || kind % 2 ? kind : 0, kind);
    memcpy(made.data + made.size, text, length);
    made.size += length;
  }
  made.offsets[COUNT] = made.size;
  made.data = realloc(made.data, made.size); /* so that a byte beyond it is found */
  return made;
}

static int compared(struct Made *made, int64_t a, int64_t b) {
  int64_t one = made->offsets[a + 1] - made->offsets[a], other = made->offsets[b + 1] - made->offsets[b];
  int found = memcmp(made->data + made->offsets[a], made->data + made->offsets[b], one < other ? one : other);
  return found ? found : (one > other) - (one < other);
}

static int64_t numbered(struct Made *made, uint64_t seed) {
  int64_t fault = 0;
  int64_t buffer[2] = {(int64_t)made->data, made->size};
  int64_t given[9] = {(int64_t)made->offsets, 8, (int64_t)buffer, 1, COUNT, (int64_t)seed, (int64_t)made->numbers, (int64_t)made->firsts, (int64_t)&fault};
  return tolang_texts(given);
}

static int is_wrong(struct Made *made, uint64_t seed) {
  int64_t found = numbered(made, seed);
  if (found < 1)
    return 1;
  int64_t before = made->offsets[made->firsts[0] + 1] != made->offsets[made->firsts[0]];
  for (int64_t k = 1; k < found; k++)
    if (compared(made, made->firsts[k - 1], made->firsts[k]) >= 0)
      return 2;
  for (int64_t k = 0; k < COUNT; k++)
    if (made->numbers[k] < before || made->numbers[k] >= found + before || compared(made, made->firsts[made->numbers[k] - before], k))
      return 3;
  return 0;
}

static void *caller(void *argument) {
  int64_t kinds[] = {2, 9, 900, 60000, 1 << 30}, wrong = 0;
  for (int k = 0; k < 5; k++) {
    struct Made made = made_of(kinds[k]);
    wrong |= is_wrong(&made, (int64_t)argument * 977 + k);
    made.data[made.size - 1] = (char)0xC3;
    wrong |= (numbered(&made, 5) != -3) << 8;
    made.offsets[COUNT / 2] = made.size + 1;
    wrong |= (numbered(&made, 5) != -3) << 9;
    free(made.data), free(made.offsets), free(made.firsts), free(made.numbers);
  }
  return (void *)wrong;
}

int main(void) {
  void *functions[5] = {(void *)ensured, (void *)no_signal, (void *)fetched, (void *)released, (void *)cleared};
  pthread_t threads[2];
  void *wrong[2];
  tolang_forked();
  tolang_python(functions, 0, 1);
  tolang_threads(3);
  for (int64_t k = 0; k < 2; k++)
    pthread_create(&threads[k], 0, caller, (void *)k);
  for (int64_t k = 0; k < 2; k++)
    pthread_join(threads[k], &wrong[k]);
  printf("%ld\n", (long)((int64_t)wrong[0] | (int64_t)wrong[1]));
  return 0;
}
