# Everything that a person or a CI job does with this repository. Go and make suffice for build, test,
# lint and check; the other tools are named where they are missed. GOFLAGS is respected throughout.

GO       ?= go
FUZZTIME ?= 20s
TRACE    ?=
SEEDS    ?= 1000
SEED     ?= 1
SOAKTIME ?= 10m
# The folders whose fuzzers run, and how long each of those that decode what members send runs in a soak:
# an hour in all.
FUZZED   ?= .
SOAKFUZZ ?= 2m
# The tools that look for mistakes and for known weaknesses. They are no dependencies of any package.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0
MINUTES  ?= 1
CIMINUTES ?= 5
RACED    ?= ./checker/... ./model/...
SAMPLE   ?= 15
# A mutant, a seed, how many daemons, and for how many minutes.
CANARIES ?= acknowledges-at-write:7:4:0.5 holds-back-without-end:7:4:0.5 stale-timer-fires:7:4:0.5 exit-code-lost:7:4:0.5 permits-anything:7:4:0.5 outputs-told-before-kept:7:4:0.5

# The commit, for builds that Go does not stamp: traces name the source that they were recorded with.
COMMIT = $(shell git describe --always --abbrev=40 --exclude='*' --dirty=+changes 2>/dev/null)
LINKED = $(if $(COMMIT),-X github.com/canvass-grid/canvass/internal/cli.commit=$(COMMIT))

# Without symbols and debug information, which take a quarter of the file. Profiles and stacks need neither.
STRIPPED = -s -w

# One static file, which starts sooner, runs on any Linux, and looks up names in one way. Only
# the race detector needs C.
export CGO_ENABLED = 0

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help build test mutants mutants-all mutants-touched nemesis nemesis-commit nemesis-canaries race lint vuln fmt check assurance check-deep sim sim-commit soak methods replay has-trace bench bench-sim bench-can bench-peers bench-schedulers bench-grid reproduction crosscheck fuzz spec proofs accept bench-daemon api ci clean findings findings-check

help: ## print this list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## build the command bin/canvass
	$(GO) build -trimpath -ldflags '$(STRIPPED) $(LINKED)' -o bin/canvass ./cmd/canvass

# CANVASS_SHARE=i/n tries only a share of what takes long: see internal/share.
test: ## run all tests; make race runs some with the race detector
	$(GO) test -count=1 -timeout 20m ./...

mutants: ## break cores and policies in every way that is listed, and demand that the checks notice
	CANVASS_MUTANTS=$${CANVASS_MUTANTS:-all} $(GO) test -count=1 -timeout 40m ./internal/mutants

mutants-all: ## try every systematic mutant of cores and daemon; takes a night (SHARD=i/n: a share)
	$(GO) run ./internal/mutation/run $(if $(SHARD),-shard $(SHARD)) -states 0 -check 0 -simulate 0 -write

mutants-touched: ## try the systematic mutants of functions that changed since they were recorded, and SAMPLE (15) others
	$(GO) run ./internal/mutation/run -touched -sample $(SAMPLE) -seed "$$(git rev-parse --verify -q HEAD || echo 1)" -timeout 4m

race: ## run the engine's and the models' tests with the race detector (RACED=packages)
	@$(call if_race,$(GO) test -count=1 -short -race $(RACED))

lint: ## vet, build for another system, check the formatting and the rules of the repository
	$(GO) vet ./...
	GOOS=darwin $(GO) build -o /dev/null ./cmd/canvass
	@unformatted=$$(gofmt -l .) && if [ -n "$$unformatted" ]; then \
		echo "not formatted (make fmt does it):" >&2; echo "$$unformatted" >&2; exit 1; fi
	$(GO) test -count=1 ./internal/lint
	@if $(call install,$(STATICCHECK)); then bin/staticcheck ./...; fi

vuln: ## look for known weaknesses in what the program calls; without the database there is no verdict
	@if $(call install,$(GOVULNCHECK)); then bin/govulncheck ./cmd/... > bin/vuln.txt 2>&1; code=$$?; cat bin/vuln.txt; \
		if grep -q 'fetching vulnerabilities' bin/vuln.txt; then \
			echo "vuln: NO VERDICT: the database of weaknesses cannot be reached from here"; \
		elif [ $$code != 0 ]; then exit 1; fi; fi

fmt: ## format the source
	gofmt -w .

check: build ## check every protocol within the bounds of CI
	bin/canvass check

assurance: build ## check every protocol, then write the table of docs/verification.md
	@mkdir -p out
	bin/canvass check --json > out/check.json && $(GO) run ./internal/release assurance < out/check.json

