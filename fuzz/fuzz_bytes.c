// SPDX-License-Identifier: GPL-3.0-or-later
// Input: which message, then its bytes, as they come from another rank. What is read is the same
// when it is packed and read again.
#include "chess/position.h"
#include "engines/command.h"
#include "fuzz/fuzz.h"
#include "match/play/game_bytes.h"

#include <string.h>

enum { MESSAGES = 4 };

// Reads one message and packs what was read; false where the bytes are none.
typedef bool Repack(StrView bytes, Str *out);

static bool repack_opening(StrView bytes, Str *out) {
    static Opening opening;
    ByteReader in = {bytes, false};
    opening_unpack(&in, &opening);
    if (in.failed)
        return false;
    opening_pack(&opening, out);
    return true;
}

static bool repack_rules(StrView bytes, Str *out) {
    ByteReader in = {bytes, false};
    const AdjudicationRules rules = adjudication_unpack(&in);
    if (in.failed)
        return false;
    adjudication_pack(&rules, out);
    return true;
}

static bool repack_record(StrView bytes, Str *out) {
    ByteReader in = {bytes, false};
    GameRecord record;
    game_record_unpack(&in, &record);
    if (!in.failed) {
        MUST_HOLD(record.opening_count <= record.count);
        game_record_pack(&record, out);
    }
    game_record_deinit(&record);
    return !in.failed;
}

static bool repack_spec(StrView bytes, Str *out) {
    ByteReader in = {bytes, false};
    EngineSpec spec;
    engine_spec_unpack(&in, &spec);
    if (!in.failed)
        engine_spec_pack(&spec, out);
    engine_spec_deinit(&spec);
    return !in.failed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Repack *const messages[MESSAGES] = {repack_opening, repack_rules, repack_record,
                                               repack_spec};
    Str first = {0}, second = {0};
    chess_init();
    if (size == 0)
        return 0;
    Repack *repack = messages[data[0] % MESSAGES];
    if (repack(view_of((const char *)data + 1, size - 1), &first)) {
        MUST_HOLD(repack(view_of(str_text(&first), first.length), &second));
        MUST_HOLD(first.length == second.length);
        MUST_HOLD(memcmp(str_text(&first), str_text(&second), first.length) == 0);
    }
    str_free(&first);
    str_free(&second);
    return 0;
}
