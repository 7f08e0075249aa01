#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What falconer evolve tells of its runs: the summary on the terminal, the whole report in files.
. tests/e2e/tap.sh || exit 1
# Scores that no weights explain, so that runs differ.
awk '{ print $1, $2, $3, $4, "ce", NR * 37 % 201 - 100 ";" }' tests/data/openings.epd >"$SCRATCH/set.epd"
{ cat "$SCRATCH/set.epd"; echo; } | sed '$d' | tac >"$SCRATCH/test.epd" # the same, in another order: files of equal content are refused
# evolve DIRECTORY [OPTION]...
evolve() {
    run "$FALCONER" evolve gpem2010 --data "$SCRATCH/set.epd" --test "$SCRATCH/test.epd" --sample 20 --population 40 \
        --generations 15 -o "$SCRATCH/$1" "${@:2}"
    ((rc == 0)) || echo "# $err"
}

evolve one
one=$out
text=$(<"$SCRATCH/one/report.txt")
[[ $one == *'Training error: '*'Test error: '*'Certified optimum: '*'PAWN_VALUE '*"Written to $SCRATCH/one"* ]]
result 'the terminal gets errors, curve and values' $?
[[ $one != *'standard error'* && $one != *'mutation-rate'* ]]
result 'and no more' $?
[[ $text == *'PAWN_VALUE '*'What the positions can tell'*'standard error'*'falconer evolve gpem2010'*'mutation-rate = '* ]]
result 'the report tells what the data can tell, then the settings' $?
sed '/^How far each/,$d' "$SCRATCH/one/report.txt" | awk 'length > 100 { exit 1 }'
result 'no line is too long to read' $?
! grep -q 'class="band"' "$SCRATCH/one/report.html"
result 'one run has no band' $?
html=$(<"$SCRATCH/one/report.html")
[[ $html == *'<title>Evolution from a mentor</title>'*'<p class="byline">Made by Falconer '*' on 14 November 2023 (UTC)</p>'* && $text != *'2023'* ]]
result 'the page has a title, a version and a date, which the text has not' $?
[[ $html == *'"Bar chart: '*'PAWN_VALUE, evolved: '*'PAWN_VALUE, optimum: '*' to '*')</title>'*'PAWN_VALUE, GECCO 2008: '* ]]
result 'bars of evolved, optimal and published values' $?
[[ $html == *'aria-label="Heat map: Genes by generation"'*'Line chart: Diversity by generation'* ]]
result 'a map of the genes, and diversity' $?
(($(grep -c 'class="board"' <<<"$html") == 6 && $(grep -c ' to move. Mentor .* cp apart\.' <<<"$html") == 6))
result 'the positions with the greatest error' $?
far=$(sed -n 's/.*: \([0-9]*\) cp apart\..*/\1/p' <<<"$html")
[[ $far == "$(sort -rn <<<"$far")" && ${far%%$'\n'*} -gt 0 ]]
result 'the worst first' $?
(($(sed 's/<style>/\n&/; s/[^<]*<\/style>//' <<<"$html" | grep -c 'href=\|src=\|<script') == 0))
result 'and nothing that is not in it' $?

[[ $(<"$SCRATCH/one/results.jsonl") =~ ^'{"run":1,"training":'([0-9.]+)',"test":'([0-9.]+)',"optimum":'([0-9.]+)',"positions":'[0-9]+',"test_positions":'[0-9]+',"paper":'[0-9.]+'}'$ &&
    $one == *"Training error: ${BASH_REMATCH[1]} cp"*"Test error: ${BASH_REMATCH[2]} cp"*"Certified optimum: ${BASH_REMATCH[3]} cp"* ]]
