// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Status journal_fail(const Journal *journal) {
    return error_set(ERR_IO, "%s: %s", journal->path, strerror(errno));
}

Status journal_open(Journal *out, const char *directory, const char *name) {
    Str path = {0};
    struct stat is;
    str_addf(&path, "%s/%s", directory, name);
    *out = (Journal){.path = path.text};
    out->fd = open(out->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (out->fd < 0 || fstat(out->fd, &is) != 0)
        return journal_fail(out);
    out->length = (uint64_t)is.st_size;
    return OK;
}

Status journal_write(int fd, const Str *record) {
    for (size_t done = 0; done < record->length;) {
        const ssize_t wrote = write(fd, record->text + done, record->length - done);
        if (wrote < 0 && errno != EINTR)
            return error_set(ERR_IO, "%s", strerror(errno));
        done += wrote < 0 ? 0 : (size_t)wrote;
    }
    return OK;
}

Status journal_append(Journal *journal, const Str *record) {
    TRY_PREFIX(journal_write(journal->fd, record), "%s", journal->path);
    journal->length += record->length;
    return OK;
}

Status journal_cut(Journal *journal, uint64_t length) {
    if (journal->length > length && ftruncate(journal->fd, (off_t)length) != 0)
        return journal_fail(journal);
    journal->length = journal->length < length ? journal->length : length;
    return OK;
}

Status journal_sync(Journal *journal) {
    return fdatasync(journal->fd) == 0 ? OK : journal_fail(journal);
}

Status journal_close(Journal *journal) {
    const Status status = journal->fd >= 0 && close(journal->fd) != 0 ? journal_fail(journal) : OK;
    free(journal->path);
    *journal = (Journal)JOURNAL_NONE;
    return status;
}
