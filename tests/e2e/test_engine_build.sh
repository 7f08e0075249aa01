#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The engine needs nothing but libc, and says so where a file is packed.
. tests/e2e/tap.sh || exit 1

if is_watched; then
    skip 'libraries' 'a sanitizer brings its own'
else
    # shellcheck disable=SC2034
    run ldd "$EYAS"
    [[ $rc == 0 && $out == *libc.so* ]] &&
        ! grep -vE '^[[:space:]]*(linux-vdso\.so|/lib[^ ]*/ld-linux|lib(c|m|pthread)\.so)' <<<"$out"
    result 'libc, libm and threads alone' $?
fi
gzip -c weights/maestro-hand.weights >"$SCRATCH/hand.weights.gz"
expect 'packed weights' 1 '*hand.weights.gz: is packed, which this program cannot read: unpack it first*' \
    "$EYAS" --weights "$SCRATCH/hand.weights.gz" bench 1
expect 'falconer reads them' 0 '*' "$FALCONER" weights show "$SCRATCH/hand.weights.gz"
# Without a compiler run: what make would do.
# ./check makes warnings errors; others do not.
run env -u WERROR make --no-print-directory --dry-run EXE=some-name CC=some-cc ARCH=x86-64
[[ $out == *'some-cc -std='*' -o build/obj/release-x86-64-tunable/eyas -lpthread -lm'*'cp build/obj/release-x86-64-tunable/eyas some-name'* ]] &&
    ! grep -E 'Werror|falconer' <<<"$out" >/dev/null
result 'make EXE=NAME CC=COMPILER builds the engine alone' $?
done_testing
