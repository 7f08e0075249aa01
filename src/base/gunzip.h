// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a damaged or cut gzip file up to the damage: libarchive keeps back the last 64 KiB.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Gunzip Gunzip;

// Reads the file from its front; `fd`, which must allow pread, is borrowed and its position kept.
// NULL when there is no memory.
Gunzip *gunzip_open(int fd);
// Fills the buffer as far as bytes can be had; fewer than `size` are the last.
size_t gunzip_read(Gunzip *gunzip, void *buffer, size_t size);
// Destroying NULL is fine.
void gunzip_close(Gunzip *gunzip);
