#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The engine as programs and people see it: dialogues against what they gave before (tests/data/uci,
# UPDATE_GOLDEN=1 writes them anew), what limits and options do, its command line, and its manual.
. tests/e2e/tap.sh || exit 1
. tests/e2e/dialogue.sh

# truth NAME EXPRESSION: an arithmetic one; $raw shows when it is false.
truth() {
    (($2))
    local no=$?
    result "$1" $no
    ((no == 0)) || printf '%s\n' "$2" "$raw" | tail -n 20 | sed 's/^/# /'
}

printf '%s\n' '[Result "1-0"]' '' '1. b3 e5 1-0' >"$SCRATCH/games.pgn"
"$FALCONER" book "$SCRATCH/games.pgn" -o "$SCRATCH/book.bin" --min-games 1 >/dev/null
cp weights/maestro-hand.weights "$SCRATCH/two  blanks.weights"
for file in tests/data/uci/*.in; do
    golden "$file"
done

limits_hold() {
    talk $'go depth 5\n!await bestmove\nquit'
    truth 'go depth searches that deep' "$(of_line depth 1) == 5"
    # A first iteration is always finished, so a limit has some reach.
    talk $'go nodes 3000\n!await bestmove\nucinewgame\ngo nodes 3000\n!await bestmove\ngo nodes 1\n!await bestmove\nquit'
    truth 'go nodes counts' "$(of_line nodes 1) <= 3000 && $(of_line nodes 1) > 300"
    truth 'and again the same after ucinewgame' "$(of_line nodes 1) == $(of_line nodes 2) && $(of_line cp 1) == $(of_line cp 2)"
    truth 'go nodes 1 is soon done' "$(of_line nodes 3) < 1000"
    talk $'go searchmoves a2a3 h2h3 depth 3\n!await bestmove\ngo depth 3 searchmoves g1h3\n!await bestmove\nquit'
    [[ $(best_move 1) == [ah]2[ah]3 && $(best_move 2) == g1h3 ]]
    result 'searchmoves' $?
    # Nodes, not times: on a busy machine there are fewer of them, never more. A move that ignores its time never comes.
    talk $'go movetime 300\n!await bestmove\nquit'
    truth 'go movetime ends' "$(of_line nodes 1) > 0"
    talk $'go wtime 100 btime 100000000\n!await bestmove\nquit'
    truth 'the clock of the side to move' "$(of_line nodes 1) < 2000000"
    talk $'position startpos moves e2e4\ngo wtime 100000000 btime 100\n!await bestmove\nquit'
    truth 'and of the other side' "$(of_line nodes 1) < 2000000"
}

# What is set between games is what is played with.
settings_hold() {
    local queen='position fen 4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1'
    talk $'!args --weights weights/maestro-gecco2008.weights\n'"$queen"$'\ngo depth 1\n!await bestmove\nsetoption name QUEEN_VALUE value 0\nsetoption name QUEEN_MOBILITY value 0\nisready\nucinewgame\n'"$queen"$'\ngo depth 1\n!await bestmove\nsetoption name EvalFile value <empty>\n'"$queen"$'\ngo depth 1\n!await bestmove\nquit'
    truth 'a parameter set between games' "$(of_line cp 1) > 700 && $(of_line cp 2) < 400 && $(of_line cp 3) == $(of_line cp 1)"
    local game=$'ucinewgame\nisready\nposition startpos moves e2e4 c7c5 g1f3\ngo depth 6\n!await bestmove\n'
    talk "$game"$'setoption name EvalFile value weights/maestro-hand.weights\n'"$game"$'setoption name EvalFile value <empty>\n'"$game"quit
    truth 'other weights, other tree' "$(of_line nodes 1) != $(of_line nodes 2)"
    truth 'the old weights, the old tree' "$(of_line nodes 1) == $(of_line nodes 3)"
    local first
    first=$(of_line nodes 2)
    talk $'!args --weights weights/maestro-hand.weights\n'"$game"$'setoption name EvalFile value <empty>\n'"$game"quit
    truth 'EvalFile is --weights' "$(of_line nodes 1) == $first"
    truth 'an empty EvalFile means as started' "$(of_line nodes 2) == $first"
    talk $'!args --tunable --weights weights/vazquez-asoc2013.weights\nuci\n'"$game"$'setoption name EvalFile value weights/maestro-hand.weights\n'"$game"$'setoption name KNIGHT_VALUE value 4001\nsetoption name KNIGHT_VALUE value 399\n'"$game"quit
    grep -q '^option name KNIGHT_VALUE type spin default 2952 min 2000 max 4000$' <<<"$raw"
    result 'weights of another family, in its units' $?
    grep -q '^info string the weights are now of the family maestro' <<<"$raw"
    result 'EvalFile of another family' $?
    truth 'is --weights too' "$(of_line nodes 2) == $first && $(of_line nodes 1) != $first"
    truth 'and its weights are options' "$(of_line nodes 2) != $(of_line nodes 3)"
    talk "$game"$'setoption name Profile value papers\n'"$game"$'setoption name Profile value plain\n'"$game"$'setoption name Profile value modern\n'"$game"quit
    truth 'profiles differ' "$(of_line nodes 1) != $(of_line nodes 2) && $(of_line nodes 2) != $(of_line nodes 3) && $(of_line nodes 1) != $(of_line nodes 3)"
    truth 'and come back' "$(of_line nodes 1) == $(of_line nodes 4)"
    talk "$game"$'setoption name NullMove value false\n'"$game"$'setoption name Profile value modern\n'"$game"quit
    truth 'a part of the search switched off' "$(of_line nodes 1) != $(of_line nodes 2) && $(of_line nodes 1) == $(of_line nodes 3)"
    talk $'setoption name Hash value 1\nsetoption name Clear Hash\n'"$game"quit
    truth 'the small table' "$(of_line depth 1) == 6"
}

# Below full strength: few nodes, the same every time, and not in analysis.
levels_hold() {
    local game=$'ucinewgame\nposition startpos moves e2e4 c7c5\ngo depth 8\n!await bestmove\n'
    talk "$game"$'setoption name UCI_Elo value 1500\n'"$game"$'setoption name UCI_LimitStrength value true\n'"$game$game"$'setoption name UCI_LimitStrength value false\n'"$game"quit
    truth 'UCI_Elo alone changes nothing' "$(of_line nodes 1) == $(of_line nodes 2)"
    truth 'with UCI_LimitStrength few nodes' "$(of_line nodes 3) < 2000 && $(of_line nodes 3) < $(of_line nodes 1)"
    truth 'the same again' "$(of_line nodes 3) == $(of_line nodes 4) && $(of_line cp 3) == $(of_line cp 4)"
    truth 'and back to full strength' "$(of_line nodes 5) == $(of_line nodes 1)"
    talk $'setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1400\n'"$game"$'setoption name UCI_LimitStrength value false\nsetoption name Skill Level value 0\n'"$game"$'setoption name UCI_AnalyseMode value true\n'"$game"quit
    truth 'Skill Level 0 is the lowest Elo' "$(of_line nodes 1) == $(of_line nodes 2)"
    truth 'analysis is at full strength' "$(of_line nodes 3) > $(of_line nodes 2) && $(of_line depth 3) == 8"
}

# A book beside the weights is theirs.
books_hold() {
    local go=$'position startpos\ngo depth 2\n!await bestmove\n'
    cp weights/maestro-hand.weights "$SCRATCH/own.weights"
    cp "$SCRATCH/book.bin" "$SCRATCH/own.bin"
    talk "!args --weights $SCRATCH/own.weights"$'\nuci\n'"$go"$'setoption name BookFile value <empty>\n'"$go"$'setoption name OwnBook value false\n'"${go}setoption name OwnBook value true"$'\n'"${go}setoption name EvalFile value falcon"$'\n'"${go}quit"
    [[ $raw == *'option name OwnBook type check default true'* && $(grep -c 'book move' <<<"$raw") == 3 && $(best_move 1) == b2b3 && $(best_move 2) == b2b3 && $(best_move 4) == b2b3 ]]
    result 'a book beside the weights is played from' $?
    talk "${go}setoption name EvalFile value $SCRATCH/own.weights"$'\n'"${go}quit"
    [[ $(grep -c 'book move' <<<"$raw") == 1 && $(best_move 2) == b2b3 ]]
    result 'it comes with EvalFile' $?
    talk "!args --weights tal"$'\n'"${go}quit"
    [[ $raw == *'book move'* && $(best_move 1) =~ ^([cde]2[cde]4|g1f3|g2g3)$ ]]
    result 'Tal opens as Tal did' $?
    talk "!args --tunable --weights $SCRATCH/own.weights"$'\nuci\n'"${go}quit"
    [[ $raw != *'book move'* && $raw == *'option name OwnBook type check default false'* ]]
    result 'an engine that is tested has none' $?
}

# Options by all their names, as the engine tells them and as its manual does.
# shellcheck disable=SC2016 # the backquotes are Markdown's
manual_is_complete() {
    talk $'uci\nquit'
    truth 'uci is short' "$(grep -c . <<<"$raw") < 80 && $(grep -c 'PAWN_VALUE' <<<"$raw") == 0"
    EYAS_TUNABLE=1 talk $'uci\nquit'
    truth 'falconer gets the weights' "$(grep -c '^option name PAWN_VALUE_MG ' <<<"$raw") == 1"
    talk $'!args --tunable\nuci\nquit'
    local untyped missing='' name
    untyped=$(grep '^option' <<<"$raw" | grep -vcE '^option name .+ type (spin default -?[0-9]+ min -?[0-9]+ max -?[0-9]+|check default (true|false)|button|string default .+|combo default .+ var .+)$')
    truth 'every option has its type' "$untyped == 0"
    while IFS= read -r name; do
        name=${name%_[ME]G} # of FALCON's terms, in the middlegame and in the endgame
        grep -qF -e "\`$name\`" docs/eyas.md docs/families.md || grep -qx "### $name" docs/families.md || missing+=" $name"
    done < <(sed -n 's/^option name \(.*\) type .*/\1/p' <<<"$raw")
    raw=$missing
    truth 'the manual names every option' "${#missing} == 0"
    # Its table of profiles is what features.def says.
    sed -n -e 's/^PLAIN([A-Z_]*, "\([A-Za-z]*\)", "\(.*\)")$/| `\1` | x | x | x | \2 |/p' \
        -e 's/^FEATURE([A-Z_]*, "\([A-Za-z]*\)", \([01]\), \([01]\), "\(.*\)")$/| `\1` | \2 | 0 | \3 | \4 |/p' \
        src/search/features.def | sed -e 's/| 0 /|   /g' -e 's/| 1 /| x /g' >"$SCRATCH/features"
    grep -E '^\| `[A-Za-z]+` \| [x ] \| [x ] \| [x ] \|' docs/eyas.md | diff - "$SCRATCH/features" >"$SCRATCH/diff"
    result 'the table of profiles is right' $?
    sed 's/^/# /' "$SCRATCH/diff"
}

