// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/commit.h"

const char commit_of_build[] = FALCONER_COMMIT;
