/* Calls of compiled code with NumPy's arrays and numbers, as a function of Python: arguments are seen, held against
   what is expected, and run on, and results become arrays, with no Python between.

   The lock of the interpreter is given up while the code runs.  arrays.ll is made of this file by `python -m native`. */

#include <stdint.h>

void tolang_return(void *);

/* What is called of the interpreter, and the object None. */
struct python {
  void *(*pointer)(void *, const char *);
  void *(*owner)(void *, const char *, void (*)(void *));
  void *(*save)(void);
  void (*restore)(void *);
  void (*hold)(void *);
  void (*release)(void *);
  void (*clear)(void);
  void *(*several)(int64_t);
  int (*set)(void *, int64_t, void *);
  double (*real)(void *);
  long long (*whole)(void *);
  void *(*failed)(void);
  void *none;
};

/* Of NumPy: what makes an array of memory, whose owner is told then, and a number of an array of rank 0. */
struct numpy {
  void *(*make)(void *, void *, int, const int64_t *, const int64_t *, void *, int, void *);
  int (*set_owner)(void *, void *);
  void *(*plain)(void *);
  void *type;
  int64_t head; /* bytes of an object before what is its own, the last of which say its type */
};

/* An array after its head, as NumPy's binary interface has it. */
struct array {
  char *data;
  int32_t rank;
  int64_t *lengths, *strides;
  void *owner, *kind;
  int32_t flags;
};

struct input {
  int64_t place, way;
  void *kind; /* the type of what is in an array, or the class of a number */
  int64_t rank, *lengths;
};

/* The ways that an input is taken: an array, or a number, and how it is held. */
enum { ARRAY, REAL_AS_DOUBLE, REAL_AS_FLOAT, WHOLE, WHOLE_AS_DOUBLE, WHOLE_AS_FLOAT };

struct output {
  int64_t place, rank;
  void *kind;
};

struct call {
  struct numpy *numpy;
  int64_t (*walk)(void *, int64_t *, void *);
  void *table, *kernels;
  int64_t *registers, count, inputs;
  struct input *input;
  int64_t outputs;
  struct output *output; /* whose lengths are in the registers, one after the other */
  int64_t lengths;
  int64_t threads; /* on how many it runs, or 0 for as many as usual */
  void (*set_threads)(int64_t);
  int64_t *usual_threads;
};

#define MOST 4096
#define MOST_INPUTS 64
#define EXACT ((int64_t)1 << 53)
#define IN_ORDER 1
#define WRITTEN_IN_ORDER 0x501

static struct python *python;

/* Says what to call of the interpreter. */
void tolang_arrays_by(struct python *functions) { python = functions; }

static void *type_of(void *object, struct numpy *numpy) { return ((void **)((char *)object + numpy->head))[-1]; }

/* The data of an array as it is expected, or null. */
static void *data_of(void *object, struct numpy *numpy, struct input *expected) {
  struct array *found = (struct array *)((char *)object + numpy->head);
  if (type_of(object, numpy) != numpy->type || found->kind != expected->kind || found->rank != expected->rank || !(found->flags & IN_ORDER))
    return 0;
  for (int64_t axis = 0; axis < expected->rank; axis++)
    if (found->lengths[axis] != expected->lengths[axis])
      return 0;
  return found->data;
}

/* A number of a class, put into a word; or null. */
static void *number_in(void *object, int64_t way, void *word) {
  if (way <= REAL_AS_FLOAT) {
    double real = python->real(object);
    if (way == REAL_AS_FLOAT)
      *(float *)word = (float)real;
    else
      *(double *)word = real;
    return word;
  }
  int64_t whole = python->whole(object);
  if (whole == -1 && python->failed()) {
    python->clear();
    return 0;
  }
  if (way == WHOLE)
    *(int64_t *)word = whole;
  else if (whole > EXACT || whole < -EXACT)
    return 0;
  else if (way == WHOLE_AS_FLOAT)
    *(float *)word = (float)whole;
  else
    *(double *)word = (double)whole;
  return word;
}

/* The data of an argument as it is expected, a number's in a word; or null. */
static void *taken(void *object, struct numpy *numpy, struct input *expected, void *word) {
  if (expected->way == ARRAY)
    return data_of(object, numpy, expected);
  return type_of(object, numpy) == expected->kind ? number_in(object, expected->way, word) : 0;
}

static void given_back(void *owner) { tolang_return(python->pointer(owner, 0)); }

/* A result as an array, or null; its memory is the array's then, or given back. */
static void *made(struct numpy *numpy, struct output *output, void *data, int64_t *lengths) {
  void *owner = python->owner(data, 0, given_back);
  if (!owner) {
    tolang_return(data);
    return 0;
  }
  python->hold(output->kind);
  void *array = numpy->make(numpy->type, output->kind, (int)output->rank, lengths, 0, data, WRITTEN_IN_ORDER, 0);
  if (!array) {
    python->release(owner);
    return 0;
  }
  if (numpy->set_owner(array, owner)) {
    python->release(array);
    return 0;
  }
  return output->rank ? array : numpy->plain(array);
}

/* All results, several as a tuple, or null. */
static void *results(struct call *call, int64_t *registers) {
  int64_t *lengths = registers + call->lengths, failed = 0;
  void *one = 0, *all = call->outputs > 1 ? python->several(call->outputs) : 0;
  for (int64_t k = 0; k < call->outputs; k++) {
    struct output *output = &call->output[k];
    one = made(call->numpy, output, (void *)registers[output->place], lengths);
    failed |= !one;
    if (all)
      python->set(all, k, one);
    else if (call->outputs > 1 && one)
      python->release(one);
    lengths += output->rank;
  }
  if (all && failed)
    python->release(all);
  return failed ? 0 : call->outputs > 1 ? all : one;
}

/* The results of a call; None where they are not as expected, or something went wrong: then the ordinary
   way is gone, which tells what. */
void *tolang_arrays(void *self, void **objects, int64_t count) {
  struct call *call = python->pointer(self, 0);
  int64_t registers[MOST], numbers[MOST_INPUTS];
  if (count != call->inputs)
    goto ordinary;
  for (int64_t k = 0; k < call->count; k++)
    registers[k] = call->registers[k];
  for (int64_t k = 0; k < count; k++) {
    void *data = taken(objects[k], call->numpy, &call->input[k], numbers + k);
    if (!data)
      goto ordinary;
    registers[call->input[k].place] = (int64_t)data;
  }
  void *state = python->save();
  if (call->threads)
    call->set_threads(call->threads);
  int64_t code = call->walk(call->table, registers, call->kernels);
  if (call->threads)
    call->set_threads(*call->usual_threads);
  python->restore(state);
  if (code)
    goto ordinary;
  void *found = results(call, registers);
  if (found)
    return found;
  python->clear();
ordinary:
  python->hold(python->none);
  return python->none;
}