eyas() { expect "$1" "$2" "$3" timeout 300 "$EYAS" "${@:4}"; }
command_line() {
    eyas 'help' 0 'Usage: eyas*bench*--weights*Example:*eyas bench*' --help
    eyas 'version' 0 'eyas [0-9]*' --version
    eyas 'unknown argument' 2 "*unknown option --wieghts*" --wieghts x
    eyas 'unknown word' 2 "*unknown argument 'bnech'*" bnech
    eyas 'weights without a file' 2 '*--weights needs a value: FILE (see eyas --help)*' --weights
    eyas 'too many words' 2 "*unexpected argument '2'*" bench 1 2
    eyas 'a depth that is none' 2 "*a depth from 1 to *'deep'*" bench deep
    eyas 'a depth of nothing' 2 "*a depth from 1 to *'0'*" bench 0
    eyas 'missing weights' 1 '*eyas: *none.weights: No such file*' --weights "$SCRATCH/none.weights"
    eyas 'bad weights' 1 '*bad.weights:6: QUEEN_VALUE 99999 is out of bounds*' --weights tests/data/uci/bad.weights
    eyas 'bad weights for bench' 1 '*bad.weights:6: *' --weights=tests/data/uci/bad.weights bench
    eyas 'no input at all' 0 '*'
    eyas 'a bundled file that is misspelt' 1 "*did you mean 'tal'?*" --weights tall
}

