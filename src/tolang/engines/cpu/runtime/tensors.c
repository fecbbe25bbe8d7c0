/* Calls of compiled code with objects of a library that speaks DLPack's exchange interface in C: what they hold is
   seen, held against what is expected, and run on, and results become objects of the library, with no Python between.

   The lock of the interpreter is given up while the code runs.  tensors.ll is made of this file by `python -m native`. */

#include <stdint.h>

void *malloc(uint64_t);
void free(void *);
void tolang_return(void *);

/* DLPack's structures, as its version 1 has them. */
struct tensor {
  void *data;
  int32_t device, number, rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t offset;
};

struct managed {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct managed *);
  uint64_t flags;
  struct tensor tensor;
};

struct exchange {
  uint32_t major, minor;
  void *before, *allocate, *take;
  int (*give)(struct managed *, void **);
  int (*view)(void *, struct tensor *);
};

/* Of the interpreter: what is called of it, and the object None. */
struct python {
  void *(*item)(void *, int64_t);
  void *(*save)(void);
  void (*restore)(void *);
  void *(*make)(int64_t);
  int (*set)(void *, int64_t, void *);
  void (*clear)(void);
  void (*hold)(void *);
  void *none;
};

struct kind {
  int64_t place, code, bits, rank, *shape;
};

struct call {
  struct python *python;
  struct exchange *exchange;
  int64_t (*walk)(void *, int64_t *, void *);
  void *table, *kernels;
  int64_t *registers, count, inputs, outputs, lengths;
  struct kind *kinds; /* of the inputs, then of the outputs */
};

#define MOST 4096

static int is_as_expected(struct tensor *found, struct kind *kind) {
  if (found->device != 1 || found->code != kind->code || found->bits != kind->bits || found->lanes != 1 || found->rank != kind->rank)
    return 0;
  int64_t step = 1;
  for (int64_t axis = kind->rank - 1; axis >= 0; axis--) {
    if (found->shape[axis] != kind->shape[axis])
      return 0;
    if (found->strides && kind->shape[axis] > 1 && found->strides[axis] != step)
      return 0;
    step *= kind->shape[axis];
  }
  return 1;
}

static void given_back(struct managed *self) {
  tolang_return(self->tensor.data);
  free(self);
}

/* An output as an object of the library, or null. */
static void *made(struct call *call, struct kind *kind, int64_t *registers, int64_t *lengths) {
  struct managed *managed = malloc(sizeof(struct managed) + 16 * (uint64_t)kind->rank);
  if (!managed)
    return 0;
  int64_t *shape = (int64_t *)(managed + 1), *strides = shape + kind->rank, step = 1;
  for (int64_t axis = kind->rank - 1; axis >= 0; axis--) {
    shape[axis] = lengths[axis];
    strides[axis] = step;
    step *= lengths[axis];
  }
  struct managed filled = {1, 0, 0, given_back, 0, {(void *)registers[kind->place], 1, 0, (int32_t)kind->rank, (uint8_t)kind->code, (uint8_t)kind->bits, 1, shape, strides, 0}};
  *managed = filled;
  void *object = 0;
  if (call->exchange->give(managed, &object)) {
    free(managed);
    return 0;
  }
  return object;
}

/* The results of a call with a tuple of objects, one itself, several as a tuple; None where they are not as expected,
   or something went wrong: then the ordinary way is gone, which tells what. */
void *tolang_tensors(struct call *call, void *objects) {
  struct python *python = call->python;
  int64_t registers[MOST];
  void *results[16];
  for (int64_t k = 0; k < call->count; k++)
    registers[k] = call->registers[k];
  for (int64_t k = 0; k < call->inputs; k++) {
    struct tensor found;
    if (call->exchange->view(python->item(objects, k), &found)) {
      python->clear();
      goto ordinary;
    }
    if (!is_as_expected(&found, &call->kinds[k]))
      goto ordinary;
    registers[call->kinds[k].place] = (int64_t)((char *)found.data + found.offset);
  }
  void *state = python->save();
  int64_t code = call->walk(call->table, registers, call->kernels);
  python->restore(state);
  if (code)
    goto ordinary;
  int64_t *lengths = registers + call->lengths;
  int64_t failed = 0;
  for (int64_t k = 0; k < call->outputs; k++) {
    struct kind *kind = &call->kinds[call->inputs + k];
    results[k] = made(call, kind, registers, lengths);
    if (!results[k]) {
      tolang_return((void *)registers[kind->place]);
      failed = 1;
    }
    lengths += kind->rank;
  }
  if (failed) {
    python->clear();
    goto ordinary; /* objects that were made are lost with their memory: there is no room left for them either */
  }
  if (call->outputs == 1)
    return results[0];
  void *all = python->make(call->outputs);
  for (int64_t k = 0; k < call->outputs; k++)
    python->set(all, k, results[k]);
  return all;
ordinary:
  python->hold(python->none);
  return python->none;
}
