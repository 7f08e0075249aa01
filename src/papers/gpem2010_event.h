// SPDX-License-Identifier: GPL-3.0-or-later
// GPEM 2010's Table 6: a championship against nine programs on faster machines.
#pragma once

#include "papers/page.h"

// Two events, "event-slow" and "event-speed".
void event_plan(Plan *plan);
MUST_CHECK Status event_tell(const Plan *plan, Page *page);
