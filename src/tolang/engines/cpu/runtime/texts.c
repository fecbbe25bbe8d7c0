/* Texts numbered by all threads, equal ones alike, in the order of their bytes.  texts.py says what is given and found.

   Pieces of the texts find which of theirs differ, each by a table of hashes of its own: these are entries.  Entries are
   spread over parts by other bits of their hashes; each part finds which of its entries are equal, in one more table:
   these are groups.  Groups are put into order, stretch by stretch between texts that were picked out, and every text has
   the rank of its entry's group.  Neither pieces nor ranks depend on how many threads there are, and no rank on hashes.
   texts.ll is made of this file by `python -m native`. */

#include <stdint.h>

#define PIECE (1 << 15)  /* texts of a piece */
#define SLOTS (2 * PIECE) /* of its table at the most, which is at most half full */
#define FIRST_SLOTS 1024
#define BITS 10          /* that tell parts, at the most */
#define OF_PART 2048     /* entries that a part should have */
#define STRETCH 4096     /* groups that a stretch should have */
#define PICKED 8         /* texts looked at for each stretch */
#define RUN 8            /* groups that are put into order one by one */
#define STOPPED -1
#define REFUSED -2
#define UNSOUND -3
#define INLINE static inline __attribute__((always_inline))

void tolang_begin(void);
void *tolang_take(int64_t bytes);
void tolang_give(void *memory);
int64_t tolang_parallel(void (*job)(void *, int64_t, int64_t), void *frame, int64_t count, int64_t grain, int64_t small, int64_t *fault);

struct Entry { uint64_t hash; int64_t begin, length, row; };
struct Item { uint64_t key; int32_t entry, group; };

struct Texts {
  const uint8_t *data; /* the characters of all texts in UTF-8, */
  int64_t size;
  const void *offsets; /* where each of them begins, and ends, */
  int64_t wide;        /* in words of 8 bytes or of 4, */
  int64_t count;
  uint64_t seed;       /* and what hashes begin with */
  int32_t *numbers;    /* of each text, first that of its entry in its piece */
  int64_t *firsts;     /* for each different text, in order, one that is equal to it */
  int64_t *fault;
  struct Entry *entries;
  int32_t *tables, *list, *groups, *counts, *known, *bases, *starts, *ranks;
  uint16_t *places;
  struct Item *items, *others;
  int64_t pieces, bits, different, common, stretches, unsound;
};

/* Texts */

INLINE uint64_t word(const uint8_t *at) {
  uint64_t found;
  __builtin_memcpy(&found, at, 8);
  return found;
}

INLINE uint64_t half(const uint8_t *at) {
  uint32_t found;
  __builtin_memcpy(&found, at, 4);
  return found;
}

