// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions of engines as bytes, for a process on another machine, and what tells it that the
// program it finds there is the same.
#pragma once

#include "base/bytes.h"
#include "engines/spec.h"

void engine_spec_pack(const EngineSpec *spec, Str *out);
// Reads it back; where the bytes are none, in->failed is set. Free it with engine_spec_deinit,
// whatever came of it.
void engine_spec_unpack(ByteReader *in, EngineSpec *out);

// Hashes the program that would be started; 0 for an organism inside the process, or where there is
// none: that is told of when it is to be started.
uint64_t engine_program_hash(const EngineSpec *spec);
// ERR_ARG where the program that would be started here has another hash.
MUST_CHECK Status engine_program_check(const EngineSpec *spec, uint64_t hash);
