/* Calls of compiled code from XLA, by its foreign-function interface: buffers are held against what was expected when
   the call was traced, run on where they lie, and results copied into the buffers that XLA has for them.

   Whatever is not so plain, the first calls among it and all that goes wrong, is left to a function of Python, which
   computes in the ordinary way or says what is wrong.  xla.ll is made of this file by `python -m native`. */

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *, const void *, uint64_t);
void tolang_return(void *);

/* XLA's structures, as versions 0.1 to 0.5 of its interface have them. */
struct extension {
  uint64_t size;
  int32_t type;
  void *next;
};

struct version {
  uint64_t size;
  void *extension;
  int32_t major, minor;
};

struct metadata {
  uint64_t size;
  struct version version;
  uint32_t traits;
  int64_t state;
};

struct asking {
  struct extension base;
  struct metadata *metadata;
};

struct problem {
  uint64_t size;
  void *extension;
  const char *message;
  int32_t code;
};

struct interface {
  uint64_t size;
  void *extension;
  struct version version;
  void *internal;
  void *(*error)(struct problem *);
};

struct buffer {
  uint64_t size;
  void *extension;
  int32_t type;
  void *data;
  int64_t rank, *lengths;
};

struct buffers {
  uint64_t size;
  void *extension;
  int64_t count;
  int32_t *types;
  struct buffer **all;
};

struct scalar {
  int32_t type;
  int64_t *value;
};

struct attributes {
  uint64_t size;
  void *extension;
  int64_t count;
  int32_t *types;
  void **names;
  struct scalar **all;
};

struct frame {
  uint64_t size;
  struct extension *extension;
  struct interface *interface;
  void *context;
  int32_t stage;
  struct buffers inputs, outputs;
  struct attributes attributes;
};

enum { METADATA = 1, EXECUTE = 3, BUFFER = 1, SCALAR = 3, WHOLE = 5, INVALID = 3, INTERNAL = 13 };

/* An array as it was when the call was traced. */
struct kind {
  int64_t type, rank, *lengths;
};

/* How a result gets into XLA's memory: as it is, so many bytes a number, or made narrower. */
enum { AS_IT_IS = 0, ROUNDED = 1, SHORTENED = 2 };
struct result {
  int64_t change, bytes;
};

/* How compiled code is called: registers to begin with, and where in them inputs and results are. */
struct plain {
  int64_t (*walk)(void *, int64_t *, void *);
  void *table, *kernels;
  int64_t *registers, count, *places, first, lengths;
  struct result *results;
};

/* How a call in the ordinary way ended, and what is wrong where something is. */
enum { NOT_ENDED = 0, FINE = 1, WRONG = 2, INTERRUPTED = 3 };
struct told {
  int64_t how;
  const char *text;
};

struct call {
  uint64_t key;
  int64_t inputs, outputs;
  struct kind *kinds; /* of the inputs, then of the outputs */
  void (*ordinary)(uint64_t, void **, struct told *);
  void (*interrupt)(void); /* what Python does when Ctrl-C is pressed, once XLA has returned to it */
  struct plain *plain;
  struct call *next;
};

#define MOST 512
#define MOST_REGISTERS 4096
#define ROWS 1024

static struct call *known_calls[ROWS];
static int32_t minor_version;

/* The version that is spoken, of those above: what XLA is told when it asks. */
void tolang_xla_speak(int32_t minor) { minor_version = minor; }

/* Makes a call known by its key, for as long as the process lives; by one thread at a time. */
void tolang_xla_known(struct call *call) {
  struct call **row = &known_calls[call->key % ROWS];
  call->next = *row;
  __atomic_store_n(row, call, __ATOMIC_RELEASE);
}

/* From now on a call is made so. */
void tolang_xla_plain(struct call *call, struct plain *plain) { __atomic_store_n(&call->plain, plain, __ATOMIC_RELEASE); }

static void *refused(struct frame *frame, int32_t code, const char *message) {
  struct problem problem = {offsetof(struct problem, code) + sizeof(int32_t), 0, message, code};
  return frame->interface->error(&problem);
}

static void *described(struct asking *asking) {
  struct metadata *metadata = asking->metadata;
  metadata->version.size = sizeof(struct version);
  metadata->version.extension = 0;
  metadata->version.major = 0;
  metadata->version.minor = minor_version;
  metadata->traits = 0;
  if (metadata->size >= sizeof(struct metadata))
    metadata->state = 0;
  return 0;
}

