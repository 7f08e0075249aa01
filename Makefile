# SPDX-License-Identifier: GPL-3.0-or-later
# One library of modules and thin programs over it. `make help` lists the targets.
# Sources, subcommands (tools/cmd_NAME.c) and unit tests are found by their names; a new module is its name in
# MODULES, a new fuzzer one word.

VERSION := 0.3.0
ARCH    ?= native
VARIANT ?= release
PREFIX  ?= /usr/local
# An engine for tuners (EXE=) is another program, and so is one of plain C (PLAIN=1, src/base/simd.h): their objects are apart.
O       := build/obj/$(VARIANT)-$(ARCH)$(if $(PLAIN),-plain)$(if $(EXE),-tunable)
# Where what is beside the programs goes.
DATA_TO  = $(DESTDIR)$(PREFIX)/share/falconer
DOC_TO   = $(DESTDIR)$(PREFIX)/share/doc/falconer
DIST     = falconer-$(VERSION)
# The engine for a browser where it is there: built here, or part of an archive by make dist.
WASM_BUILT = $(firstword $(wildcard build/wasm/eyas.wasm wasm/eyas.wasm))
MAN_TO   = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_TO  = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_TO   = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_TO  = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

MODULES   := base dist chess eval search uci board data engines match fitness optimum fit suite players settings run engine_tuning evolve_report \
             compare papers diagram report evolve serve player_page
sources    = $(sort $(wildcard $(1:%=src/%/*.c) $(1:%=src/%/*/*.c)))

# Tests that take seconds where a sanitizer watches, the longest first: ./check runs them without one, ./check --all under it.
SLOW_TESTS := test_search_limits test_runner test_leaves test_clone test_race test_move_scores test_numbers test_remote test_evolve_convergence
FAST_TESTS := $(filter-out $(SLOW_TESTS),$(sort $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))))
TESTS    := $(filter-out $(WITHOUT),$(SLOW_TESTS) $(FAST_TESTS))
# Tests that start threads: these also run under ThreadSanitizer.
THREADED_TESTS := test_workers test_ranks test_parts test_remote test_linear_slope test_fit test_linear_data test_fitness test_leaves test_forest test_forest_gradient test_mentor test_pool test_runner test_search_limits test_error test_tt test_uci_client test_uci_stress test_label test_live_games test_optimum test_sample test_mentor_set test_run test_player_organism test_games test_engine_tune test_player_moves test_likelihood test_mentors test_suite test_suite_fitness test_suspend test_syncer test_tournament test_engine_pool
# Tests of what is compiled differently for different CPUs, or computes with real numbers that must not differ.
CPU_TESTS := test_attacks test_eval test_evolve test_fit test_forest test_forest_gradient test_leaves test_linear_data test_linear_slope test_mentor test_mentor_set test_mentors test_movegen test_optimum test_polyglot test_position test_search test_move_scores
$(foreach t,$(SLOW_TESTS) $(THREADED_TESTS) $(CPU_TESTS),$(if $(wildcard tests/unit/$(t).c),,$(error There is no $(t): mend the lists of tests)))
FAKES    := $(O)/fake_engine $(O)/fake_tunable $(O)/fake_xboard
FUZZERS  := fen epd san pgn polyglot uci preset checkpoint coefficients weights run_folder match_folder \
            evidence plan paper calibration uci_client xboard_client report bytes serve

