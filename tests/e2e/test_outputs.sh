#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What commands write: never over what they read, never two things into one file, and what cannot be written is said before
# any work.
. tests/e2e/tap.sh || exit 1
fake=$(dirname "$FALCONER")/fake_engine
[[ -x $fake ]] || fake=build/obj/release-native/fake_engine
falconer=$(realpath "$FALCONER")
export XDG_CACHE_HOME=$SCRATCH/cache-home
mkdir "$SCRATCH/work" "$SCRATCH/work/folder"
cp "$fake" "$SCRATCH/fake_engine"
fake=$SCRATCH/fake_engine
cp fuzz/corpus/pgn/opera "$SCRATCH/work/games.pgn"
cp tests/data/openings.epd "$SCRATCH/work/positions.epd"
cp weights/maestro-hand.weights "$SCRATCH/work/hand.weights"
cd "$SCRATCH/work" || exit 1
tried() { expect "$1" "$2" "$3" "$falconer" "${@:4}"; } # NAME RC PATTERN WORDS...
# What there is, with contents and links.
state() { find . -printf '%p %y %l %i\n' | sort; find . -type f -exec cksum {} + | sort; }
before=$(state)
untouched() { [[ $(state) == "$before" ]]; result "$1: nothing is left or changed" $?; }

# Every command that writes: COMMAND;WORDS THAT NAME AN INPUT;FILES IT WRITES;FOLDERS IT WRITES;FILES IT READS
table='book;games.pgn;--output;;
clone;games.pgn;;--output;--start --ratings
compare;games.pgn games.pgn;--output;;
coevolve --engine cmd=none;--tune-file games.pgn;;--output --resume;--openings --suite --tune-file
coevolve;games.pgn;;--output --resume;
evolve;games.pgn;;--output --resume;
explain;--weights games.pgn;;;--weights
label;games.pgn;--output --cache;;--static
optimum;--data games.pgn;--output --jsonl;;--data
perft;--epd games.pgn;;;--epd
rate;games.pgn;--output;;
recognize;games.pgn;--write-calibration;;--calibration --players
reproduce;;;--output --records;
sample;games.pgn;--output --unmatched;;--avoid --ratings
score;--data games.pgn;--jsonl;;--data --train --weights
serve;;;;--engines
suite;games.pgn;--jsonl;;
tune;games.pgn;--output --log;;--start --validation
weights mean;games.pgn;--output;;
weights migrate;games.pgn;--output;;
weights median;;--output;;
weights page;games.pgn;--output;;
weights random;;--output;;
weights vary;games.pgn;--output;;'
while IFS=';' read -r command input files folders reads; do
    read -ra words <<<"$command $input"
    read -ra outputs <<<"$files $folders"
    # The table is whole: every path in the help is in it.
    read -ra of_help <<<"${command/cmd=none/}"
    known=$(tr ' ' '\n' <<<"$files $folders $reads" | sed '/^$/d' | sort)
    told=$("$falconer" "${of_help[@]}" --help | sed -n '/^Options:/,$p' | grep -oE -- '--[a-z-]+ (FILE|DIR|WEIGHTS)' | cut -d' ' -f1 | sort)
    [[ $known == "$told" ]]
    result "$command: all of its paths are tried" $?
    for option in "${outputs[@]}"; do
        if [[ -n $input ]]; then
            tried "$command $option: an input" 2 "*$option ./games.pgn is the same file as the input games.pgn*" \
                "${words[@]}" "$option" ./games.pgn
        fi
        tried "$command $option: a place where nothing can be made" 1 "*$option /proc/x cannot be written*" \
            "${words[@]}" "$option" /proc/x
        tried "$command $option: no name" 1 "*$option  cannot be written*needs a name*" "${words[@]}" "$option" ''
        for other in "${outputs[@]}"; do
            [[ $other != "$option" ]] || continue
            tried "$command $option and $other" 2 "*new is the same file as --*new: give each a name of its own*" \
                "${words[@]}" "$option" folder/../new "$other" new
        done
    done
    for option in $files; do
        tried "$command $option: no such folder" 1 "*$option no/x cannot be written: make the folder */no first*" \
            "${words[@]}" "$option" no/x
        tried "$command $option: a folder" 1 "*$option folder cannot be written: it is a folder, not a file*" \
            "${words[@]}" "$option" folder
    done
    for option in $folders; do
        tried "$command $option: a file" 1 "*$option hand.weights cannot be written: it is a file, not a folder*" \
            "${words[@]}" "$option" hand.weights
        tried "$command $option: below a file" 1 "*$option hand.weights/x cannot be written: */hand.weights is a file*" \
            "${words[@]}" "$option" hand.weights/x
    done
    untouched "$command"
