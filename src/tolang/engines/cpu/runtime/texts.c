/* Texts numbered by all threads, equal ones alike, in the order of their bytes.  texts.py says what is given and found.

   Pieces of the texts find which of theirs differ, each by a table of hashes of its own: these are entries.  Entries are
   spread over parts by other bits of their hashes; each part finds which of its entries are equal, in one more table, and
   the first of them stands for all.  Those are put into order, stretch by stretch between texts that were picked out, and
   every text has the rank of what stands for its entry.  Neither pieces nor ranks depend on how many threads there are,
   and no rank on hashes.  texts.ll is made of this file by `python -m native`. */

#include <stdint.h>

#define PIECE (1 << 15)  /* texts of a piece */
#define SLOTS (2 * PIECE) /* of its table at the most, which is at most half full */
#define FIRST_SLOTS 1024
#define BITS 10          /* that tell parts, at the most */
#define OF_PART 2048     /* entries that a part should have */
#define STRETCH 2048     /* different texts that a stretch should have, or up to twice as many */
#define PICKED 8         /* texts looked at for each stretch */
#define RUN 8            /* texts that are put into order one by one */
#define AHEAD 12         /* how far ahead memory is asked for that lies anywhere */
#define SHORT 12 /* bytes of a text that lies in its view */
#define LEFT -1 /* in place of where keys begin */
#define STOPPED -1
#define REFUSED -2
#define UNSOUND -3
#define INLINE static inline __attribute__((always_inline))

void tolang_begin(void);
void *tolang_take(int64_t bytes);
void tolang_give(void *memory);
int64_t tolang_parallel(void (*job)(void *, int64_t, int64_t), void *frame, int64_t count, int64_t grain, int64_t small, int64_t *fault);

struct Entry { uint64_t hash; const uint8_t *at; int64_t length, row; };
struct View { int32_t length, head, buffer, offset; }; /* a text of up to SHORT bytes lies behind its length */
struct Buffer { const uint8_t *at; int64_t size; };
struct Spread { uint64_t hash; int64_t entry; };
struct Item { uint64_t key; int32_t entry, row; };

