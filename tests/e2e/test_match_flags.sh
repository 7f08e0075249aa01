#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer match with what users of fastchess and cutechess type: done, or accepted with a line that says why not.
. tests/e2e/tap.sh || exit 1
fake=$(dirname "$FALCONER")/fake_engine
[[ -x $fake ]] || fake=build/obj/release-native/fake_engine
fake=$(realpath "$fake")
match() { expect "$1" "$2" "$3" "$FALCONER" match "${@:4}"; }
two=(-engine "cmd=$fake" name=A -engine "cmd=$fake" name=B -each depth=1)
openings=(-openings file=tests/data/openings.epd format=epd)
says() { # NAME PATTERN: standard error of the last command
    # shellcheck disable=SC2053 # a glob is meant
    [[ $err == $2 ]]
    result "$1" $?
}

# --- games in files ---
match 'fastchess: -pgnout file=' 0 '*Finished game 4*' "${two[@]}" "${openings[@]}" -rounds 2 -pgnout "file=$SCRATCH/s.pgn" -site 'My desk'
[[ -e $SCRATCH/s.pgn ]] && ! compgen -G 'file=*' >/dev/null && grep -qx '\[Site "My desk"\]' "$SCRATCH/s.pgn"
result 'has that name, and the site' $?
says 'and nothing to explain' ''
for notation in san lan uci; do
    match "notation=$notation" 0 '*' "${two[@]}" "${openings[@]}" -rounds 2 -pgnout "file=$SCRATCH/$notation.pgn" notation=$notation min=true
    expect 'is read again' '[01]' '*4 found, 0 cut, 0 skipped*' "$FALCONER" doctor "$SCRATCH/$notation.pgn"
