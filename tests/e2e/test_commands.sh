#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands that results and messages tell: pasted into a shell they do the same again, whatever files are called.
. tests/e2e/tap.sh || exit 1
fake=$(dirname "$FALCONER")/fake_tunable
[[ -x $fake ]] || fake=build/obj/release-native/fake_tunable
mkdir "$SCRATCH/bin"
printf '#!/bin/bash\nexec %q "$@"\n' "$(realpath "$FALCONER")" >"$SCRATCH/bin/falconer"
chmod +x "$SCRATCH/bin/falconer"
# shellcheck disable=SC2016 # that nothing is expanded is the point
work=$SCRATCH/'It'\''s $(touch touched) "here"; `touch touched` *'
mkdir "$work"
again() { PATH=$SCRATCH/bin:$PATH bash -c "$1" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null; } # COMMAND: pastes it
same() { # NAME FILE FILE
    cmp -s "$2" "$3"
    result "$1" $?
}
command_of() { sed -n 's/^# command: //p' "$1"; } # WEIGHTS

# Files of all kinds of names, and one that looks like an option.
odd=$work/$'line\nfeed \e[2J \xff \u202e !'.epd.zst
zstdcat data/mentor-train.toga2.epd.zst | head -n 300 | zstd -q >"$work/O'Kelly.epd.zst"
cp "$work/O'Kelly.epd.zst" "$odd"
expect 'tune' 0 '*moved most*' "$FALCONER" tune --verdict-games 0 -f maestro -l mentor -r 3 --holdout 0 "$work/O'Kelly.epd.zst" "$odd" -o "$SCRATCH/tuned.weights"
again "$(command_of "$SCRATCH/tuned.weights") -o '$SCRATCH/again.weights'"
same 'its command does the same' "$SCRATCH/tuned.weights" "$SCRATCH/again.weights"
run "$FALCONER" weights show "$SCRATCH/tuned.weights"
again "$(sed -n 's/^command: //p' <<<"$out") -o '$SCRATCH/shown.weights'"
same 'and so does what weights show prints of it' "$SCRATCH/tuned.weights" "$SCRATCH/shown.weights"

cp weights/maestro-hand.weights "$SCRATCH/-o.weights"
cp weights/maestro-hand.weights "$SCRATCH/O'Kelly.weights"
falconer=$(realpath "$FALCONER")
(cd "$SCRATCH" && "$falconer" weights mean -o mean.weights -- -o.weights "O'Kelly.weights") >/dev/null
again "cd '$SCRATCH'; $(command_of "$SCRATCH/mean.weights" | sed 's/weights mean/& -o remade.weights/')"
same 'weights mean, of a file that looks like an option' "$SCRATCH/mean.weights" "$SCRATCH/remade.weights"

evolve=("$FALCONER" evolve play --population 10 --generations 2 --data "$work/O'Kelly.epd.zst" --no-optimum)
expect 'evolve' 0 '*Written to*' "${evolve[@]}" -o "$work/run"
again "$(command_of "$work/run/best.weights") --no-optimum -o '$SCRATCH/run'"
same 'its command does the same' "$work/run/best.weights" "$SCRATCH/run/best.weights"
expect 'a folder that holds a run' 1 '*go on with it*' "${evolve[@]}" -o "$work/run"
again "${FALCONER@Q} evolve --no-optimum $(sed -n 's/.*go on with it (\(--resume .*\)), or name.*/\1/p' <<<"$err")"
result 'the way on that is told works' $?

games=$work/O\'Kelly.pgn.zst
cp tests/data/players.pgn.zst "$games"
expect 'clone' 0 '*Style card*' "$FALCONER" clone --player Pusher --family maestro --skip-plies 0 --min-games 10 --steps 5 \
    "$games" -o "$SCRATCH/clone"
again "$(command_of "$SCRATCH/clone/clone.weights") --min-games 10 -o '$SCRATCH/clone-again'"
same 'its command does the same' "$SCRATCH/clone/clone.weights" "$SCRATCH/clone-again/clone.weights"

# An engine in a folder with a blank: quoted within the words of --engine, and those within the command.
cp "$fake" "$work/O'Kelly engine"
spec="\"cmd=${work//[\"\`\$]/\\&}/O'Kelly engine\" name=fake depth=1"
expect 'coevolve --engine' 0 '*Files:*' "$FALCONER" coevolve --engine "$spec" --tune A:0:100 --games 32 --verdict-games 16 \
    --seats 4 --concurrency 1 -o "$SCRATCH/tuned"
command=$(sed -n 's/^; command: //p' "$SCRATCH/tuned/tuned.ini")
again "${command/ -o */} -o '$SCRATCH/tuned-again'"
result 'its command runs' $?
options() { sed -n '/^\[tune\]/,$p' "$1/tuned.ini"; }
[[ -n $(options "$SCRATCH/tuned") && $(options "$SCRATCH/tuned") == "$(options "$SCRATCH/tuned-again")" ]]
result 'and finds the same options' $?
told=$(sed -n 's/^  "command": "\(.*\)",$/\1/p' "$SCRATCH/tuned/tuned.json" | sed 's/\\\(.\)/\1/g')
[[ -n $told && $told == "$command" ]]
result 'tuned.json tells the same command' $?
again "falconer coevolve --engine $(printf %q "$(sed -n 's/^; engine: //p' "$SCRATCH/tuned/tuned.ini")") --tune A:0:100 --games 32 \
    --verdict-games 16 --seats 4 --concurrency 1 -o '$SCRATCH/tuned-third'"
result 'the words of the engine that are kept describe it' $?

# A tournament that is stopped tells how it goes on.
"${attended[@]}" "$FALCONER" match -engine weights=maestro-hand.weights name=A -engine weights=maestro-hand.weights name=B \
    -each nodes=2000 -rounds 400 --resume "$work/games" >"$SCRATCH/said" 2>&1 &
until grep -q Finished "$SCRATCH/said"; do sleep 0.05; done
kill -INT $!
wait $!
grep -q '^Go on with: falconer match --resume ' "$SCRATCH/said"
result 'a match that is stopped' $?
again "$(sed -n 's/^Go on with: //p' "$SCRATCH/said") -rounds 1"
grep -q '^Going on after' "$SCRATCH/out"
result 'goes on by what was told' $?

# Steps of papers are run in the folder of their results.
expect 'reproduce' 0 '*' "$FALCONER" reproduce gecco2008 --dry-run -o "$work/papers"
grep -o 'weights random .*' <<<"$out" >"$SCRATCH/step"
mkdir -p "$work/papers/gecco2008-quick"
here=$PWD
cd "$work/papers/gecco2008-quick" || exit 1
again "falconer $(head -n 1 "$SCRATCH/step")"
cd "$here" || exit 1
[[ -e $work/papers/gecco2008-quick/randorg.weights ]]
result 'a step of it can be pasted' $?

[[ ! -e touched && ! -e $SCRATCH/touched && ! -e $work/touched ]]
result 'nothing of a name was run' $?
done_testing