struct Texts {
  const void *places; /* where each text begins and ends, */
  int64_t width;      /* in words of 4 bytes or of 8 in one buffer, or as views of 16 in several, */
  const struct Buffer *buffers; /* which have characters in UTF-8 */
  int64_t several;
  int64_t count;
  uint64_t seed;       /* and what hashes begin with */
  int32_t *numbers;    /* of each text, first that of its entry in its piece */
  int64_t *firsts;     /* for each different text, in order, one that is equal to it */
  int64_t *fault;
  struct Entry *entries;
  int32_t *tables, *groups, *counts, *known, *bases; /* `groups` has for each entry what stands for it */
  int32_t *ranks;                                    /* of entries that stand for others, where tables were */
  uint16_t *stretch_of;
  struct Spread *list;
  struct Item *items, *others; /* what stands for others, piece by piece where the list was, and in order */
  uint64_t *limits;            /* the keys of the last texts of stretches */
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
  if (length >= 8) {
    for (int64_t k = 0; k + 8 < length; k += 8)
      if (word(a + k) != word(b + k))
        return 0;
    return word(a + length - 8) == word(b + length - 8);
  }
  if (length >= 4)
    return half(a) == half(b) && half(a + length - 4) == half(b + length - 4);
  for (int64_t k = 0; k < length; k++)
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

INLINE int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

INLINE int64_t offset_of(const struct Texts *texts, int64_t row) {
  return texts->width == 8 ? ((const int64_t *)texts->places)[row] : ((const int32_t *)texts->places)[row];
}

/* Finds where a text lies: whether that is inside the characters. */
INLINE int is_found(const struct Texts *texts, int64_t row, struct Entry *entry) {
  int64_t begin, buffer = 0;
  if (texts->width == sizeof(struct View)) {
    const struct View *view = (const struct View *)texts->places + row;
    entry->length = view->length;
    entry->at = (const uint8_t *)&view->head;
    if (view->length >= 0 && view->length <= SHORT)
      return 1;
    begin = view->offset;
    buffer = view->buffer;
  } else {
    begin = offset_of(texts, row);
    entry->length = offset_of(texts, row + 1) - begin;
  }
  if (entry->length < 0 || begin < 0 || buffer < 0 || buffer >= texts->several || begin > texts->buffers[buffer].size - entry->length)
    return 0;
  entry->at = texts->buffers[buffer].at + begin;
  return 1;
}

INLINE int is_same(const struct Entry *a, const struct Entry *b) {
  return a->hash == b->hash && a->length == b->length && is_equal(a->at, b->at, a->length);
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

/* Numbers the texts of a piece by its entries: whether all lie where they should, and are characters. */
static int are_numbered(struct Texts *texts, int64_t piece) {
  int64_t low = piece * PIECE, high = least(low + PIECE, texts->count), known = 0, slots = FIRST_SLOTS;
  struct Entry *entries = texts->entries + low;
  int32_t *table = texts->tables + piece * SLOTS, found;
  entered(table, slots, entries, 0);
  for (int64_t row = low; row < high; row++) {
    struct Entry own = {.row = row};
    if (!is_found(texts, row, &own))
      return 0;
    own.hash = hash_of(own.at, own.length, texts->seed);
    int64_t at = own.hash & (slots - 1);
    while ((found = table[at]) >= 0 && !is_same(&entries[found], &own))
      at = (at + 1) & (slots - 1);
    if (found < 0) {
      if (!is_utf8(own.at, own.length))
        return 0;
      found = table[at] = (int32_t)known;
      entries[known++] = own;
      if (2 * known > slots)
        entered(table, slots *= 4, entries, known);
    }
    texts->numbers[row] = found;
  }
  texts->known[piece] = (int32_t)known;
  return 1;
}

static void number_pieces(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t piece = low; piece < high; piece++)
    if (!are_numbered(texts, piece))
      __atomic_store_n(&texts->unsound, 1, __ATOMIC_RELAXED);
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
      uint64_t hash = texts->entries[entry].hash;
      texts->list[places[part_of(texts, hash)]++] = (struct Spread){hash, entry};
    }
  }
}

/* Asks for the entry of something that comes later, and for the text of what comes a little sooner. */
INLINE void ask_ahead(const struct Texts *texts, int64_t later, int64_t sooner) {
  __builtin_prefetch(&texts->entries[later]);
  __builtin_prefetch(texts->entries[sooner].at);
}

/* Finds which entries of a part are equal; the first of them, which is of the first piece, stands for all. */
static void group_part(struct Texts *texts, int64_t part) {
  int64_t begin = texts->bases[part], count = texts->bases[part + 1] - begin, slots = 4;
  while (2 * slots < 3 * count)
    slots *= 2;
  int32_t *table = texts->tables + 3 * begin + 4 * part;
  const struct Spread *list = texts->list + begin;
  entered(table, slots, texts->entries, 0);
  for (int64_t k = 0; k < count; k++) {
    if (k + 2 * AHEAD < count)
      ask_ahead(texts, list[k + 2 * AHEAD].entry, list[k + AHEAD].entry);
    int64_t entry = list[k].entry, at = list[k].hash & (slots - 1);
    while (table[at] >= 0 && !(list[table[at]].hash == list[k].hash && is_same(&texts->entries[list[table[at]].entry], &texts->entries[entry])))
      at = (at + 1) & (slots - 1);
    if (table[at] < 0)
      table[at] = (int32_t)k;
    texts->groups[entry] = (int32_t)list[table[at]].entry;
  }
}

static void group_parts(void *frame, int64_t low, int64_t high) {
  for (int64_t part = low; part < high; part++)
    group_part(frame, part);
}

/* Order */

INLINE uint64_t turned(const uint8_t *at) { return __builtin_bswap32((uint32_t)half(at)); }

