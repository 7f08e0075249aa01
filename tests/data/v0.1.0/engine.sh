#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An engine that never changes: labels in the cache are known by the program's bytes.
while read -r word rest; do
    case $word in
    uci) printf 'id name Constant\nuciok\n' ;;
    isready) echo readyok ;;
    position) [[ $rest == *' b '* ]] && move=h7h6 || move=h2h3 ;;
    go) printf 'info depth 1 nodes 1 score cp 17 pv %s\nbestmove %s\n' "$move" "$move" ;;
    quit) exit ;;
    esac
done