INLINE uint64_t mixed(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

INLINE uint64_t hash_of(const uint8_t *at, int64_t length, uint64_t seed) {
  uint64_t a = 0, b = 0, state = seed ^ (uint64_t)length * 0x9E3779B97F4A7C15u;
  for (; length > 16; at += 16, length -= 16)
    state = mixed(word(at) ^ state, word(at + 8) ^ 0xD6E8FEB86659FD93u);
  if (length >= 8) {
    a = word(at);
    b = word(at + length - 8);
  } else if (length >= 4) {
    a = half(at);
    b = half(at + length - 4);
  } else if (length > 0) {
    a = (uint64_t)at[0] << 16 | (uint64_t)at[length / 2] << 8 | at[length - 1];
  }
  state = mixed(a ^ state, b ^ 0xA0761D6478BD642Fu);
  return mixed(state ^ 0xE7037ED1A0B428DBu, seed | 1);
}

INLINE int is_equal(const uint8_t *a, const uint8_t *b, int64_t length) {
  int64_t k = 0;
  for (; k + 8 <= length; k += 8)
    if (word(a + k) != word(b + k))
      return 0;
  for (; k < length; k++)
    if (a[k] != b[k])
      return 0;
  return 1;
}

/* How many of the first bytes of two texts are equal. */
static int64_t in_common(const uint8_t *a, const uint8_t *b, int64_t length) {
  int64_t k = 0;
  while (k + 8 <= length && word(a + k) == word(b + k))
    k += 8;
  while (k < length && a[k] == b[k])
    k++;
  return k;
}

/* Whether bytes are characters, as Python takes them. */
static int is_utf8(const uint8_t *at, int64_t length) {
  int64_t k = 0;
  while (k < length) {
    if (k + 8 <= length && !(word(at + k) & 0x8080808080808080u)) {
      k += 8;
      continue;
    }
    uint32_t first = at[k++], more = first < 0x80 ? 0 : first < 0xC2 ? 4 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : 4;
    if (more == 4 || k + more > length)
      return 0;
    if ((first == 0xE0 && at[k] < 0xA0) || (first == 0xED && at[k] > 0x9F) || (first == 0xF0 && at[k] < 0x90) || (first == 0xF4 && at[k] > 0x8F))
      return 0;
    for (; more; more--)
      if ((at[k++] & 0xC0) != 0x80)
        return 0;
  }
  return 1;
}

INLINE int64_t offset_of(const struct Texts *texts, int64_t row) {
  return texts->wide ? ((const int64_t *)texts->offsets)[row] : ((const int32_t *)texts->offsets)[row];
}

INLINE int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

INLINE int is_same(const struct Texts *texts, const struct Entry *a, const struct Entry *b) {
  return a->hash == b->hash && a->length == b->length && is_equal(texts->data + a->begin, texts->data + b->begin, a->length);
}

/* Entries */

/* Makes a table of so many slots that tells all entries by their hashes. */
static void entered(int32_t *table, int64_t slots, const struct Entry *entries, int64_t count) {
  for (int64_t k = 0; k < slots; k++)
    table[k] = -1;
  for (int64_t k = 0; k < count; k++) {
    int64_t at = entries[k].hash & (slots - 1);
    while (table[at] >= 0)
      at = (at + 1) & (slots - 1);
    table[at] = (int32_t)k;
  }
}

static void number_piece(struct Texts *texts, int64_t piece) {
  int64_t low = piece * PIECE, high = least(low + PIECE, texts->count), known = 0, slots = FIRST_SLOTS;
  struct Entry *entries = texts->entries + low;
  int32_t *table = texts->tables + piece * SLOTS;
  entered(table, slots, entries, 0);
  int64_t end = offset_of(texts, low);
  for (int64_t row = low; row < high; row++) {
    struct Entry own = {0, end, 0, row};
    end = offset_of(texts, row + 1);
    own.length = end - own.begin;
    if (own.begin < 0 || own.length < 0 || end > texts->size) {
      __atomic_store_n(&texts->unsound, 1, __ATOMIC_RELAXED);
      return;
    }
    own.hash = hash_of(texts->data + own.begin, own.length, texts->seed);
    int64_t at = own.hash & (slots - 1);
    while (table[at] >= 0 && !is_same(texts, &entries[table[at]], &own))
      at = (at + 1) & (slots - 1);
    if (table[at] < 0) {
      if (!is_utf8(texts->data + own.begin, own.length))
        __atomic_store_n(&texts->unsound, 1, __ATOMIC_RELAXED);
      entries[known] = own;
      table[at] = (int32_t)known++;
      texts->numbers[row] = (int32_t)(known - 1);
      if (2 * known > slots)
        entered(table, slots *= 4, entries, known);
    } else {
      texts->numbers[row] = table[at];
    }
  }
  texts->known[piece] = (int32_t)known;
}

static void number_pieces(void *frame, int64_t low, int64_t high) {
  for (int64_t piece = low; piece < high; piece++)
    number_piece(frame, piece);
}

/* Groups */

INLINE int64_t part_of(const struct Texts *texts, uint64_t hash) { return (int64_t)(hash >> 1 >> (63 - texts->bits)); }

static void count_entries(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  int64_t parts = 1LL << texts->bits;
  for (int64_t piece = low; piece < high; piece++) {
    int32_t *counts = texts->counts + piece * parts;
    for (int64_t k = 0; k < parts; k++)
      counts[k] = 0;
    for (int64_t k = 0; k < texts->known[piece]; k++)
      counts[part_of(texts, texts->entries[piece * PIECE + k].hash)]++;
  }
}

/* Counts of each part in each chunk become where they begin, one part after the other; `bases` where parts do. */
static void add_up(int32_t *counts, int64_t chunks, int64_t parts, int32_t *bases) {
  int32_t total = 0;
  for (int64_t part = 0; part < parts; part++) {
    bases[part] = total;
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
      int32_t own = counts[chunk * parts + part];
      counts[chunk * parts + part] = total;
      total += own;
    }
  }
  bases[parts] = total;
}

