// SPDX-License-Identifier: GPL-3.0-or-later
// Which options of an engine are tuned, and within what bounds: read from words and files, and held
// against what the engine itself declares before anything is played.
#pragma once

#include "chess/position.h"
#include "engines/spec.h"

typedef struct TuneOption {
    char *name; // owned; once checked, as the engine writes it
    int64_t low, high, step;
    bool has_start;
    int64_t start;
    double c_end, r_end; // of SPSA, as OpenBench has them: how far a candidate is off in the end,
                         // and how far a game moves the value, in that; 0: not told
    bool has_effect;     // once checked: the engine thought differently at its two ends
} TuneOption;

// {0} is empty; everything owned.
typedef struct TuneOptions {
    TuneOption *items;
    size_t count, capacity;
} TuneOptions;

enum { TUNE_OPTIONS_MAX = 64 };

void tune_options_free(TuneOptions *options);

// Adds "Name:low:high[:step[:start]]"; the step is 1 if it is not said.
MUST_CHECK Status tune_options_add(TuneOptions *options, const char *text);
// Adds one as OpenBench has it: "name, int, value, min, max, c_end, r_end".
MUST_CHECK Status tune_options_add_openbench(TuneOptions *options, const char *text);
// Appends that line, without its end, with another value.
void tune_option_write_openbench(const TuneOption *option, double value, Str *out);
// Sets c_end and r_end, "2.5 0.002", of an option that was added.
MUST_CHECK Status tune_options_set_spsa(TuneOptions *options, const char *name, const char *text);
// Adds those of a file: lines of OpenBench; INI, with lines "Name = low:high[:step[:start]]" in a
// section [tune]; or JSON as weather-factory has it, {"Name": {"value": V, "min_value": L,
// "max_value": H, "step": S}}. The step there is how far SPSA goes to see a difference, not a grid:
// values are whole numbers.
MUST_CHECK Status tune_options_read(TuneOptions *options, const char *path);
// Appends "Name:low:high:step:start", or without what is not known.
void tune_option_write(const TuneOption *option, Str *out);

// Starts the engine and makes sure that each option is there, is a spin, and takes both of its
// bounds. Where no start is given, it is the engine's: as `spec` sets it, or its default. Then
// looks whether the engine thinks differently about `positions` at the two ends; ERR_ARG when no
// option changes anything.
MUST_CHECK Status tune_options_check(TuneOptions *options, const EngineSpec *spec,
                                     const Position *positions, size_t count, int cancel_fd);