static int are_as_expected(struct buffers *found, int64_t count, struct kind *kinds) {
  if (found->count != count)
    return 0;
  for (int64_t k = 0; k < count; k++) {
    struct buffer *one = found->all[k];
    if (found->types[k] != BUFFER || one->type != kinds[k].type || one->rank != kinds[k].rank)
      return 0;
    for (int64_t axis = 0; axis < one->rank; axis++)
      if (one->lengths[axis] != kinds[k].lengths[axis])
        return 0;
  }
  return 1;
}

/* Whether numbers are copied: reals rounded to half their bytes where asked, whole numbers shortened where they fit. */
#define BY_ONE _Pragma("clang loop vectorize(disable) interleave(disable)") /* here: whoever compiles xla.ll may */
static int are_copied(void *to, void *from, int64_t count, struct result *result) {
  int64_t beyond = 0;
  if (result->change == AS_IT_IS)
    memcpy(to, from, (uint64_t)(count * result->bytes));
  else if (result->change == ROUNDED)
    BY_ONE for (int64_t k = 0; k < count; k++)
      ((float *)to)[k] = (float)((double *)from)[k];
  else
    BY_ONE for (int64_t k = 0; k < count; k++) {
      int64_t value = ((int64_t *)from)[k];
      ((int32_t *)to)[k] = (int32_t)value;
      beyond |= (int32_t)value != value;
    }
  return !beyond;
}

/* Whether compiled code has computed the results. */
static int is_computed(struct call *call, struct plain *plain, struct frame *frame) {
  int64_t registers[MOST_REGISTERS];
  memcpy(registers, plain->registers, (uint64_t)plain->count * 8);
  for (int64_t k = 0; k < call->inputs; k++)
    registers[plain->places[k]] = (int64_t)frame->inputs.all[k]->data;
  if (plain->walk(plain->table, registers, plain->kernels))
    return 0;
  int64_t *lengths = registers + plain->lengths, whole = 1;
  for (int64_t k = 0; k < call->outputs; k++) {
    struct buffer *to = frame->outputs.all[k];
    void *from = (void *)registers[plain->first + k];
    int64_t count = 1, same = 1;
    for (int64_t axis = 0; axis < to->rank; axis++) {
      same &= lengths[axis] == to->lengths[axis];
      count *= to->lengths[axis];
    }
    whole = whole && same && are_copied(to->data, from, count, &plain->results[k]);
    tolang_return(from);
    lengths += to->rank;
  }
  return (int)whole;
}

/* What XLA calls: null where all is well, or its error. */
void *tolang_xla(struct frame *frame) {
  if (frame->extension && frame->extension->type == METADATA)
    return described((struct asking *)frame->extension);
  if (frame->size < sizeof(struct frame) || frame->stage != EXECUTE)
    return refused(frame, INTERNAL, "XLA calls ToLang in a way that it does not know");
  struct attributes *attributes = &frame->attributes;
  if (attributes->count != 1 || attributes->types[0] != SCALAR || attributes->all[0]->type != WHOLE)
    return refused(frame, INVALID, "a call of ToLang has the key of a program, and nothing else");
  uint64_t key = (uint64_t)*attributes->all[0]->value;
  struct call *call = __atomic_load_n(&known_calls[key % ROWS], __ATOMIC_ACQUIRE);
  while (call && call->key != key)
    call = call->next;
  if (!call)
    return refused(frame, INVALID, "the call is of a program of ToLang that this process has not traced");
  if (!are_as_expected(&frame->inputs, call->inputs, call->kinds) || !are_as_expected(&frame->outputs, call->outputs, call->kinds + call->inputs))
    return refused(frame, INVALID, "the arrays are not as they were when the program of ToLang was traced");
  struct plain *plain = __atomic_load_n(&call->plain, __ATOMIC_ACQUIRE);
  if (plain && is_computed(call, plain, frame))
    return 0;
  void *places[MOST];
  for (int64_t k = 0; k < call->inputs; k++)
    places[k] = frame->inputs.all[k]->data;
  for (int64_t k = 0; k < call->outputs; k++)
    places[call->inputs + k] = frame->outputs.all[k]->data;
  struct told told = {NOT_ENDED, "a call of ToLang ended without a result"};
  call->ordinary(key, places, &told);
  if (told.how == FINE)
    return 0;
  if (told.how == INTERRUPTED)
    call->interrupt();
  return refused(frame, INVALID, told.text);
}