findings: ## check every published model in every interpretation, then write docs/findings.json and the tables and counts of the pages
	$(GO) run ./internal/release findings

findings-check: ## check them again, and fail if docs/findings.json says otherwise
	$(GO) run ./internal/release findings -check

sim: build ## run every scenario on SEEDS (1000) seeds, the first of them SEED (1)
	bin/canvass simulate --seeds $(SEEDS) --seed $(SEED)

sim-commit: build ## run every scenario on a few seeds that nobody chose: those of the commit
	bin/canvass simulate --seeds 5 --seed "$$(git rev-parse --verify -q HEAD || echo 1)"

soak: build ## simulate for SOAKTIME (10m), from a seed that nobody has used before, then fuzz what members send, each fuzzer for SOAKFUZZ (2m)
	bin/canvass simulate --timeout $(SOAKTIME) --seed $$(date +%s)
	@$(MAKE) --no-print-directory fuzz FUZZED="daemon sim/daemon" FUZZTIME=$(SOAKFUZZ)

check-deep: build ## check every protocol within larger bounds, with reductions
	bin/canvass check --deep --reduce --timeout 30m --memory-limit 20GiB

replay: has-trace build ## replay a counterexample: make replay TRACE=file.itf.json
	bin/canvass replay "$(TRACE)"

has-trace:
	@if [ -z "$(TRACE)" ]; then \
		echo "replay: which trace? make replay TRACE=traces/corpus/name.itf.json" >&2; exit 2; fi

accept: build ## try what users of the daemon may count on, one line an item (ITEM=n: one; RUNS=n: repeats; RUNS=full: all that the items name; MINUTES: of faults in all)
	$(GO) run ./internal/accept -item $(or $(ITEM),0) -runs $(or $(RUNS),5) -size $(or $(SIZE),200) -minutes $(MINUTES)

bench-daemon: build ## measure daemons beside Slurm, Grid Engine, GNU parallel, mpirun and etcd (INSTALL=1: install them; RUNS=5; DAEMONS=100: in the large grid)
	$(GO) run ./internal/accept -bench -runs $(or $(RUNS),5) -daemons $(or $(DAEMONS),100) $(if $(INSTALL),-install)

api: ## compare the public API with that of the last release, and with CHANGELOG.md
	$(GO) run ./internal/release api

nemesis: build ## run real daemons under faults for MINUTES (1), from SEED (1), and judge them
	@$(GO) build -trimpath -o bin/nemesis ./internal/nemesis
	@bin/nemesis -seed "$(SEED)" -minutes $(MINUTES) $(if $(JSON),-json)

nemesis-commit: build ## the same for CIMINUTES (5), from the seed of the commit
	@$(GO) build -trimpath -o bin/nemesis ./internal/nemesis
	@bin/nemesis -seed "$$(git rev-parse --verify -q HEAD || echo 1)" -minutes $(CIMINUTES)

nemesis-canaries: ## daemons with a mistake must turn the nemesis red
	@mkdir -p bin && $(GO) build -trimpath -o bin/nemesis ./internal/nemesis
	@for canary in $(CANARIES); do set -- $$(echo $$canary | tr : ' '); \
		bin/nemesis -leaves 0 -regrids 0 -losses 0 -mutant $$1 -seed $$2 -nodes $$3 -minutes $$4 -settle 50s || exit 1; done

bench: ## measure the engine, the models and the cores, then ours and SPIN in turn
	$(GO) test -run='^$$' -bench=. -benchmem ./checker/... ./model/... ./protocol/...
	@$(call if_tools,bench,spin cc,spin gcc libc6-dev,$(MAKE) --no-print-directory bench-peers)

methods: ## measure what it takes to find every tenth mutant, by the checker and by the methods that draw
	$(GO) run ./internal/mutation/run methods -every 10

bench-sim: ## measure the simulator: a table for 1,000 to 100,000 nodes, then JSON
	@mkdir -p bin
	@$(GO) build -trimpath -o bin/bench ./internal/bench
	@bin/bench sim

bench-can: ## count what a change of the map costs, here and as published, and write the table of docs/protocols/can.md
	$(GO) run ./internal/bench can

bench-peers: ## measure ours and SPIN in turn: a table, then JSON
	@mkdir -p bin
	@$(GO) build -trimpath -o bin/bench ./internal/bench
	@bin/bench spin

bench-schedulers: ## run central policies here, in pyss and in Alea (PYSS, ALEA, CANVASS_DATA: folders), job by job
	$(GO) run ./internal/bench schedulers

bench-grid: ## measure policies, the fast engine, predictions and clusters beside fcfs on a log (CANVASS_DATA: folder)
	$(GO) test -run='^$$' -bench=Grid -benchtime=1x -timeout=1h ./scheduler/experiment

