# The front door. `make help` says what there is; the scripts do the work.
GAME ?= whos-deal
SECONDS ?= 60
PREFIX ?= /usr/local
FROM ?= 1001
SEEDS ?= 100000
KILLS ?= 1000
FAULTS ?= 10000
TRIES ?= 1000000
PART ?=

.PHONY: help run cluster play build web test check soak golden bench fit book bench-server bench-nodes fuzz wasm \
  install deb dist pictures format clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 15

# The page comes first: where both are missing, all that is needed is named at once.
run: web build ## build, then serve at http://127.0.0.1:8080 (FLAGS="--listen '*:80'" for more)
	@build/oyster serve --web build/web $(FLAGS)

cluster: web build ## three servers on one Redis behind nginx, at http://127.0.0.1:8080, until Ctrl-C
	@scripts/deps cluster
	@scripts/cluster

play: build ## build, then play in the terminal against bots (GAME=up-n-down for another game)
	@build/oyster play $(GAME)

build: ## build/oyster, its tests and the tools of the bench
	@scripts/deps build
	@scripts/build

web: ## the page, build/web
	@scripts/build-web

test: ## everything that must pass, in all builds
	@scripts/deps build web test
	@tests/run all

check: ## the quick part of it, before each commit
	@scripts/deps build web test
	@tests/run quick

# SEEDS random worlds from seed FROM on, ten times as many runs of simulated servers, whole games in a browser, KILLS
# crashes, FAULTS of servers on Redis, floods with TRIES forged tokens, memory, threads, fuzzing for SECONDS each.
soak: ## what takes long, then its figures into docs/reliability.md; PART=floods for one part (see the Makefile)
	@scripts/deps build web test
	@FROM=$(FROM) SEEDS=$(SEEDS) KILLS=$(KILLS) FAULTS=$(FAULTS) TRIES=$(TRIES) SECONDS_EACH=$(SECONDS) tests/soak $(PART)

golden: build ## write what recorded games and spoken hands are expected to say anew; look at the diff
	@tests/golden.sh build/oyster --write
	@scripts/build-web && cd web && "$$(../scripts/node)" node_modules/vitest/vitest.mjs run -u
	@node tests/web/spoken.mjs build/oyster --write

bench: build wasm ## figures, as ratios (BASE=path/to/oyster measures random games against an earlier build)
	@BASE=$(BASE) bench/run

fit: build ## make the fitted numbers of the bots anew, bots/*_fitted.h (4 Kate's: make book); ten minutes
	@mkdir -p .build
	@build/fit whos-deal >.build/fitted.h && clang-format .build/fitted.h >bots/whos_deal_fitted.h
	@build/fit hand-and-foot >.build/fitted.h && clang-format .build/fitted.h >bots/hand_and_foot_fitted.h

book: build ## make 4 Kate's opening book anew, bots/four_kate_fitted.h; half an hour, and 1.4 GB of memory
	@mkdir -p .build
	@build/book >.build/fitted.h && clang-format .build/fitted.h >bots/four_kate_fitted.h

bench-server: build ## the server against its peers, a few minutes (BASE=path/to/oyster: against an earlier build)
	@BASE=$(BASE) node bench/server/run.mjs

bench-nodes: build ## one, two and three servers on Redis, a few minutes
	@scripts/deps cluster
	@node bench/server/nodes.mjs

fuzz: ## fuzz every parser for SECONDS each
	@scripts/deps build web test
	@SECONDS_EACH=$(SECONDS) scripts/fuzz

wasm: ## the rules as WebAssembly: build/table.wasm and build/save.wasm for the page, build/oyster.wasm for the bench
	@scripts/deps build web test
	@scripts/build-wasm all

install: web ## program, page, manual pages and completions into PREFIX (/usr/local), below DESTDIR
	@scripts/install "$(PREFIX)" "$(DESTDIR)"

dist: web ## a source archive with the page in it, and what it is made of (SPDX), in .build/dist
	@scripts/dist

deb: web ## a Debian package, in .build/deb
	@scripts/deb

pictures: web build ## take the README's pictures anew, docs/pictures
	@scripts/deps web test pictures
	@node scripts/pictures.mjs build/oyster

format: ## lay out C, TypeScript, JavaScript and CSS
	@scripts/deps web test
	@git ls-files -co --exclude-standard '*.[ch]' | xargs clang-format -i
	@$$(scripts/node) web/node_modules/@biomejs/biome/bin/biome format --write

clean: ## remove what was built
	@rm -rf build .build
