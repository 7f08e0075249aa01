// SPDX-License-Identifier: GPL-3.0-or-later
// The commit that this program was built from: the Makefile gives it to this file alone.
#pragma once

// Its first digits, with a "+" where the sources had been changed since; "unknown" outside of a
// repository.
extern const char commit_of_build[];
