// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a page is what its writer meant: known elements, properly nested, no other mark-up.
#pragma once

#include "base/str.h"

// Ends the program where the page is not well formed, or has an element, attribute or character
// reference that no report has. Returns how many elements there are.
size_t html_check(StrView page);
