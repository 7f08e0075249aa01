// SPDX-License-Identifier: GPL-3.0-or-later
// What the addresses under /api/ answer, as JSON.
#pragma once

#include "serve/server.h"

ServerAnswer answer_session; // the token, for pages that have the cookie
ServerAnswer answer_events;  // news, as they come
ServerAnswer answer_home;    // everything there is

ServerAnswer answer_run;           // its generations
ServerAnswer answer_genes;         // as a picture needs them
ServerAnswer answer_population;    // organisms of a generation that was kept
ServerAnswer answer_lineage;       // of the best
ServerAnswer answer_organism;      // the best of a generation, or another that was kept
ServerAnswer answer_organism_file; // the same as a weights file
ServerAnswer answer_reference;     // what organisms are put beside
ServerAnswer answer_error;         // where the error of one lies

ServerAnswer answer_match; // its table
ServerAnswer answer_live;  // the games that go on
ServerAnswer answer_games; // a list of its games
ServerAnswer answer_game;  // one of them, move by move

ServerAnswer answer_weights;  // whom one can play against
ServerAnswer answer_position; // of a game: its legal moves
ServerAnswer answer_move;     // the engine's
ServerAnswer answer_leave;    // a page has gone, and with it its engines
ServerAnswer answer_explain;  // the score term by term
ServerAnswer answer_pgn;      // a game as text

ServerAnswer answer_tuning; // its values and tests so far

ServerAnswer answer_players;   // models of players
ServerAnswer answer_clone;     // the figures of one that was made here
ServerAnswer answer_recognize; // who played a game

ServerAnswer answer_report; // a page that a command wrote
ServerAnswer answer_papers; // a list of reproduced papers
ServerAnswer answer_paper;  // one that comes with the program

ServerAnswer answer_suite;   // who solved what
ServerAnswer answer_diagram; // a position as a drawing

ServerAnswer answer_presets; // that can be started
ServerAnswer answer_form;    // the settings of one, checked
ServerAnswer answer_started; // runs that pages started
ServerAnswer answer_start;   // another one
ServerAnswer answer_stop;    // one of them
ServerAnswer answer_resume;  // likewise

// The item that an address names, or NULL with a reply. To be called with the catalog's lock held.
CatalogItem *answer_find(Server *server, const HttpRequest *request, ItemKind kind,
                         HttpReply *reply);
// Where the run that an address names is and how far it has come, copied: a large file is read
// without the lock. False with a reply.
bool answer_find_run(Server *server, const HttpRequest *request, HttpReply *reply, Str *path,
                     uint32_t *last);
// A whole number that an address says; 0 where it says none.
uint32_t answer_number(const HttpRequest *request, const char *key);
// Appends the keys that every item has.
void answer_add_item(const CatalogItem *item, Str *out);
