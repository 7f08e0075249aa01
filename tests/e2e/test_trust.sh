#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Folders that name programs to run, when others than the user can have written them (docs/security.md).
. tests/e2e/tap.sh || exit 1
fakes=$(dirname "$FALCONER")
[[ -x $fakes/fake_tunable ]] || fakes=build/obj/release-native
fakes=$(realpath "$fakes")
other=12345 # no user of this machine

# An engine that leaves a mark when it is started.
printf '#!/bin/sh\ntouch "%s/ran"\nexec "%s" "$@"\n' "$SCRATCH" "$fakes/fake_engine" >"$SCRATCH/player"
printf '#!/bin/sh\ntouch "%s/ran"\nexec "%s" "$@"\n' "$SCRATCH" "$fakes/fake_tunable" >"$SCRATCH/tunable"
chmod +x "$SCRATCH/player" "$SCRATCH/tunable"

# Each case has a fresh copy of a folder; "go_on FOLDER OPTIONS..." runs the command on it.
go_on() { "$FALCONER" "${command[@]}" --resume "$1" "${more[@]}" "${@:2}"; }
folder=$SCRATCH/case
fresh() {
    rm -rf "$folder" "$SCRATCH/ran"
    cp -r "$whole" "$folder"
}
# refused NAME REASON: it fails, says why, shows the engine, and starts nothing.
refused() {
    expect "$command: $1" 1 "*$2*would run these engines:*cmd=$engine*--trust-folder*" go_on "$folder"
    [[ ! -e $SCRATCH/ran ]]
    result "$command: $1: nothing was started" $?
}
started() { # NAME OPTIONS...
    expect "$command: $1" 0 '*' go_on "$folder" "${@:2}"
    [[ -e $SCRATCH/ran ]]
    result "$command: $1: the engine was started" $?
}

# What the file named in $file names is run only where it and its folder are the user's own.
check_folder() {
    fresh
    started "the user's own folder"
    fresh && chmod o+w "$folder"
    refused 'a folder that everybody can write' "$folder can be written by everybody"
    fresh && chmod o+w "$folder/$file"
    refused 'a file that everybody can write' "$folder/$file can be written by everybody"
    started 'trusted by an option' --trust-folder
    if ((EUID != 0)); then
        skip "$command: folders of other users" 'only root can give a file away'
        return
    fi
    fresh && chown $other "$folder"
    refused 'a folder of somebody else' "$folder belongs to another user (number $other)"
    fresh && chown $other "$folder/$file"
    refused 'a file of somebody else' "$folder/$file belongs to another user (number $other)"
    fresh && chgrp $other "$folder" && chmod g+w "$folder"
    refused 'a folder that a group can write' "$folder can be written by a group (number $other)"
    chgrp 0 "$folder"
    started "a folder of the user's own group"
}

command=(match) more=(-rounds 2) file=config engine=$SCRATCH/player whole=$SCRATCH/match
play=(-engine "cmd=$engine" name=A -engine "cmd=$engine" name=B -each depth=1 -maxmoves 2)
expect 'a match in a folder' 0 '*' "$FALCONER" match "${play[@]}" --resume "$whole"
check_folder
fresh && echo -trust-folder >>"$folder/config" && chmod o+w "$folder"
refused 'a folder that says itself that it is trusted' 'can be written by everybody'
fresh && chmod o+w "$folder"
started 'engines that the command line names' "${play[@]}"

command=(coevolve) more=() file=config.ini engine=$SCRATCH/tunable whole=$SCRATCH/tune
expect 'options tuned in a folder' 0 '*' "$FALCONER" coevolve --engine "cmd=$engine name=fake depth=1" --tune A:0:100 --games 32 \
    --verdict-games 0 --seats 16 -o "$whole"
check_folder
done_testing
