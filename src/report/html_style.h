// SPDX-License-Identifier: GPL-3.0-or-later
// The style sheet of HTML reports.
#pragma once

extern const char *const html_style;