static void spread_entries(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t piece = low; piece < high; piece++) {
    int32_t *places = texts->counts + (piece << texts->bits);
    for (int64_t k = 0; k < texts->known[piece]; k++) {
      int64_t entry = piece * PIECE + k;
      texts->list[places[part_of(texts, texts->entries[entry].hash)]++] = (int32_t)entry;
    }
  }
}

/* The groups of a part: for each entry its number among them, and in front of the part's list the first of each. */
static void group_part(struct Texts *texts, int64_t part) {
  int64_t begin = texts->bases[part], count = texts->bases[part + 1] - begin, known = 0, slots = 4;
  while (2 * slots < 3 * count)
    slots *= 2;
  int32_t *table = texts->tables + 3 * begin + 4 * part, *list = texts->list + begin;
  entered(table, slots, texts->entries, 0);
  for (int64_t k = 0; k < count; k++) {
    int32_t entry = list[k];
    int64_t at = texts->entries[entry].hash & (slots - 1);
    while (table[at] >= 0 && !is_same(texts, &texts->entries[list[table[at]]], &texts->entries[entry]))
      at = (at + 1) & (slots - 1);
    if (table[at] < 0) {
      list[known] = entry;
      table[at] = (int32_t)known++;
    }
    texts->groups[entry] = table[at];
  }
  texts->starts[part + 1] = (int32_t)known;
}

static void group_parts(void *frame, int64_t low, int64_t high) {
  for (int64_t part = low; part < high; part++)
    group_part(frame, part);
}

/* Order */

/* Seven bytes of a text from a place on, which compare as the text does, and how many there are; 8 where there are more. */
INLINE uint64_t key_of(const struct Texts *texts, const struct Entry *entry, int64_t depth) {
  int64_t begin = entry->begin + depth, rest = entry->length - depth;
  if (rest <= 0)
    return 0;
  if (begin + 8 <= texts->size) {
    uint64_t bytes = __builtin_bswap64(word(texts->data + begin)) & ~0xFFull;
    return rest > 7 ? bytes | 8 : (bytes & ~0ull << (64 - 8 * rest)) | (uint64_t)rest;
  }
  uint64_t found = 0;
  for (int64_t k = 0; k < 7; k++)
    found = found << 8 | (k < rest ? texts->data[begin + k] : 0);
  return found << 8 | (uint64_t)least(rest, 8);
}

/* Whether a text comes before another one whose keys from a place on are equal, and not all of them. */
static int is_further_less(const struct Texts *texts, const struct Item *a, const struct Item *b, int64_t depth) {
  const struct Entry *one = &texts->entries[a->entry], *other = &texts->entries[b->entry];
  int64_t length = least(one->length, other->length) - depth;
  const uint8_t *left = texts->data + one->begin + depth, *right = texts->data + other->begin + depth;
  int64_t same = in_common(left, right, length);
  return same < length ? left[same] < right[same] : one->length < other->length;
}

INLINE int is_less(const struct Texts *texts, const struct Item *a, const struct Item *b, int64_t depth) {
  return a->key != b->key ? a->key < b->key : (a->key & 8) && is_further_less(texts, a, b, depth + 7);
}

static int64_t common_of(const struct Texts *texts, const struct Item *items, int64_t count, const struct Item *first) {
  const struct Entry *one = &texts->entries[first->entry];
  int64_t common = one->length;
  for (int64_t k = 0; k < count; k++) {
    const struct Entry *other = &texts->entries[items[k].entry];
    common = in_common(texts->data + one->begin, texts->data + other->begin, least(common, other->length));
  }
  return common;
}

static void merge(const struct Texts *texts, const struct Item *from, struct Item *to, int64_t middle, int64_t count, int64_t depth) {
  int64_t left = 0, right = middle, k = 0;
  while (left < middle && right < count)
    to[k++] = is_less(texts, &from[right], &from[left], depth) ? from[right++] : from[left++];
  while (left < middle)
    to[k++] = from[left++];
  while (right < count)
    to[k++] = from[right++];
}

