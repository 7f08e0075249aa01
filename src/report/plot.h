// SPDX-License-Identifier: GPL-3.0-or-later
// Charts drawn with plain characters.
#pragma once

#include "report/chart.h"

void plot_chart(const Chart *chart, Str *out);
void plot_bars(const Bars *bars, Str *out);
