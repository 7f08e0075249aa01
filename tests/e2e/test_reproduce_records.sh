#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Records of steps: a small paper in the place of GECCO 2008 leaves them, and goes on from them elsewhere, with the same page;
# what does not belong to what is there is run again. A folder that was moved goes on, too.
. tests/e2e/tap.sh || exit 1
mkdir -p "$SCRATCH/data/experiments" "$SCRATCH/work"
FALCONER=$(realpath "$FALCONER") root=$PWD
export FALCONER_DATA=$SCRATCH/data
head -n 40 data/mentor-train.epd >"$SCRATCH/data/some.epd"
head -n 4 data/tactics.epd >"$SCRATCH/data/few.epd"
mkdir "$SCRATCH/data/data" && mv "$SCRATCH/data/"*.epd "$SCRATCH/data/data/"
cat >"$SCRATCH/data/experiments/gecco2008.paper" <<'EOF'
let title = "A small paper"
let citation = "Nobody"
let nodes = 100
let seconds = 1
define plan
    step labels 1 label some.epd --static falcon.weights -o {folder}/labels.epd
    run learned 1 evolve play --data {folder}/labels.epd --test '' --no-optimum --population 10 --generations 3
    run games 4 stages=2 coevolve cec2001 --population 4 --generations 2 --play-depth 1 --verdict-games 2
    match pairs {seconds} 2 -engine name=A weights={folder}/learned/best.weights -engine name=B weights=maestro-hand.weights \
        -engine name=C weights={folder}/games/best.weights -tournament round-robin -each nodes={nodes}
    step rating 1 rate --jsonl {folder}/pairs/games.pgn -o {folder}/rating.jsonl
    suite tactics 1 few.epd --engine "name=A weights={folder}/learned/best.weights nodes=100" --jsonl {folder}/tactics.jsonl
end
define page
    claim one | two | {meeting("pairs", "A", "")} | {verdict("games", 1)}
    matches All
    for player in players("pairs")
        row {player} – all | {meeting("pairs", player, "")} |
    end
    details more
        table Solved | who | solved:0 | low:1 | high:1 | rating:1
        row A | {solved("tactics", "A")} of {asked("tactics", "A")} | {solved_low("tactics", "A")} \
            | {solved_high("tactics", "A")} | {result("rating", "name", "A", "elo")}
    end
end
EOF
paper=$SCRATCH/data/experiments/gecco2008.paper
reproduce() { # NAME RC PATTERN FOLDER OPTION...
    cd "$SCRATCH/work" || exit 1
    expect "$1" "$2" "$3" "$FALCONER" reproduce gecco2008 -o "${@:4}"
    cd "$root" || exit 1
}
shown() { sed '/How this was made/,$d' "$SCRATCH/work/$1/gecco2008.md"; }

reproduce 'all steps are run' 0 '*6/7*rating*7/7*tactics*' first --records ../kept
kept=$SCRATCH/kept/gecco2008-quick
[[ $(cd "$kept" && echo ./*) == './pairs.record.zst ./rating.record.zst ./tactics.record.zst' ]]
result 'what takes a while or cannot be had again is kept' $?
(($(cat "$kept"/* | wc -c) < 8000)) && ! zstdcat "$kept"/* | grep -aq "$SCRATCH"
result 'in a few bytes, without the place where it was made' $?

# A clone elsewhere has the records where experiments are.
mkdir "$SCRATCH/data/experiments/records" && cp -R "$kept" "$SCRATCH/data/experiments/records/"
reproduce 'a dry run tells what is recorded' 0 '*labels *falconer label*recorded *pairs*recorded *tactics*' second --dry-run
reproduce 'records take the place of steps' 0 '*learned *about*pairs *from the record of commit*rating *from the record*' second
[[ ! -e $SCRATCH/work/second/gecco2008-quick/pairs/games.pgn ]] && diff <(shown first) <(shown second) >&2
result 'and the page is the same' $?
grep -q '3 of 7 steps were not run here' "$SCRATCH/work/second/gecco2008.md"
result 'and says what it rests on' $?
rm "$SCRATCH/data/experiments/records/gecco2008-quick/rating.record.zst"
reproduce 'a match is played again for what reads its games' 0 '*pairs *from the record*rating *needs the games of pairs: about*tactics*' games
diff <(shown first) <(shown games) >&2
result 'with the same page again' $?
cp "$kept/rating.record.zst" "$SCRATCH/data/experiments/records/gecco2008-quick/"
reproduce 'what was restored is done' 0 '*pairs *already done*' second
reproduce 'all is run when asked for' 0 '*pairs *about*' third --fresh
diff <(shown first) <(shown third) >&2
result 'with the same page' $?
reproduce 'records of another seed are not used' 0 '*pairs *not used: it is of another seed*' seed --seed 2

# What was killed goes on in another place.
cd "$SCRATCH/work" || exit 1
for ((tries = 0; tries < TRIES; tries++)); do
    rm -rf killed moved
    "$FALCONER" reproduce gecco2008 --fresh -o killed >"$SCRATCH/said" 2>&1 &
    process=$!
    soon grep -qs 'games-1' killed/gecco2008-quick/steps.jsonl
    kill -9 $process 2>/dev/null
    wait $process 2>/dev/null
    grep -q '"step":"tactics"' killed/gecco2008-quick/steps.jsonl || break
done
mkdir moved && mv killed moved/here
cd "$root" || exit 1
reproduce 'what was killed and moved goes on' 0 '*learned *already done*pairs *about*' moved/here --fresh
diff <(shown first) <(shown moved/here) >&2
result 'to the same page' $?

sed 's/--generations 3/--generations 4/' "$paper" >"$SCRATCH/other" && cp "$paper" "$SCRATCH/paper" && cp "$SCRATCH/other" "$paper"
reproduce 'other weights need other games' 0 '*pairs *not used: it was made with another ./learned/best.weights*about*' fourth
sed 's/let nodes = 100/let nodes = 1/' "$SCRATCH/paper" >"$paper"
reproduce 'so does another command' 0 '*pairs *not used: it was made by another command*about*rating *not used: *' fifth
sed 's/let seconds = 1/let seconds = 7200/' "$SCRATCH/paper" >"$paper"
reproduce 'a step that does not fit into the time is not begun' 0 \
    '*pairs *about 7200 s: not begun*gecco2008: 3 of 7 steps are left, about 2.0 h*the same command goes on*' sixth --fresh --for 60
[[ ! -e $SCRATCH/work/sixth/gecco2008.md ]]
result 'and there is no page' $?
cp "$SCRATCH/paper" "$paper"
record=$SCRATCH/data/experiments/records/gecco2008-quick/pairs.record.zst
zstdcat "$record" | sed 's/"wins":/&1/' | zstd -q >"$SCRATCH/bad" && cp "$SCRATCH/bad" "$record"
reproduce 'a record that was changed is not used' 1 '*pairs.record.zst: pairs/meetings.jsonl is damaged*' seventh
done_testing