# The world of ranks is this process alone, or that of MPI=1: one of two files.
MPI_WORLD := src/dist/world_mpi.c
LIB      := $(filter-out $(MPI_WORLD) src/base/packing_none.c,$(call sources,$(MODULES)))
# The engine takes the layers it stands on, and needs no libraries: it reads no packed files.
ENGINE   := $(filter-out src/base/packing_archive.c,$(call sources,base chess eval search uci))
GUARD    := tools/cpu_guard.c tools/cpu_needs.c
# Command lines, with the words of engines in them, and manual pages.
ARGS     := tools/args.c tools/args_list.c tools/args_man.c tools/args_paths.c tools/man.c tools/print.c src/engines/command.c src/engines/spec.c
FALCONER := $(filter-out $(GUARD) tools/eyas.c,$(sort $(wildcard tools/*.c)))
PROGRAMS := falconer eyas

# Wide vectors never cross a library: how they are passed does not matter.
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wno-psabi
# An error only in ./check: other compilers, or ours for another CPU, may warn of what ours does not.
WARNINGS += $(if $(WERROR),-Werror)
# LTO= builds in half the time.
LTO           ?= -flto=auto -ffat-lto-objects
FLAGS_release := -O3 -DNDEBUG $(LTO)
# For ./check: optimised in less time, with assertions.
FLAGS_quick   := -O3
FLAGS_debug   := -Og -g
FLAGS_asan    := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_tsan    := -O1 -g1 -fsanitize=thread
FLAGS_fuzz    := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
ENGINE_LIBS   := -lpthread -lm
LIBS          := -lmicrohttpd -lcjson -lglpk -lsqlite3 -larchive -lz $(ENGINE_LIBS)
ifneq ($(findstring clang,$(CC)),)
# clang finds other things to warn of, and its LTO needs a linker plugin that is often missing.
WARNINGS := -Wall -Wextra -fdouble-square-bracket-attributes
FLAGS_release := -O3 -DNDEBUG
endif

BASELINE := $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),-march=x86-64)
COMPILE  := $(CC) -std=gnu17 $(WARNINGS) -ffp-contract=off -D_GNU_SOURCE -DFALCONER_VERSION='"$(VERSION)"' \
            $(if $(PLAIN),-DFALCONER_PLAIN )$(if $(EXE),-DEYAS_TUNABLE) -Isrc -I. $(FLAGS_$(VARIANT)) $(CFLAGS) -march=$(ARCH)
objects   = $(patsubst %.c,$(O)/%.o,$(1))

.PHONY: all programs static test test-programs threaded-test-programs run-tests run-threaded-tests replay-programs replay-fuzz check-long check-faults \
        fuzz asan tsan debug portable wasm wasm-tools bench bench-objects format man completions install uninstall dist clean help FORCE
.SECONDARY:

ifdef EXE
# What OpenBench calls: the engine alone, as ./$(EXE), which lists its weights as options. Eyas has no network, so EVALFILE
# changes nothing.
all: $(O)/eyas
	cp $< $(EXE)
else
.DEFAULT_GOAL := all
MADE     := $(if $(MPI),$(O)/falconer-mpi,$(O)/falconer) $(O)/eyas
programs: $(MADE) # without touching what is in build/
all: programs ## build build/falconer and build/eyas for this machine (ARCH=x86-64[-v2|-v3]: others; MPI=1: with ranks; PLAIN=1: no vector instructions)
	@$(if $(filter release,$(VARIANT)),for made in $(MADE); do p=$${made##*/} && p=build/$${p%-mpi} && \
	{ cmp -s $$made $$p || { cp $$made $$p.new && mv $$p.new $$p; }; } || exit 1; done,:)
endif

static: $(O)/eyas-static ## build/eyas-static: the engine that needs nothing of the system it runs on
	@mkdir -p build && cp $< build/eyas-static.new && mv build/eyas-static.new build/eyas-static

# Nothing of the system is behind it but what web/eyas.js gives it.
wasm: wasm-tools ## build/wasm/eyas.wasm: the engine for a browser, which falconer weights page puts into pages
	@$(MAKE) --no-print-directory build/wasm/eyas.wasm
wasm-tools:
	@scripts/wasm-needs $(WASM_CC)

test: test-programs run-tests ## build and run the unit tests
test-programs: $(TESTS:%=$(O)/tests/%) $(FAKES)
threaded-test-programs: $(THREADED_TESTS:%=$(O)/tests/%) $(FAKES)
run-tests: test-programs
	@scripts/run-tests $(VARIANT)-$(ARCH) $(TESTS:%=$(O)/tests/%)
run-threaded-tests: threaded-test-programs
	@$(if $(THREADED_TESTS),scripts/run-tests $(VARIANT)-$(ARCH) $(THREADED_TESTS:%=$(O)/tests/%),:)
check-long: all ## the long tests: deep perft, foreign CPUs, threads under stress, faults, some fuzzing, an hour of pages
	scripts/check-long
check-faults: all ## kill commands and fill disks inside system calls (KILLS=1000 FULL=500)
	scripts/check-faults
fuzz: ## fuzz each target for a minute (clang; SECONDS_EACH=60, JOBS=1 at a time)
	$(MAKE) VARIANT=fuzz CC=clang ARCH=x86-64 $(FUZZERS:%=build/obj/fuzz-x86-64/fuzz_%)
	scripts/run-fuzzers $(if $(SECONDS_EACH),-t $(SECONDS_EACH)) $(if $(JOBS),-j $(JOBS)) build/obj/fuzz-x86-64 $(FUZZERS)
replay-programs: $(FUZZERS:%=$(O)/replay_%)
replay-fuzz: replay-programs ## feed the corpus to the fuzz targets
	@scripts/run-tests fuzz-$(VARIANT)-$(ARCH) $(foreach f,$(FUZZERS),"$(O)/replay_$(f) fuzz/corpus/$(f)")
debug asan: ## unit tests with assertions; with AddressSanitizer and UBSan
	$(MAKE) VARIANT=$@ test
tsan: ## threaded unit tests with ThreadSanitizer
	$(MAKE) VARIANT=tsan run-threaded-tests
portable: ## unit tests without any CPU extension (ARCH=x86-64)
	$(MAKE) ARCH=x86-64 test
bench-objects: $(call objects,$(wildcard bench/*.c)) # to see that they compile
bench: all ## run every benchmark against its peer
	scripts/run-benches
format: ## format the sources in place
	clang-format -i $(wildcard $(addsuffix /*.[ch],src/* src/*/* tools tests/* fuzz bench))
man: all ## the manual pages, in build/man
	@scripts/build-man build/falconer build/eyas build/man
completions: all ## completions for bash, zsh and fish, in build/completions
	@scripts/build-completions build/falconer build/eyas build/completions
install: man completions ## install under PREFIX (DESTDIR is put before it)
	install -d $(DESTDIR)$(PREFIX)/bin $(DATA_TO) $(DOC_TO) $(MAN_TO) $(BASH_TO) $(ZSH_TO) $(FISH_TO)
	install $(PROGRAMS:%=build/%) $(DESTDIR)$(PREFIX)/bin
	install -m 644 build/man/*.1 $(MAN_TO)
	install -m 644 build/completions/bash/* $(BASH_TO)
	install -m 644 build/completions/zsh/* $(ZSH_TO)
	install -m 644 build/completions/fish/* $(FISH_TO)
	cp -R data experiments weights $(DATA_TO)/
	$(if $(WASM_BUILT),install -d $(DATA_TO)/wasm && install -m 644 $(WASM_BUILT) $(DATA_TO)/wasm/)
	cp -R README.md CHANGELOG.md LICENSE docs $(DOC_TO)/
	chmod -R u+w,a+rX $(DATA_TO) $(DOC_TO)
uninstall: ## remove what install put under PREFIX
	rm -f $(PROGRAMS:%=$(DESTDIR)$(PREFIX)/bin/%) $(MAN_TO)/falconer.1 $(MAN_TO)/falconer-*.1 $(MAN_TO)/eyas.1 \
	$(PROGRAMS:%=$(BASH_TO)/%) $(PROGRAMS:%=$(ZSH_TO)/_%) $(PROGRAMS:%=$(FISH_TO)/%.fish)
	rm -rf $(DATA_TO) $(DOC_TO)
dist: ## build/falconer-VERSION.tar.gz from the last commit, with wasm/eyas.wasm made of it
	@rm -rf build/dist && mkdir -p build/dist && git archive HEAD | tar -x -C build/dist
	@if $(MAKE) --no-print-directory wasm-tools; then $(MAKE) --no-print-directory --silent -C build/dist wasm && \
	touch -d "$$(git log -1 --format=%cI)" build/dist/build/wasm/eyas.wasm; else echo 'make dist: the archive is without wasm/eyas.wasm' >&2; fi
	git archive $$(test ! -e build/dist/build/wasm/eyas.wasm || echo --prefix=$(DIST)/wasm/ --add-file=build/dist/build/wasm/eyas.wasm) \
	--prefix=$(DIST)/ HEAD | gzip -n9 > build/$(DIST).tar.gz
	@rm -rf build/dist
clean: ## remove what was built
	rm -rf build
help: ## this list
	@sed -n 's/^\([a-z -]*\):.*## \(.*\)/\1@\2/p' $(MAKEFILE_LIST) | sort | \
	while IFS=@ read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

# Objects depend on the command that makes them, so that a changed flag rebuilds; so does another CPU.
CPU := $(if $(filter native,$(ARCH)),$(shell grep -m1 -E '^(flags|Features)' /proc/cpuinfo 2>/dev/null | cksum))
$(O)/command: export COMMAND := $(COMPILE)
$(O)/command: FORCE
	@mkdir -p $(O)
	@printf '%s\n' "$$COMMAND" "$(CPU)" | cmp -s - $@ || printf '%s\n' "$$COMMAND" "$(CPU)" > $@

$(O)/%.o: %.c $(O)/command
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c $< -o $@
# Tests are linked without it (see below), and need not be fast themselves.
$(O)/tests/%.o: COMPILE += -fno-lto $(if $(filter release quick,$(VARIANT)),-O1)
# The engine's default weights are the shipped file, as a string.
$(O)/gen/eval/default_weights.inc build/obj/wasm/gen/eval/default_weights.inc: weights/falcon.weights
	@mkdir -p $(@D)
	sed 's/["\\]/\\&/g; s/.*/"&\\n"/' $< > $@
$(O)/src/eval/weights.o: $(O)/gen/eval/default_weights.inc
$(O)/src/eval/weights.o: COMPILE += -I$(O)/gen
# The pages are part of the program.
$(O)/src/serve/web_files.o: $(shell find web -type f)
$(O)/src/serve/web_files.o: COMPILE += -fno-lto
# The commit that the sources are of, in one object, so that little is built again.
COMMIT := $(or $(if $(wildcard .git),$(shell git describe --always --dirty=+ --abbrev=10 --exclude='*' 2>/dev/null)),unknown)
$(O)/commit: FORCE
	@mkdir -p $(O)
	@printf '%s\n' '$(COMMIT)' | cmp -s - $@ || printf '%s\n' '$(COMMIT)' > $@
$(O)/tools/commit.o: $(O)/commit
$(O)/tools/commit.o: COMPILE += -DFALCONER_COMMIT='"$(COMMIT)"'
# A fuzzer that watches every comparison learns nothing from those of a search, and takes twice the time.
ifeq ($(VARIANT),fuzz)
$(O)/src/search/%.o $(O)/src/eval/falcon.o: COMPILE += -fno-sanitize-coverage=trace-cmp
endif
# main() itself must run on any CPU.
$(O)/tools/cpu_guard.o: COMPILE += $(BASELINE) -fno-lto

$(O)/falconer: $(call objects,$(FALCONER) $(GUARD) $(LIB))
	$(COMPILE) $^ -o $@ $(LIBS)
# The same with ranks (LINK=-fno-lto: in no time). MPI's own compiler knows where MPI is, and calls ours. All
# ranks of a job must have been built from the same sources, of which this is the sum.
MPICC     ?= mpicc
WITH_MPI   = OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(subst $(CC) -std,$(MPICC) -std,$(COMPILE))
$(O)/sources: $(call objects,$(FALCONER) $(GUARD) $(LIB)) $(MPI_WORLD)
	@cat $(sort $(FALCONER) $(GUARD) $(LIB) $(MPI_WORLD) $(wildcard $(foreach e,h def inc,src/*/*.$(e) src/*/*/*.$(e)) tools/*.h)) | \
	cksum | tr ' ' - > $@
$(O)/src/dist/world_mpi.o: $(MPI_WORLD) $(O)/command $(O)/sources
	$(WITH_MPI) -DFALCONER_SOURCES='"$(shell cat $(O)/sources)"' -c $< -o $@
$(O)/falconer-mpi: $(call objects,$(FALCONER) $(GUARD) $(filter-out src/dist/world_alone.c,$(LIB)) $(MPI_WORLD))
	$(WITH_MPI) $(LINK) $^ -o $@ $(LIBS)
$(O)/bench/scaling_messages: $(O)/bench/scaling_messages.o $(call objects,$(filter-out src/dist/world_alone.c,$(LIB)) $(MPI_WORLD))
	$(WITH_MPI) $^ -o $@ $(LIBS)
# The engine for a browser: clang, wasm-ld and wasi-libc, and of src/base what needs no system.
WASM_CC    := clang --target=wasm32-wasi
WASM_BASE  := bytes error json mem nearest rng settings str text view
WASM_FROM  := $(WASM_BASE:%=src/base/%.c) $(call sources,chess eval search uci board wasm)
W          := build/obj/wasm
WASM_COMPILE := $(WASM_CC) -std=gnu17 -Wall -Wextra -Werror -fdouble-square-bracket-attributes -ffp-contract=off -D_GNU_SOURCE \
                -D_WASI_EMULATED_MMAN -DFALCONER_VERSION='"$(VERSION)"' -Isrc -Isrc/wasm -I$(W)/gen -O3 -DNDEBUG -flto
$(W)/command: export COMMAND := $(WASM_COMPILE)
$(W)/command: FORCE
	@mkdir -p $(W)
	@printf '%s\n' "$$COMMAND" | cmp -s - $@ || printf '%s\n' "$$COMMAND" > $@
$(W)/%.o: %.c $(W)/command
	@mkdir -p $(@D)
	$(WASM_COMPILE) -MMD -MP -c $< -o $@
$(W)/src/eval/weights.o: $(W)/gen/eval/default_weights.inc
build/wasm/eyas.wasm: $(WASM_FROM:%.c=$(W)/%.o)
	@mkdir -p $(@D)
	$(WASM_COMPILE) -mexec-model=reactor -Wl,-z,stack-size=8388608 -Wl,--stack-first -Wl,-s $^ -o $@.new
	@mv $@.new $@
$(O)/eyas $(O)/eyas-static: $(call objects,tools/eyas.c $(ARGS) $(GUARD) $(ENGINE))
	$(COMPILE) $(if $(filter %-static,$@),-static) $^ -o $@ $(ENGINE_LIBS)
# Tests take machine code from an archive: link-time optimisation once per test would take minutes.
$(O)/libfalconer.a: $(call objects,$(ARGS) $(LIB))
	@rm -f $@
	$(AR) rcs $@ $^
$(O)/tests/%: $(O)/tests/unit/%.o $(O)/libfalconer.a
	@mkdir -p $(@D)
	$(COMPILE) -fno-lto $^ -o $@ -lcmocka $(LIBS)
# A clock of its own.
$(O)/tests/test_parts: private COMPILE += -Wl,--wrap=clock_gettime
$(O)/bench/%: $(O)/bench/%.o $(call objects,$(LIB))
	$(COMPILE) $^ -o $@ $(LIBS)
$(FAKES): $(O)/%: $(O)/tests/fakes/%.o $(O)/libfalconer.a
	$(COMPILE) -fno-lto $^ -o $@ $(LIBS)
# Disturbs system calls: scripts/check-faults.
$(O)/inject: $(O)/tests/faults/inject.o
	$(COMPILE) -fno-lto $^ -o $@
# What several fuzz targets share; engines that are the fuzzer need no processes.
FUZZ_PARTS := $(O)/fuzz/scratch.o $(O)/fuzz/html_check.o
$(O)/replay_uci_client $(O)/replay_xboard_client $(O)/fuzz_uci_client $(O)/fuzz_xboard_client: \
	$(O)/fuzz/engine_games.o $(O)/fuzz/fake_process.o
$(O)/replay_%: $(O)/fuzz/fuzz_%.o $(O)/fuzz/replay_main.o $(FUZZ_PARTS) $(O)/libfalconer.a
	$(COMPILE) -fno-lto $(filter %.o,$^) $(O)/libfalconer.a -o $@ $(LIBS)
$(O)/fuzz_%: $(O)/fuzz/fuzz_%.o $(FUZZ_PARTS) $(O)/libfalconer.a
	$(COMPILE) -fsanitize=fuzzer $(filter %.o,$^) $(O)/libfalconer.a -o $@ $(LIBS)

-include $(wildcard $(W)/*/*/*.d $(O)/*/*.d $(O)/*/*/*.d $(O)/*/*/*/*.d)