done <<<"$table"
# A subcommand that is in neither list has to be added to one of them.
listed=$(cut -d' ' -f1 <<<"${table//;/ }" | sort -u; printf '%s\n' doctor match)
[[ $(sort -u <<<"$listed") == "$("$falconer" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v '^falconer' | sort)" ]]
result 'every subcommand is in the table' $?
cd - >/dev/null || exit 1
! grep -nE '"(FILE|DIR|WEIGHTS)", ARG_STRING' tools/*.c tools/*.h
result 'every path in a table of options is known as one' $?
cd "$SCRATCH/work" || exit 1

# The same file by other names.
ln -s games.pgn link.pgn
ln games.pgn hard.pgn
mkdir -p "$SCRATCH/data/data"
cp positions.epd "$SCRATCH/data/data/bundled.epd"
before=$(state)
for name in link.pgn hard.pgn folder/../games.pgn "$PWD/games.pgn"; do
    tried "sample: $name" 2 '*is the same file as the input*' sample games.pgn -o "$name"
done
run "$falconer" sample games.pgn -o /dev/fd/3 3<>games.pgn
[[ $rc == 2 && $err == *'same file as the input'* ]]
result 'sample: /dev/fd/3' $?
# shellcheck disable=SC2094 # that is the point
"$falconer" book - -o games.pgn --min-games 1 <games.pgn >/dev/null 2>&1
(($? == 2))
result 'book: standard input' $?
tried 'label --static: its input' 2 '*same file*' label positions.epd --static hand.weights -o positions.epd
tried 'label --static: its weights' 2 '*same file*' label positions.epd --static hand.weights -o hand.weights
tried 'label: its input' 2 '*same file*' label positions.epd --mentor "cmd=$fake depth=1" -o positions.epd
tried 'label: its input as the cache' 2 '*same file*' \
    label positions.epd --mentor "cmd=$fake depth=1" -o new.epd --cache positions.epd
tried 'label: the cache that nobody named' 2 '*the cache * is the same file as --output*' \
    label positions.epd --mentor "cmd=$fake depth=1" -o "$XDG_CACHE_HOME/falconer/labels.sqlite"
tried 'label: the engine' 2 '*same file as the input*fake_engine*' label positions.epd --mentor "cmd=$fake depth=1" -o "$fake"
tried 'label: a file that an option names' 2 '*same file as the input ./hand.weights*' \
    label positions.epd --mentor "cmd=$fake dir=. option.EvalFile=hand.weights depth=1" -o hand.weights
tried "label: the engine's messages" 2 '*--output new is the same file as stderr= new*' \
    label positions.epd --mentor "cmd=$fake depth=1 stderr=new" -o new
FALCONER_DATA=$SCRATCH/data tried 'label: a file that comes with the program' 2 '*same file as the input *bundled.epd*' \
    label bundled.epd --static hand.weights -o "$SCRATCH/data/data/bundled.epd"
cp games.pgn g-a.pgn
before=$(state)
tried 'sample --split: names made of it' 2 '*--split g-a.pgn is the same file as the input *g-a.pgn*' \
    sample games.pgn --avoid folder/../g-a.pgn --split a=1,b=1 -o g.pgn
tried 'sample --split: with --unmatched' 2 '*--split g-b.pgn is the same file as --unmatched*' \
    sample games.pgn --min-elo 1 --unmatched g-b.pgn --split a=1,b=1 -o g.pgn
tried 'tune: what it starts from' 2 '*same file as the input*' tune positions.epd --start hand.weights -o hand.weights
cp positions.epd folder/training.epd
mkdir runs runs/run-01
echo 'run,rank,test' >runs/runs.csv
cp hand.weights runs/run-01/best.weights
cp games.pgn folder/config
before=$(state)
tried 'clone: a file of its folder' 2 '*--output folder/training.epd is the same file as the input*' \
    clone folder/training.epd --player X -o folder
tried 'weights median: what it reads' 2 '*--output runs/./runs.csv is the same file as the input runs/runs.csv*' \
    weights median runs -o runs/./runs.csv
tried 'weights median: weights of a run' 2 '*same file as the input runs/run-01/best.weights*' \
    weights median runs -o runs/run-01/best.weights
untouched 'other names'

# The cutechess way of saying it.
match=(match -engine weights=falcon.weights name=a -engine weights=hand.weights name=b -rounds 1 -each nodes=10)
tried 'match: -pgnout over the openings' 2 '*-pgnout games.pgn is the same file as the input *' \
    "${match[@]}" -openings file=games.pgn -pgnout games.pgn
tried 'match: -jsonl over weights' 2 '*same file as the input hand.weights*' "${match[@]}" -jsonl hand.weights
tried 'match: -pgnout and -jsonl' 2 '*-jsonl x is the same file as -pgnout x*' "${match[@]}" -pgnout x -jsonl x
tried 'match: -epdout and -pgnout' 2 '*-epdout x is the same file as -pgnout x*' "${match[@]}" -pgnout file=x -epdout x
tried 'match: stderr= and -pgnout' 2 '*stderr= x is the same file as -pgnout x*' "${match[@]}" stderr=x -pgnout x
tried 'match: no such folder' 1 '*-pgnout no/x cannot be written: make the folder*' "${match[@]}" -pgnout no/x
tried 'match: a folder that is a file' 1 '*--resume positions.epd cannot be written: it is a file*' "${match[@]}" --resume positions.epd
tried 'match: openings in its folder' 2 '*--resume folder/config is the same file as the input folder/config*' \
    "${match[@]}" -openings file=folder/config format=pgn --resume folder
tried 'match: messages into its games' 2 '*stderr= t/games.pgn is the same file as --resume t/games.pgn*' \
    match -engine weights=falcon.weights stderr=t/games.pgn name=a -engine weights=hand.weights name=b -each nodes=10 --resume t
untouched 'match'

# What may be written.
run "$falconer" sample games.pgn -o /dev/stdout
[[ $rc == 0 && $out == *'; sm '* ]]
result 'standard output' $?
tried 'a device, twice' 0 '*' sample games.pgn --min-elo 1 --unmatched /dev/null -o /dev/null
mkfifo pipe
cat pipe >from-pipe &
tried 'a pipe' 0 '*' sample games.pgn -o pipe
wait $!
"$falconer" sample games.pgn -o plain.epd 2>/dev/null
cmp -s plain.epd from-pipe
result 'all of it went through the pipe' $?
tried 'a file that is there is replaced' 0 '*' sample games.pgn -o plain.epd
tried 'engines may share a log' 0 '*' match -engine "cmd=$fake" stderr=log name=a -engine "cmd=$fake" stderr=log name=b \
    -each depth=1 -rounds 1 -maxmoves 2
tried 'a log in a folder that is made' 0 '*' match -engine "cmd=$fake" stderr=t/log name=a -engine "cmd=$fake" name=b \
    -each depth=1 -rounds 1 -maxmoves 2 --resume t
mkdir gecco2008
tried 'names are no files' 0 '*steps*' reproduce gecco2008 -o gecco2008 --dry-run
cd "$OLDPWD" || exit 1
done_testing