result 'the same figures are there for machines' $?
"$FALCONER" optimum --data "$SCRATCH/set.epd" --jsonl "$SCRATCH/optimum.jsonl" >"$SCRATCH/optimum.txt"
[[ $(<"$SCRATCH/optimum.jsonl") =~ '"error":'([0-9.]+)',"bound":'([0-9.]+)',"whole_error":'([0-9.]+)'}'$ &&
    $(<"$SCRATCH/optimum.txt") == *"weights: ${BASH_REMATCH[1]} "*"bound: ${BASH_REMATCH[2]} "*"found: ${BASH_REMATCH[3]} "* ]]
result 'and those of the optimum alone' $?

evolve five --runs 5
[[ $(head -n 2 "$SCRATCH/one/optimum.csv") == 'parameter,value,standard_error'$'\n''PAWN_VALUE,'*,* && $(wc -l <"$SCRATCH/one/optimum.csv") == 36 ]]
result 'the values of the optimum' $?
(($(grep -c '^{"run":[1-5],"training":' "$SCRATCH/five/results.jsonl") == 5))
result 'a line for machines for each run' $?
[[ $out == *'Independent runs'* ]] && ! grep -q '^5  *[0-9]' <<<"$out"
result 'the terminal gets the statistics of several runs' $?
text=$(<"$SCRATCH/five/report.txt")
(($(grep -c '^[1-5]  *[0-9]' <<<"$text") == 5))
result 'the report has a row for each' $?
grep -q 'class="band"' "$SCRATCH/five/report.html"
result 'several runs have a band' $?
[[ $(<"$SCRATCH/five/report.html") == *'PAWN_VALUE, evolved, median run: '*'class="range"'* ]] && ! grep -q 'PAWN_VALUE, evolved: [^<]* to ' "$SCRATCH/one/report.html"
result 'and error bars, which one has not' $?
sed -n '/^Values of the median/,/^How the genes/p' <<<"$text" | awk '/^[A-Z]+_[A-Z0-9_]+ / {
    rows++
    if ($2 + 0 < $3 + 0 || $2 + 0 > $4 + 0) bad++
} END { exit rows != 35 || bad > 0 }'
result 'each value is between the lowest and the highest of all runs' $?
# The median row is one of the runs, with as many below it as above.
awk '/^Independent runs/ { on = 1; next } on && /^[1-5] / { error[++n] = $6 } on && /^median / { median = $6 }
    END { for (i in error) { below += error[i] < median; above += error[i] > median }
        exit n != 5 || below > 2 || above > 2 }' <<<"$text"
result 'the median is in the middle' $?
# runs.csv: run, rank, start_best, start_mean, end_best, end_mean, training, test, test_mean, above_optimum.
csv=$SCRATCH/five/runs.csv
awk -F, 'NR > 1 { rows++; ranks += 2 ^ $2; bad += $3 > $4 || $5 > $6 || $5 >= $3 || $9 < 1 }
    END { exit rows != 5 || ranks != 62 || bad > 0 }' "$csv"
result 'runs.csv has a row and a rank for each, and the best is no worse than the mean' $?
median=$(awk -F, '$2 == 3 { print $1 }' "$csv")
[[ $text == *"The median run is in run-0$median,"* && -s $SCRATCH/five/run-0$median/population.csv ]]
result 'the report names the folder of the median run' $?
sort -t, -k7g "$csv" | awk -F, '$1 ~ /[0-9]/ && $2 != ++n { exit 1 }'
result 'ranks are those of the training error' $?
[[ $out == *seconds* && $text != *seconds* ]]
result 'times are shown, and not in files that equal runs have in common' $?

run "$FALCONER" evolve gecco2009 --data data/grandmasters-test.epd --positions 500 --test '' --population 4 --generations 1 \
    --max-memory 4096 -o "$SCRATCH/moves"
[[ $out == 'Evolution from moves'*'Training match: '*' %'* && $out != *centipawns* && $out != *' cp '* ]]
result 'moves are told as moves' $?

evolve bare --no-optimum --test ''
[[ $out == *'Training error: '* && $out != *'Test error'* && $out != *'optimum'* ]]
result 'what was not computed is not shown' $?
done_testing