/* Seven bytes of a text from a place on, which compare as the text does, and how many there are; 8 where there are more. */
INLINE uint64_t key_of(const struct Entry *entry, int64_t depth) {
  const uint8_t *at = entry->at + depth;
  int64_t rest = entry->length - depth;
  if (rest >= 8)
    return (__builtin_bswap64(word(at)) & ~0xFFull) | 8;
  if (rest >= 4) /* the last bytes of the second half are those that the first has not */
    return turned(at) << 32 | (turned(at + rest - 4) << 8 * (8 - rest) & 0xFFFFFFFFu) | (uint64_t)rest;
  uint64_t found = 0;
  for (int64_t k = 0; k < rest; k++)
    found |= (uint64_t)at[k] << 8 * (7 - k);
  return found | (uint64_t)(rest > 0 ? rest : 0);
}

/* Whether a text comes before another one whose keys from a place on are equal, and not all of them. */
static int is_further_less(const struct Texts *texts, const struct Item *a, const struct Item *b, int64_t depth) {
  const struct Entry *one = &texts->entries[a->entry], *other = &texts->entries[b->entry];
  int64_t length = least(one->length, other->length) - depth;
  const uint8_t *left = one->at + depth, *right = other->at + depth;
  int64_t same = in_common(left, right, length);
  return same < length ? left[same] < right[same] : one->length < other->length;
}

/* Whether an item comes before another one; where they have one key, by the rest of their texts, unless it is to be left. */
INLINE int is_less(const struct Texts *texts, const struct Item *a, const struct Item *b, int64_t depth) {
  return a->key != b->key ? a->key < b->key : depth != LEFT && (a->key & 8) && is_further_less(texts, a, b, depth + 7);
}

/* How many bytes all items have in common with one of them, and their texts with it. */
static int64_t common_of(const struct Texts *texts, const struct Item *items, int64_t count, const struct Item *first) {
  const struct Entry *one = &texts->entries[first->entry];
  int64_t common = one->length;
  for (int64_t k = 0; k < count; k++) {
    if (k + 2 * AHEAD < count)
      ask_ahead(texts, items[k + 2 * AHEAD].entry, items[k + AHEAD].entry);
    const struct Entry *other = &texts->entries[items[k].entry];
    common = in_common(one->at, other->at, least(common, other->length));
  }
  return common;
}

static void merge(const struct Texts *texts, const struct Item *from, struct Item *to, int64_t middle, int64_t count, int64_t depth) {
  const struct Item *left = from, *right = from + middle, *border = right, *end = from + count;
  while (left < border && right < end) {
    int64_t later = is_less(texts, right, left, depth);
    const struct Item *next = later ? right : left;
    *to++ = *next;
    right += later;
    left += 1 - later;
  }
  while (left < border)
    *to++ = *left++;
  while (right < end)
    *to++ = *right++;
}

