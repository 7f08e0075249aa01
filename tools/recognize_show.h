// SPDX-License-Identifier: GPL-3.0-or-later
// What recognition found, for people and as JSON lines, on standard output.
#pragma once

#include "players/verdict.h"

void recognize_show_verdict(const Verdict *verdict, bool is_json);
void recognize_show_trial(const Trial *trial, const PlayerModels *models, bool is_json);
