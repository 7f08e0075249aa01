// SPDX-License-Identifier: GPL-3.0-or-later
// For a program without libraries.
#include "base/packing.h"

Status unpacker_open(Unpacker **out, const PackedInput *input) {
    *out = NULL;
    return error_set(ERR_IO, "%s: is packed, which this program cannot read: unpack it first",
                     input->name);
}

Status unpacker_read(Unpacker *unpacker, char *buffer, size_t size, size_t *got) {
    (void)unpacker, (void)buffer, (void)size;
    *got = 0;
    return OK;
}

void unpacker_close(Unpacker *unpacker) {
    (void)unpacker;
}

Status packer_open(Packer **out, const PackedOutput *output) {
    (void)output;
    *out = NULL;
    return error_set(ERR_IO, "this program cannot write packed files: name it without .zst");
}

Status packer_write(Packer *packer, const void *data, size_t size) {
    (void)packer, (void)data, (void)size;
    return OK;
}

Status packer_finish(Packer *packer) {
    (void)packer;
    return OK;
}

void packer_close(Packer *packer) {
    (void)packer;
}