/* Puts items into order that have their keys. */
static void sort(const struct Texts *texts, struct Item *items, struct Item *room, int64_t count, int64_t depth) {
  for (int64_t k = 1; k < count; k++) {
    struct Item own = items[k];
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

/* Puts items with one key into order by what comes behind all that they have in common. */
static void sort_further(const struct Texts *texts, struct Item *items, struct Item *room, int64_t count) {
  int64_t depth = common_of(texts, items, count, items);
  for (int64_t k = 0; k < count; k++)
    items[k].key = key_of(&texts->entries[items[k].entry], depth);
  sort(texts, items, room, count, depth);
}

/* What stands for others in each piece, in front of the piece's places, and how many these are. */
static void list_groups(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t piece = low; piece < high; piece++) {
    int32_t count = 0;
    for (int64_t entry = piece * PIECE; entry < piece * PIECE + texts->known[piece]; entry++)
      if (texts->groups[entry] == entry)
        texts->items[piece * PIECE + count++] = (struct Item){0, (int32_t)entry, (int32_t)texts->entries[entry].row};
    texts->counts[piece] = count;
  }
}

static void look_at_pieces(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t piece = low; piece < high; piece++) {
    int64_t own = common_of(texts, texts->items + piece * PIECE, texts->counts[piece], texts->items);
    int64_t known = __atomic_load_n(&texts->common, __ATOMIC_RELAXED);
    while (own < known && !__atomic_compare_exchange_n(&texts->common, &known, own, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
  }
}

/* In which stretch each item of some pieces is: one whose last text comes not before it, for the first such. */
static void find_stretches(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t piece = low; piece < high; piece++) {
    int32_t *counts = texts->counts + texts->pieces + piece * texts->stretches;
    for (int64_t k = 0; k < texts->stretches; k++)
      counts[k] = 0;
    for (int64_t k = piece * PIECE; k < piece * PIECE + texts->counts[piece]; k++) {
      struct Item *item = &texts->items[k];
      item->key = key_of(&texts->entries[item->entry], texts->common);
      int64_t place = 0;
      for (int64_t step = texts->stretches / 2; step; step /= 2)
        place += texts->limits[place + step - 1] < item->key ? step : 0;
      while (place < texts->stretches - 1 && is_less(texts, &texts->others[place], item, texts->common))
        place++;
      texts->stretch_of[k] = (uint16_t)place;
      counts[place]++;
    }
  }
}

static void spread_groups(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t piece = low; piece < high; piece++) {
    int32_t *goals = texts->counts + texts->pieces + piece * texts->stretches;
    for (int64_t k = piece * PIECE; k < piece * PIECE + texts->counts[piece]; k++)
      texts->others[goals[texts->stretch_of[k]]++] = texts->items[k];
  }
}

static void sort_stretches(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t stretch = low; stretch < high; stretch++) {
    int64_t begin = texts->bases[stretch], end = texts->bases[stretch + 1];
    struct Item *own = texts->others;
    sort(texts, own + begin, texts->items + begin, end - begin, LEFT);
    for (int64_t k = begin, beyond; k < end; k = beyond) {
      for (beyond = k + 1; beyond < end && own[beyond].key == own[k].key; beyond++)
        ;
      if (beyond - k > 1)
        sort_further(texts, own + k, texts->items + k, beyond - k);
    }
  }
}

static void rank_groups(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  for (int64_t k = low; k < high; k++) {
    texts->ranks[texts->others[k].entry] = (int32_t)k;
    texts->firsts[k] = texts->others[k].row;
  }
}

static int64_t rounded_up(int64_t count) { return (count + PIECE - 1) / PIECE; }

static int is_stopped(struct Texts *texts, void (*job)(void *, int64_t, int64_t), int64_t count, int64_t grain) {
  return tolang_parallel(job, texts, count, grain, 0, texts->fault) != 0;
}

/* Picks texts out, between which there are about as many each time. */
static void pick(struct Texts *texts) {
  int64_t picked = texts->stretches > 1 ? PICKED * texts->stretches : 0, before = 0, piece = 0;
  for (int64_t k = 0; k < picked; k++) {
    int64_t place = k * texts->different / picked;
    for (; place >= before + texts->counts[piece]; piece++)
      before += texts->counts[piece];
    texts->others[k] = texts->items[piece * PIECE + place - before];
    texts->others[k].key = key_of(&texts->entries[texts->others[k].entry], texts->common);
  }
  sort(texts, texts->others, texts->others + picked, picked, texts->common);
  for (int64_t k = 0; k < texts->stretches - 1; k++) {
    texts->others[k] = texts->others[(k + 1) * PICKED - 1];
    texts->limits[k] = texts->others[k].key;
  }
}

/* Puts what stands for others into order, which `list_groups` has found: whether that came to its end. */
static int are_sorted(struct Texts *texts) {
  texts->stretches = 1;
  while (texts->stretches < 1 << BITS && texts->different / texts->stretches > 2 * STRETCH)
    texts->stretches *= 2;
  texts->common = INT64_MAX;
  if (is_stopped(texts, look_at_pieces, texts->pieces, 1))
    return 0;
  pick(texts);
  if (is_stopped(texts, find_stretches, texts->pieces, 1))
    return 0;
  add_up(texts->counts + texts->pieces, texts->pieces, texts->stretches, texts->bases);
  return !is_stopped(texts, spread_groups, texts->pieces, 1) && !is_stopped(texts, sort_stretches, texts->stretches, 1) &&
         !is_stopped(texts, rank_groups, texts->different, PIECE);
}