done
moves() { tr '\n' ' ' <"$1" | sed 's/\[[^]]*\]//g' | grep -oE '[A-Za-z][-A-Za-z0-9=+#]+' | tr '\n' ' '; }
[[ $(moves "$SCRATCH/uci.pgn") =~ ^([a-h][1-8][a-h][1-8][nbrq]?\ )+$ ]]
result 'uci is from and to' $?
[[ $(moves "$SCRATCH/lan.pgn") =~ ^(([NBRQK]?[a-h][1-8]x?[a-h][1-8](=[NBRQ])?|O-O|O-O-O)[+#]?\ )+$ ]]
result 'lan is the piece, from and to' $?
"$FALCONER" book "$SCRATCH/san.pgn" -o "$SCRATCH/san.bin" --min-games 1 >/dev/null 2>&1
"$FALCONER" book "$SCRATCH/uci.pgn" -o "$SCRATCH/uci.bin" --min-games 1 >/dev/null 2>&1
"$FALCONER" book "$SCRATCH/lan.pgn" -o "$SCRATCH/lan.bin" --min-games 1 >/dev/null 2>&1
cmp "$SCRATCH/san.bin" "$SCRATCH/uci.bin" && cmp "$SCRATCH/san.bin" "$SCRATCH/lan.bin"
result 'all are the same games' $?
match 'cutechess: -pgnout FILE min fi' 0 '*' "${two[@]}" -pgnout "$SCRATCH/min.pgn" min 'fi'
result 'seven tags and no comments' $(($(grep -c '^\[' "$SCRATCH/min.pgn") == 14 && $(grep -c '[{]' "$SCRATCH/min.pgn") == 0 ? 0 : 1))
match 'what is not written behind moves' 0 '*' "${two[@]}" -pgnout "file=$SCRATCH/n.pgn" nodes=true nps=true seldepth=false
says 'is told, once' 'falconer match: -pgnout: comments have score, depth and time, and nothing else'
match 'append=false' 0 '*' "${two[@]}" -pgnout "file=$SCRATCH/n.pgn" append=false
result 'replaces the file' $(($(grep -c '^\[Event' "$SCRATCH/n.pgn") == 2 ? 0 : 1))
match 'no file' 2 '*-pgnout: file= is missing*' "${two[@]}" -pgnout notation=uci
match 'a slip is no file' 2 "*-pgnout: 'flie=x.pgn': expected file=*" "${two[@]}" -pgnout flie=x.pgn
match 'no such notation' 2 "*'long': expected one of san, lan, uci*" "${two[@]}" -pgnout file=x notation=long
match '-epdout, both ways' 0 '*' "${two[@]}" -maxmoves 5 -epdout "$SCRATCH/e.epd"
match 'the second' 0 '*' "${two[@]}" -maxmoves 5 -epdout "file=$SCRATCH/e.epd"
result 'a position of each game' $(($(grep -c ' [wb] [-KQkq]* [-a-h1-8]* .*fmvn 6;$' "$SCRATCH/e.epd") == 4 ? 0 : 1))
match 'games from there' 0 '*Finished game 2*' "${two[@]}" -maxmoves 2 -openings "file=$SCRATCH/e.epd"
match 'not besides a folder' 2 '*leave out -epdout*' "${two[@]}" -resume "$SCRATCH/r" -epdout x

# --- who plays what ---
match '-noswap' 0 '*(A vs B)*(A vs B)*(A vs B)*(A vs B)*' "${two[@]}" "${openings[@]}" -rounds 2 -noswap -pgnout "$SCRATCH/k.pgn"
[[ $out != *'(B vs A)'* && $out != *Ptnml* ]] && (($(grep '^\[FEN' "$SCRATCH/k.pgn" | sort -u | wc -l) == 4))
result 'keeps colours, and each game has its opening' $?
match 'no SPRT then' 2 '*leave out -noswap*' "${two[@]}" -noswap -sprt elo0=0 elo1=5
match 'no Swiss tournament then' 2 '*-noswap: *' "${two[@]}" -noswap -tournament swiss
match '-reverse' 0 'Started game 1 of 2 (B vs A)*' "${two[@]}" -reverse -maxmoves 2
count_openings() { grep '^\[FEN' "$SCRATCH/$1.pgn" | sort -u | wc -l; }
for policy in default encounter round; do
    match "policy=$policy" 0 '*' "${two[@]}" -engine "cmd=$fake" name=C -games 4 -rounds 2 -maxmoves 2 "${openings[@]}" "policy=$policy" \
        -pgnout "$SCRATCH/$policy.pgn"
done
result 'openings of each policy' $(($(count_openings default) == 12 && $(count_openings encounter) == 6 && $(count_openings round) == 2 ? 0 : 1))
match 'no pairs for an SPRT' 2 '*-sprt needs pairs*' "${two[@]}" "${openings[@]}" policy=round -games 1 -sprt elo0=0 elo1=5
match 'start= and plies=' 0 '*' "${two[@]}" -maxmoves 4 "${openings[@]}" start=2 plies=4
match 'fastchess spells round-robin so' 0 '*' "${two[@]}" -tournament roundrobin -maxmoves 2
match '-variant standard' 0 '*' "${two[@]}" -variant standard -maxmoves 2
match 'no such variant' 2 "*-variant: 'atomic'*fischerandom*" "${two[@]}" -variant atomic
match 'one engine plays a gauntlet' 2 '*-seeds: a gauntlet is played by one engine*' "${two[@]}" -seeds 2

# --- engines ---
: >"$SCRATCH/pids"
export FAKE_ENGINE_PIDS=$SCRATCH/pids
match 'restart=on' 0 '*' -engine "cmd=$fake" 'args=history' name=A -engine "cmd=$fake" name=B -each depth=1 restart=on -rounds 2 -maxmoves 2
starts=$(wc -l <"$SCRATCH/pids")
: >"$SCRATCH/pids"
match 'restart=off' 0 '*' -engine "cmd=$fake" 'args=history' name=A -engine "cmd=$fake" name=B -each depth=1 restart=off proto=uci -rounds 2 -maxmoves 2
result 'is one start for all games' $(($(wc -l <"$SCRATCH/pids") > 0 && starts == 4 * $(wc -l <"$SCRATCH/pids") ? 0 : 1))
unset FAKE_ENGINE_PIDS
match 'restart= is one of three' 2 '*restart=yes: expected on, off or auto*' "${two[@]}" restart=yes
match 'args= are arguments' 0 '*{Black makes an illegal move}*' -engine "cmd=$fake" name=A -engine "cmd=$fake" 'args=illegal 2' name=B \
    -each depth=1 -games 1

# --- what is shown ---
match '-q' 0 $'Score of A vs B: *' "${two[@]}" -rounds 2 -maxmoves 2 -q
match '-scoreinterval' 0 '*Score of A vs B: * 1*Score of A vs B: * 2*Score of A vs B: * 3*' "${two[@]}" -rounds 2 -maxmoves 2 -scoreinterval 1 -ratinginterval 0
result 'and Elo at the end alone' $(($(grep -c '^Elo difference' "$SCRATCH/out") == 1 ? 0 : 1))
match '-ratinginterval' 0 '*' "${two[@]}" -rounds 3 -maxmoves 2 -ratinginterval 2
result 'every two games, and at the end' $(($(grep -c '^Elo difference' "$SCRATCH/out") == 3 ? 0 : 1))
match '-report penta=false' 0 '*' "${two[@]}" -maxmoves 2 -report penta=false
[[ $out != *Ptnml* && $out == *'Elo difference'* ]]
result 'without pairs' $?
match '-output format=fastchess' 0 \
    '*Results of A vs B (1 plies, NULL, NULL, openings.epd):*Elo: * +/- *, nElo: * +/- *LOS: * %, DrawRatio: * %, PairsRatio: *Games: 4, Wins: *, Losses: *, Draws: *, Points: * (* %)*Ptnml(0-2): \[*\], WL/DD Ratio: *-----*' \
    "${two[@]}" "${openings[@]}" -rounds 2 -maxmoves 2 -output format=fastchess
match 'the same without pairs' 0 '*Results of A vs B (1 plies, *Points: 1.0 (50.00 %)*' "${two[@]}" -maxmoves 2 -output format=fastchess -report penta=false
[[ $out != *Ptnml* && $out != *PairsRatio* ]]
result 'are four lines' $?
match 'no such format' 2 "*-output: 'x': expected one of cutechess, fastchess*" "${two[@]}" -output format=x

# --- -wait and -quick ---
before=$(date +%s%N)
match '-wait' 0 '*' "${two[@]}" -rounds 2 -maxmoves 2 -wait 300
result 'three times between four games' $((($(date +%s%N) - before) / 1000000 >= 900 ? 0 : 1))
match '-quick' 0 '*Started game 1 of 2 (fake_engine vs fake_engine (2))*' -quick "cmd=$fake" "cmd=$fake" book=tests/data/openings.epd -rounds 1 \
    -each depth=1 -concurrency 1 -pgnout "$SCRATCH/quick.pgn"
result 'has a clock and openings' $(($(grep -c '^\[TimeControl "10+0.1"\]' "$SCRATCH/quick.pgn") == 2 && $(grep -c '^\[FEN' "$SCRATCH/quick.pgn") == 2 ? 0 : 1))
match 'of two engines' 2 '*-quick: two cmd= are needed*' -quick "cmd=$fake" book=tests/data/openings.epd

# --- what has nothing to do here ---
others=(-log file=x.log level=trace -autosaveinterval 10 -use-affinity '0,1' -tb /tb -tbpieces 5 -tbignore50 -tbadjudicate BOTH
    -force-concurrency -show-latency -crc32 pgn=true -testEnv -debug)
match 'other flags are accepted' 0 '*Finished game 2*' "${two[@]}" -maxmoves 2 "${others[@]}"
result 'with a line for each reason' $(($(grep -c '^falconer match: -' "$SCRATCH/err") == 8 && $(grep -c tablebases "$SCRATCH/err") == 1 ? 0 : 1))
[[ ! -e x.log ]]
result 'and no log' $?
match '-config is no resume' 2 '*-config: files of fastchess are not read; --resume FOLDER*' -config file=config.json
match 'a folder' 0 '*' "${two[@]}" -maxmoves 2 "${openings[@]}" policy=round -reverse -site here -wait 1 -scoreinterval 1 -resume "$SCRATCH/f"
match 'is gone on with' 0 '*Started game 4 of 4*' -resume "$SCRATCH/f" -rounds 2 -log file=x.log
result 'and told once' $(($(grep -c 'no log is written' "$SCRATCH/err") == 1 ? 0 : 1))
match 'its colours stay' 1 "*was begun with '-reverse'*" "${two[@]}" -maxmoves 2 "${openings[@]}" policy=round -site here -resume "$SCRATCH/f"

# --- suggestions ---
match 'a word that is no flag' 2 '*-tc: this is a word of -engine and -each*' "${two[@]}" -tc 1+0.01
match 'one of openings' 2 '*-plies: this is a word of -openings*' "${two[@]}" -plies 8
match 'an option' 2 '*-option.Hash=3: this is a word of -engine*' "${two[@]}" -option.Hash=3
match 'a slip' 2 '*did you mean -scoreinterval?*' "${two[@]}" --scoreintervall 3
match 'a slip of another flag' 2 '*did you mean -autosaveinterval?*' "${two[@]}" -autosaveintervall 3
match 'nothing near' 2 '*-zz: unknown flag (*' "${two[@]}" -zz
done_testing
