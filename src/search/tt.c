// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/tt.h"

#include "base/mem.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTER_ENTRIES = 4, AGES = 64, DEPTH_PER_AGE = 4, FULL_SAMPLE = 250 };

// Both words are written separately, so the key is stored xored with the data: an entry torn by
// another thread does not match. PV_BIT of the key is flipped where an exact score was wanted: the
// data word is full.
#define PV_BIT (UINT64_C(1) << 32)
typedef struct Entry {
    _Atomic uint64_t key_xor_data, data;
} Entry;

typedef struct Cluster {
    _Alignas(64) Entry entries[CLUSTER_ENTRIES];
} Cluster;

struct TT {
    Cluster *clusters;
    uint64_t count;
    unsigned age;
};

// Layout of the data word: move 16, score 16, eval 16, depth 8, bound 2, age 6.
static uint64_t pack(TTData data, unsigned age) {
    return (uint64_t)data.move | (uint64_t)(uint16_t)data.score << 16 |
           (uint64_t)(uint16_t)data.eval << 32 | (uint64_t)data.depth << 48 |
           (uint64_t)(data.bound | age << 2) << 56;
}

static TTData unpack(uint64_t word) {
    return (TTData){.move = (Move)word,
                    .score = (int16_t)(word >> 16),
                    .eval = (int16_t)(word >> 32),
                    .depth = (uint8_t)(word >> 48),
                    .bound = (uint8_t)(word >> 56 & 3)};
}

static unsigned age_of(uint64_t word) {
    return (unsigned)(word >> 58);
}

static uint64_t load(const _Atomic uint64_t *word) {
    return atomic_load_explicit(word, memory_order_relaxed);
}

static void store(_Atomic uint64_t *word, uint64_t value) {
    atomic_store_explicit(word, value, memory_order_relaxed);
}

Status tt_create(TT **out, size_t megabytes) {
    size_t size = megabytes << 20;
    Cluster *clusters = size >> 20 == megabytes && size > 0 ? mem_alloc_pages(size) : NULL;
    if (clusters == NULL)
        return error_set(ERR_LIMIT, "no memory for a hash table of %zu MB", megabytes);
    TT *tt = mem_alloc_zero(1, sizeof *tt);
    *tt = (TT){clusters, size / sizeof(Cluster), 0};
    *out = tt;
    return OK;
}

void tt_destroy(TT *tt) {
    if (tt != NULL)
        free(tt->clusters);
    free(tt);
}

void tt_clear(TT *tt) {
    memset(tt->clusters, 0, tt->count * sizeof(Cluster));
    tt->age = 0;
}

void tt_new_search(TT *tt) {
    tt->age = (tt->age + 1) % AGES;
}

// The high bits of the product: uniform for any number of clusters, not only powers of two.
static Cluster *cluster_of(const TT *tt, uint64_t key) {
    return &tt->clusters[(uint64_t)((unsigned __int128)key * tt->count >> 64)];
}

void tt_prefetch(const TT *tt, uint64_t key) {
    __builtin_prefetch(cluster_of(tt, key));
}

static int16_t score_to_table(int score, int ply) {
    return (int16_t)(score >= SCORE_MATE_LEAST    ? score + ply
                     : score <= -SCORE_MATE_LEAST ? score - ply
                                                  : score);
}

static int16_t score_from_table(int score, int ply) {
    return (int16_t)(score >= SCORE_MATE_LEAST    ? score - ply
                     : score <= -SCORE_MATE_LEAST ? score + ply
                                                  : score);
}

bool tt_probe(const TT *tt, uint64_t key, int ply, TTData *out) {
    Cluster *cluster = cluster_of(tt, key);
    for (int i = 0; i < CLUSTER_ENTRIES; i++) {
        uint64_t data = load(&cluster->entries[i].data);
        uint64_t differs = load(&cluster->entries[i].key_xor_data) ^ data ^ key;
        if ((differs & ~PV_BIT) != 0 || data == 0)
            continue;
        *out = unpack(data);
        out->pv = differs != 0;
        out->score = score_from_table(out->score, ply);
        return true;
    }
    *out = (TTData){.eval = SCORE_NONE};
    return false;
}

// What an entry is worth keeping: its depth, less what it aged.
static int value_of(const TT *tt, uint64_t data) {
    int age = (int)((AGES + tt->age - age_of(data)) % AGES);
    return (int)unpack(data).depth - DEPTH_PER_AGE * age;
}

bool tt_data_is_valid(const TTData *data) {
    return data->bound > BOUND_NONE && data->bound <= BOUND_EXACT &&
           abs(data->score) <= SCORE_INFINITE && abs(data->eval) <= SCORE_NONE;
}

void tt_store(TT *tt, uint64_t key, int ply, TTData data) {
    assert(tt_data_is_valid(&data));
    Cluster *cluster = cluster_of(tt, key);
    Entry *victim = NULL;
    int least = INT32_MAX;
    for (int i = 0; i < CLUSTER_ENTRIES; i++) {
        Entry *entry = &cluster->entries[i];
        uint64_t old = load(&entry->data);
        uint64_t differs = load(&entry->key_xor_data) ^ old ^ key;
        if ((differs & ~PV_BIT) == 0) {
            TTData known = unpack(old);
            if (data.move == MOVE_NONE)
                data.move = known.move;
            // A much deeper result of this search is worth more than a shallow bound.
            if (data.bound != BOUND_EXACT && age_of(old) == tt->age && known.depth > data.depth + 4)
                return;
            victim = entry;
            break;
        }
        int value = old == 0 ? INT32_MIN : value_of(tt, old);
        if (value < least) {
            least = value;
            victim = entry;
        }
    }
    data.score = score_to_table(data.score, ply);
    uint64_t word = pack(data, tt->age);
    store(&victim->data, word);
    store(&victim->key_xor_data, key ^ word ^ (data.pv ? PV_BIT : 0));
}

int tt_full_permille(const TT *tt) {
    uint64_t sample = tt->count < FULL_SAMPLE ? tt->count : FULL_SAMPLE;
    int used = 0;
    for (uint64_t i = 0; i < sample; i++)
        for (int j = 0; j < CLUSTER_ENTRIES; j++) {
            uint64_t data = load(&tt->clusters[i].entries[j].data);
            used += data != 0 && age_of(data) == tt->age;
        }
    return (int)((uint64_t)used * 1000 / (sample * CLUSTER_ENTRIES));
}