/* Numbers */

static void translate_pieces(void *frame, int64_t low, int64_t high) {
  struct Texts *texts = frame;
  int32_t before = texts->entries[texts->others[0].entry].length != 0; /* the empty text is the first, always */
  for (int64_t piece = low; piece < high; piece++) {
    int32_t *groups = texts->groups + piece * PIECE;
    for (int64_t k = 0; k < texts->known[piece]; k++)
      groups[k] = texts->ranks[groups[k]] + before;
    for (int64_t row = piece * PIECE; row < least((piece + 1) * PIECE, texts->count); row++)
      texts->numbers[row] = groups[texts->numbers[row]];
  }
}

/* Finds what stands for others: whether that came to its end. */
static int are_grouped(struct Texts *texts) {
  int64_t entries = 0;
  if (is_stopped(texts, number_pieces, texts->pieces, 1) || texts->unsound)
    return 0;
  for (int64_t piece = 0; piece < texts->pieces; piece++)
    entries += texts->known[piece];
  while (texts->bits < BITS && entries >> texts->bits > OF_PART)
    texts->bits++;
  if (is_stopped(texts, count_entries, texts->pieces, 1))
    return 0;
  add_up(texts->counts, texts->pieces, 1LL << texts->bits, texts->bases);
  if (is_stopped(texts, spread_entries, texts->pieces, 1) || is_stopped(texts, group_parts, 1LL << texts->bits, 1))
    return 0;
  if (is_stopped(texts, list_groups, texts->pieces, 1))
    return 0;
  for (int64_t piece = 0; piece < texts->pieces; piece++)
    texts->different += texts->counts[piece];
  return 1;
}

static int64_t ranked(struct Texts *texts) {
  if (!are_grouped(texts))
    return texts->unsound ? UNSOUND : STOPPED;
  int64_t many = (1 << BITS) * (int64_t)sizeof(uint64_t);
  texts->others = tolang_take(texts->different * (int64_t)sizeof(struct Item) + many);
  if (!texts->others)
    return REFUSED;
  texts->limits = (uint64_t *)(texts->others + texts->different);
  int complete = are_sorted(texts) && !is_stopped(texts, translate_pieces, texts->pieces, 1);
  tolang_give(texts->others);
  return complete ? texts->different : STOPPED;
}

/* How many texts differ, of which there is at least one; less than 0 where they could not be numbered. */
int64_t tolang_texts(const int64_t *given) {
  struct Texts texts = {
      .places = (const void *)given[0], .width = given[1], .buffers = (const struct Buffer *)given[2], .several = given[3],
      .count = given[4], .seed = (uint64_t)given[5], .numbers = (int32_t *)given[6], .firsts = (int64_t *)given[7],
      .fault = (int64_t *)given[8], .pieces = rounded_up(given[4])};
  int64_t many = (1 << BITS) + 1, tables = 3 * texts.count + 4 * many + SLOTS; /* pieces have no more in all */
  int64_t words = tables + texts.count + texts.pieces * many + texts.pieces + many;
  tolang_begin();
  texts.entries = tolang_take(texts.count * (int64_t)(sizeof(struct Entry) + sizeof(struct Spread)) + words * 4);
  if (!texts.entries)
    return REFUSED;
  texts.list = (struct Spread *)(texts.entries + texts.count);
  texts.items = (struct Item *)texts.list;
  texts.tables = (int32_t *)(texts.list + texts.count);
  texts.ranks = texts.tables;
  texts.stretch_of = (uint16_t *)(texts.ranks + texts.count);
  texts.groups = texts.tables + tables;
  texts.counts = texts.groups + texts.count;
  texts.known = texts.counts + texts.pieces * many;
  texts.bases = texts.known + texts.pieces;
  int64_t found = ranked(&texts);
  tolang_give(texts.entries);
  return found;
}