# The name says whose weights play.
name_is() { # NAME WANTED DIALOGUE
    talk "$3"
    [[ $(sed -n 's/^id name Eyas [^ ]* *//p' <<<"$raw" | tail -n 1) == "$2" ]]
    result "$1" $?
}
names() {
    name_is 'the built-in weights have no name' '' $'uci\nquit'
    name_is 'nor has their file' '' $'!args --weights FALCON\nuci\nquit'
    name_is 'a player by a short name' '(Tal)' $'!args --weights Tal\nuci\nquit'
    name_is 'a file by its name' '(maestro-hand)' $'!args --weights weights/maestro-hand.weights\nuci\nquit'
    name_is 'EvalFile changes it' '(Karpov)' $'setoption name EvalFile value karpov\nuci\nquit'
    name_is 'and back' '(Tal)' $'!args --weights tal\nsetoption name EvalFile value karpov\nsetoption name EvalFile value <empty>\nuci\nquit'
}

bench() {
    local first
    eyas 'bench' 0 '[0-9]* nodes [0-9]* nps*' bench 5
    first=${out%% *}
    eyas 'bench again, the same count' 0 "$first nodes *" bench 5
    eyas 'bench with other weights' 0 '*' --weights weights/maestro-hand.weights bench 5
    [[ $out != "$first nodes "* ]]
    result 'another count' $?
    # ./check --all has just built it; what is there otherwise may be old.
    if is_watched && [[ -x build/eyas ]]; then
        expect 'the same count in the release build' 0 "$first nodes *" build/eyas bench 5
    elif is_watched; then
        skip 'the same count in the release build' 'build/eyas is not there'
    fi
}

limits_hold
settings_hold
levels_hold
books_hold
manual_is_complete
command_line
names
bench
done_testing
