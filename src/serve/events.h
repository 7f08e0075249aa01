// SPDX-License-Identifier: GPL-3.0-or-later
// News of the catalog as a stream of Server-Sent Events: which items changed. Pages then ask for
// what they show.
#pragma once

#include "serve/catalog.h"
#include "serve/http.h"

// A stream that begins now.
HttpStream *events_open(Catalog *catalog);