# An experiment, its size, and how many seeds.
REPRODUCED = central/references:ci:1 central/intense:ci:1 central/order:ci:10 theory/queues:ci:10 \
	jackson/4.3:desk:10 jackson/4.3s:desk:10 jackson/4.4:desk:10 jackson/4.5:desk:10 jackson/4.6:paper:30 \
	jackson/4.7:paper:30 jackson/4.8:paper:30 jackson/t4.1:paper:30 jackson/5pct:desk:10 jackson/30k:desk:1 \
	x/churn:ci:10 x/fault:ci:10 x/sweep:desk:10 x/reach:desk:10 x/news:desk:10 x/variants:desk:10 \
	x/latency:desk:10 x/hetero:desk:10 x/backfill:desk:10 x/scale:desk:1 jackson/t5.1:desk:10 jackson/t5.2:desk:10 \
	jackson/t5.3:desk:10 jackson/t5.4:paper:100 jackson/t5.5:desk:10 jackson/t5.6:desk:10 jackson/t5.7:desk:10 \
	jackson/128:desk:10 jackson/criteria:desk:10

reproduction: build ## run all experiments of docs/reproduction.md, and write it (CANVASS_DATA: folder); takes an hour, and goes on where it ended
	@for it in $(REPRODUCED); do set -- $$(echo $$it | tr : ' '); echo "$$1, size $$2, seeds $$3"; \
		bin/canvass lab run $$1 --size $$2 --seeds $$3 --out out/$$(echo $$1 | tr / -) > /dev/null || exit 1; done
	bin/canvass lab verify $(foreach it,$(REPRODUCED),out/$(subst /,-,$(firstword $(subst :, ,$(it))))) --markdown > docs/reproduction.md

crosscheck: ## compare numbers and verdicts of the examples with SPIN's
	@$(call if_tools,crosscheck,spin cc,spin gcc libc6-dev,$(GO) run ./internal/bench crosscheck)

fuzz: ## run each fuzzer for FUZZTIME (20s)
	@files=$$(find $(FUZZED) -name testdata -prune -o -name '*_test.go' -exec grep -l '^func Fuzz' {} +); \
	if [ -z "$$files" ]; then echo "fuzz: there is no fuzzer"; fi; \
	for file in $$files; do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
			echo "fuzz: $$name in $${file%/*} for $(FUZZTIME)"; \
			$(GO) test -run='^$$' -fuzz="^$$name\$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=10x "./$${file%/*}" || exit 1; \
		done; \
	done

spec: ## check the specifications with SPIN
	@$(call if_tools,spec,spin cc,spin gcc libc6-dev,sh spec/run)

proofs: ## check the proofs with Coq
	@$(call if_tools,proofs,coqc,coq,sh proofs/run)

ci: lint vuln test race check sim-commit spec crosscheck proofs api mutants ## all that CI demands

clean: ## remove what was built
	rm -rf bin out

# install,TOOL@VERSION builds a tool into bin. It says, and fails, if the tool cannot be had.
define install
{ mkdir -p bin && GOBIN=$(CURDIR)/bin GOFLAGS=-mod=mod $(GO) install $(1) 2> bin/install.txt || { \
	tail -n 1 bin/install.txt; echo "NOT LOOKED AT: $(1) cannot be had here"; false; }; }
endef

# if_race,COMMAND runs a command that needs the race detector, which needs a C compiler. Go itself turns
# cgo off where it finds none.
define if_race
if [ "$$(env -u CGO_ENABLED $(GO) env CGO_ENABLED)" = 1 ]; then \
	echo "CGO_ENABLED=1 $(1)"; CGO_ENABLED=1 $(1); \
elif [ "$$CANVASS_REQUIRE_TOOLS" = 1 ]; then \
	echo "race: no C compiler (Debian packages gcc and libc6-dev)" >&2; exit 1; \
else \
	echo "skipped: the race detector needs a C compiler (Debian packages gcc and libc6-dev); CI has one"; \
fi
endef

# if_tools,TARGET,TOOLS,PACKAGES,COMMAND runs a command that needs tools. Where one is missing it is
# skipped, aloud; with CANVASS_REQUIRE_TOOLS=1 that is an error.
define if_tools
missing=; for tool in $(2); do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
if [ -z "$$missing" ]; then \
	echo "$(4)"; $(4); \
elif [ "$$CANVASS_REQUIRE_TOOLS" = 1 ]; then \
	echo "$(1): not installed:$$missing (Debian packages: $(3))" >&2; exit 1; \
else \
	echo "skipped: $(1): needs$$missing, not installed (Debian packages: $(3))"; \
fi
endef