/* Puts items into order, by keys from a place on up to which all are equal. */
static void sort(const struct Texts *texts, struct Item *items, struct Item *room, int64_t count, int64_t depth) {
  for (int64_t k = 0; k < count; k++) {
    struct Item own = items[k];
    own.key = key_of(texts, &texts->entries[own.entry], depth);
    int64_t at = k;
    for (; at & (RUN - 1) && is_less(texts, &own, &items[at - 1], depth); at--)
      items[at] = items[at - 1];
    items[at] = own;
  }
  struct Item *from = items, *to = room;
  for (int64_t length = RUN; length < count; length *= 2) {
    for (int64_t low = 0; low < count; low += 2 * length) {
      int64_t rest = count - low;
      merge(texts, from + low, to + low, least(length, rest), least(2 * length, rest), depth);
    }
    struct Item *other = from;
    from = to;
    to = other;
  }
  for (int64_t k = 0; from != items && k < count; k++)
    items[k] = from[k];
}

static void list_groups(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t part = low; part < high; part++)
    for (int32_t group = texts->starts[part]; group < texts->starts[part + 1]; group++)
      texts->items[group] = (struct Item){0, texts->list[texts->bases[part] + group - texts->starts[part]], group};
}

static void look_at_chunks(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  int64_t begin = low * PIECE, end = least(high * PIECE, texts->different);
  int64_t own = common_of(texts, texts->items + begin, end - begin, texts->items), known = __atomic_load_n(&texts->common, __ATOMIC_RELAXED);
  while (own < known && !__atomic_compare_exchange_n(&texts->common, &known, own, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* In which stretch each group of some chunks is: `others` has the last text of each stretch but the last. */
static void find_stretches(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t chunk = low; chunk < high; chunk++) {
    int32_t *counts = texts->counts + chunk * texts->stretches;
    for (int64_t k = 0; k < texts->stretches; k++)
      counts[k] = 0;
    for (int64_t k = chunk * PIECE; k < least((chunk + 1) * PIECE, texts->different); k++) {
      struct Item *item = &texts->items[k];
      item->key = key_of(texts, &texts->entries[item->entry], texts->common);
      int64_t first = 0, beyond = texts->stretches - 1;
      while (first < beyond) {
        int64_t middle = (first + beyond) / 2;
        if (is_less(texts, &texts->others[middle], item, texts->common))
          first = middle + 1;
        else
          beyond = middle;
      }
      texts->places[k] = (uint16_t)first;
      counts[first]++;
    }
  }
}

static void spread_groups(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t chunk = low; chunk < high; chunk++)
    for (int64_t k = chunk * PIECE; k < least((chunk + 1) * PIECE, texts->different); k++)
      texts->others[texts->counts[chunk * texts->stretches + texts->places[k]]++] = texts->items[k];
}

static void sort_stretches(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t stretch = low; stretch < high; stretch++) {
    int64_t begin = texts->bases[stretch], count = texts->bases[stretch + 1] - begin;
    struct Item *own = texts->others + begin;
    if (count > 1)
      sort(texts, own, texts->items + begin, count, common_of(texts, own, count, own));
  }
}

static void rank_groups(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t k = low; k < high; k++) {
    texts->ranks[texts->others[k].group] = (int32_t)k;
    texts->firsts[k] = texts->entries[texts->others[k].entry].row;
  }
}

static int64_t rounded_up(int64_t count) { return (count + PIECE - 1) / PIECE; }

static int is_stopped(struct Texts *texts, void (*job)(void *, int64_t, int64_t), int64_t count, int64_t grain) {
  return tolang_parallel(job, texts, count, grain, 0, texts->fault) != 0;
}

/* Picks texts out, between which there are about as many groups each time. */
static void pick(struct Texts *texts) {
  int64_t picked = texts->stretches > 1 ? PICKED * texts->stretches : 0;
  for (int64_t k = 0; k < picked; k++)
    texts->others[k] = texts->items[k * texts->different / picked];
  sort(texts, texts->others, texts->others + picked, picked, texts->common);
  for (int64_t k = 0; k < texts->stretches - 1; k++)
    texts->others[k] = texts->others[(k + 1) * PICKED - 1];
}

/* Puts all groups into order: whether that came to its end. */
static int are_sorted(struct Texts *texts) {
  int64_t chunks = rounded_up(texts->different);
  texts->stretches = texts->different / STRETCH < 1 ? 1 : least(texts->different / STRETCH, 1 << BITS);
  texts->common = INT64_MAX;
  if (is_stopped(texts, list_groups, 1LL << texts->bits, 1) || is_stopped(texts, look_at_chunks, chunks, 1))
    return 0;
  pick(texts);
  if (is_stopped(texts, find_stretches, chunks, 1))
    return 0;
  add_up(texts->counts, chunks, texts->stretches, texts->bases);
  return !is_stopped(texts, spread_groups, chunks, 1) && !is_stopped(texts, sort_stretches, texts->stretches, 1) &&
         !is_stopped(texts, rank_groups, texts->different, PIECE);
}

/* Numbers */

static void translate_pieces(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  int32_t before = texts->entries[texts->others[0].entry].length != 0; /* the empty text is the first, always */
  for (int64_t piece = low; piece < high; piece++) {
    int32_t *groups = texts->groups + piece * PIECE;
    struct Entry *entries = texts->entries + piece * PIECE;
    for (int64_t k = 0; k < texts->known[piece]; k++)
      groups[k] = texts->ranks[texts->starts[part_of(texts, entries[k].hash)] + groups[k]] + before;
    for (int64_t row = piece * PIECE; row < least((piece + 1) * PIECE, texts->count); row++)
      texts->numbers[row] = groups[texts->numbers[row]];
  }
}

/* Finds the groups: whether that came to its end. */
static int are_grouped(struct Texts *texts) {
  int64_t entries = 0;
  if (is_stopped(texts, number_pieces, texts->pieces, 1) || texts->unsound)
    return 0;
  for (int64_t piece = 0; piece < texts->pieces; piece++)
    entries += texts->known[piece];
  while (texts->bits < BITS && entries >> texts->bits > OF_PART)
    texts->bits++;
  int64_t parts = 1LL << texts->bits;
  if (is_stopped(texts, count_entries, texts->pieces, 1))
    return 0;
  add_up(texts->counts, texts->pieces, parts, texts->bases);
  texts->starts[0] = 0;
  if (is_stopped(texts, spread_entries, texts->pieces, 1) || is_stopped(texts, group_parts, parts, 1))
    return 0;
  for (int64_t part = 0; part < parts; part++)
    texts->starts[part + 1] += texts->starts[part];
  texts->different = texts->starts[parts];
  return 1;
}

static int64_t ranked(struct Texts *texts) {
  if (!are_grouped(texts))
    return texts->unsound ? UNSOUND : STOPPED;
  texts->items = tolang_take(texts->different * (2 * sizeof(struct Item) + 6));
  if (!texts->items)
    return REFUSED;
  texts->others = texts->items + texts->different;
  texts->ranks = (int32_t *)(texts->others + texts->different);
  texts->places = (uint16_t *)(texts->ranks + texts->different);
  int complete = are_sorted(texts) && !is_stopped(texts, translate_pieces, texts->pieces, 1);
  tolang_give(texts->items);
  return complete ? texts->different : STOPPED;
}

/* How many texts differ, of which there is at least one; less than 0 where they could not be numbered. */
int64_t tolang_texts(const int64_t *given) {
  struct Texts texts = {
      .data = (const uint8_t *)given[0], .size = given[1], .offsets = (const void *)given[2], .wide = given[3],
      .count = given[4], .seed = (uint64_t)given[5], .numbers = (int32_t *)given[6], .firsts = (int64_t *)given[7],
      .fault = (int64_t *)given[8], .pieces = rounded_up(given[4])};
  int64_t many = (1 << BITS) + 1, tables = 3 * texts.count + 4 * many + SLOTS;
  int64_t words = tables + 2 * texts.count + (texts.pieces << BITS) + texts.pieces + 2 * many;
  tolang_begin();
  texts.entries = tolang_take(texts.count * sizeof(struct Entry) + words * 4);
  if (!texts.entries)
    return REFUSED;
  texts.tables = (int32_t *)(texts.entries + texts.count);
  texts.list = texts.tables + tables;
  texts.groups = texts.list + texts.count;
  texts.counts = texts.groups + texts.count;
  texts.known = texts.counts + (texts.pieces << BITS);
  texts.bases = texts.known + texts.pieces;
  texts.starts = texts.bases + many;
  int64_t found = ranked(&texts);
  tolang_give(texts.entries);
  return found;
}
