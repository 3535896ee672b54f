# Everything that a person or a CI job does with this repository. Go and make suffice to build, test,
# lint and check; where another tool is missing, the target says so. GOFLAGS is respected throughout.

GO       ?= go
WHAT     ?=
SEED     ?= 1
SEEDS    ?= 1000
FOR      ?=
MINUTES  ?= 1
FUZZTIME ?= 20s
FUZZED   ?= .
RACED    ?= ./checker/... ./model/...
SAMPLE   ?= 15
ARGS     ?=

# The tools that look for mistakes and for known vulnerabilities. No package depends on them.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0

# The commit, for builds that Go does not stamp: traces name the source that recorded them.
COMMIT = $(shell git describe --always --abbrev=40 --exclude='*' --dirty=+changes 2>/dev/null)
LINKED = $(if $(COMMIT),-X github.com/canvass-grid/canvass/internal/cli.commit=$(COMMIT))

# Symbols and debug information are a quarter of the file. Profiles and stacks need neither.
STRIPPED = -s -w

# SEED=commit is a seed that nobody chose, SEED=now one that nobody has used before.
HEAD   = $$(git rev-parse --verify -q HEAD || echo 1)
seeded = "$(if $(filter commit,$(SEED)),$(HEAD),$(if $(filter now,$(SEED)),$$(date +%s),$(SEED)))"

# A static file starts sooner, runs on any Linux, and resolves names in one way. Only the race
# detector needs C.
export CGO_ENABLED = 0

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help build test lint fmt check sim replay clean ci race vuln spec proofs api mutants tables \
	nemesis accept fuzz soak reproduction bench

##@ Everyday

help: ## list the targets
	@awk '/^##@ / { sub(/^##@ /, ""); print (seen++ ? "\n" : "") $$0 ":" } \
		/^##: / { sub(/^##: /, ""); printf "%20s%s\n", "", $$0 } \
		/^[a-z-]+:.*## / { name = $$0; sub(/:.*/, "", name); sub(/.*## /, ""); printf "  make %-12s %s\n", name, $$0 }' \
		$(firstword $(MAKEFILE_LIST))

build: ## build the command, bin/canvass
	$(GO) build -trimpath -ldflags '$(STRIPPED) $(LINKED)' -o bin/canvass ./cmd/canvass

# CANVASS_SHARE=i/n tries only a share of the slow parts: see internal/share.
test: ## run all tests
	$(GO) test -count=1 -timeout 20m ./...

lint: ## run vet, staticcheck and the rules of the repository
	$(GO) vet ./...
	GOOS=darwin $(GO) build -o /dev/null ./cmd/canvass
	@unformatted=$$(gofmt -l .) && if [ -n "$$unformatted" ]; then \
		echo "not formatted (run make fmt):" >&2; echo "$$unformatted" >&2; exit 1; fi
	$(GO) test -count=1 ./internal/lint
	@if $(call install,$(STATICCHECK)); then bin/staticcheck ./...; fi

fmt: ## format the source
	gofmt -w .

check: build ## check every protocol within the bounds of CI
##: DEEP=1: within larger bounds, with reductions
	bin/canvass check $(if $(DEEP),--deep --reduce --timeout 30m --memory-limit 20GiB)

sim: build ## run every scenario on SEEDS (1000) seeds from SEED (1)
##: SEED=commit or now: another seed; FOR=10m: for a time
	bin/canvass simulate $(if $(FOR),--timeout $(FOR),--seeds $(SEEDS)) --seed $(seeded)

replay: build ## replay a counterexample: TRACE=file.itf.json
	@if [ -z "$(TRACE)" ]; then \
		echo "replay: no trace; try make replay TRACE=traces/corpus/name.itf.json" >&2; exit 2; fi
	bin/canvass replay "$(TRACE)"

clean: ## remove bin and out
	rm -rf bin out

##@ In CI

ci: ## run all that CI demands
	$(MAKE) lint vuln test race check tables WHAT=findings CHECK=1
	$(MAKE) sim SEEDS=5 SEED=commit
	$(MAKE) spec proofs api mutants

race: ## run tests with the race detector: RACED=packages
	@$(call if_race,$(GO) test -count=1 -short -race $(RACED))

vuln: ## look for known vulnerabilities in reachable code
	@if $(call install,$(GOVULNCHECK)); then bin/govulncheck ./cmd/... > bin/vuln.txt 2>&1; code=$$?; cat bin/vuln.txt; \
		if grep -q 'fetching vulnerabilities' bin/vuln.txt; then \
			echo "vuln: NO VERDICT: the database of vulnerabilities cannot be reached from here"; \
		elif [ $$code != 0 ]; then exit 1; fi; fi

spec: ## check the specifications, and the examples, with SPIN
	@$(call if_tools,spec,spin cc,spin gcc libc6-dev,sh spec/run)
	@$(call if_tools,spec,spin cc,spin gcc libc6-dev,$(GO) run ./internal/bench crosscheck)

proofs: ## check the proofs with Coq
	@$(call if_tools,proofs,coqc,coq,sh proofs/run)

api: ## compare the public API with that of the last release
	$(GO) run ./internal/release api

mutants: ## break the code on purpose: the checks must notice
##: CANVASS_MUTANTS=NAME,...: some of the handwritten mutants
##: WHAT=touched: systematic ones, of changed functions and
##: SAMPLE (15) others; WHAT=all: all, a night; SHARD=i/n
	$(call one_of,mutants,touched all)
	$(if $(filter touched,$(WHAT)),$(GO) run ./internal/mutation/run -touched -sample $(SAMPLE) -seed "$(HEAD)" -timeout 4m)
	$(if $(filter all,$(WHAT)),$(GO) run ./internal/mutation/run $(if $(SHARD),-shard $(SHARD)) \
		-states 0 -check 0 -simulate 0 -write)
	$(if $(WHAT),,CANVASS_MUTANTS=$${CANVASS_MUTANTS:-all} $(GO) test -count=1 -timeout 40m ./internal/mutants)

tables: ## compute the tables of docs and write them
##: WHAT=assurance, findings or can: only these
##: WHAT=findings CHECK=1: fail if they would change
	$(call one_of,tables,assurance findings can)
	$(if $(filter-out assurance,$(WHAT)),,@$(MAKE) --no-print-directory build && mkdir -p out)
	$(if $(filter-out assurance,$(WHAT)),,bin/canvass check --json > out/check.json && \
		$(GO) run ./internal/release assurance < out/check.json)
	$(if $(filter-out findings,$(WHAT)),,$(GO) run ./internal/release findings $(if $(CHECK),-check))
	$(if $(filter-out can,$(WHAT)),,$(GO) run ./internal/bench can)

##@ Long campaigns

# A mistake, a seed, the number of daemons, and how many minutes suffice to notice it.
CANARIES = acknowledges-at-write:7:4:0.5 holds-back-without-end:7:4:0.5 stale-timer-fires:7:4:0.5 \
	exit-code-lost:7:4:0.5 permits-anything:7:4:0.5 outputs-told-before-kept:7:4:0.5

nemesis: build ## run real daemons under faults and judge them
##: SEED, MINUTES (1); JSON=1: report as JSON
##: CANARY=all or a mutant: a judge must notice the mistake
	@$(GO) build -trimpath -o bin/nemesis ./internal/trials/nemesis
	@$(if $(CANARY),,bin/nemesis -seed $(seeded) -minutes $(MINUTES) $(if $(JSON),-json))
	@for canary in $(if $(CANARY),$(if $(filter all,$(CANARY)),$(CANARIES),$(or $(filter $(CANARY):%,$(CANARIES)),$(CANARY):7:4:0.5))); do \
		set -- $$(echo $$canary | tr : ' '); \
		bin/nemesis -leaves 0 -regrids 0 -losses 0 -mutant $$1 -seed $$2 -nodes $$3 -minutes $$4 -settle 50s || exit 1; done

accept: build ## try the promises to users of the daemon, one line each
##: ITEM=n: one of them; RUNS=n: repeats (5), or full
##: SIZE: elements of the array (200); MINUTES: of faults
	$(GO) run ./internal/trials/accept -item $(or $(ITEM),0) -runs $(or $(RUNS),5) -size $(or $(SIZE),200) -minutes $(MINUTES)

fuzz: ## run each fuzzer for FUZZTIME (20s)
##: FUZZED="daemon sim/daemon": those in these folders
	@files=$$(find $(FUZZED) -name testdata -prune -o -name '*_test.go' -exec grep -l '^func Fuzz' {} +); \
	if [ -z "$$files" ]; then echo "fuzz: there is no fuzzer"; fi; \
	for file in $$files; do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
			echo "fuzz: $$name in $${file%/*} for $(FUZZTIME)"; \
			$(GO) test -run='^$$' -fuzz="^$$name\$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=10x "./$${file%/*}" || exit 1; \
		done; \
	done

soak: ## simulate for FOR (10m), then fuzz the messages of daemons
	@$(MAKE) --no-print-directory sim FOR=$(or $(FOR),10m) SEED=now
	@$(MAKE) --no-print-directory fuzz FUZZED="daemon sim/daemon" FUZZTIME=2m

# An experiment, its size, and the number of seeds.
REPRODUCED = central/references:ci:1 central/intense:ci:1 central/order:ci:10 theory/queues:ci:10 \
	jackson/4.1.1:desk:10 jackson/4.3:desk:10 jackson/4.3s:desk:10 jackson/4.4:desk:10 jackson/4.4s:desk:10 \
	jackson/4.5:desk:10 jackson/4.6:paper:30 jackson/4.7:paper:30 jackson/4.8:paper:30 jackson/t4.1:paper:30 \
	jackson/5pct:desk:10 jackson/30k:desk:1 x/churn:ci:10 x/fault:ci:10 x/sweep:desk:10 x/reach:desk:10 \
	x/news:desk:10 x/variants:desk:10 x/latency:desk:10 x/hetero:desk:10 x/backfill:desk:10 x/hops:desk:10 \
	x/scale:desk:1 jackson/2.2.1:desk:10 jackson/t5.1:desk:10 jackson/t5.2:desk:10 jackson/t5.3:desk:10 \
	jackson/t5.4:paper:100 jackson/t5.5:desk:10 jackson/t5.6:desk:10 jackson/5.2.5:desk:10 jackson/t5.7:desk:10 \
	jackson/128:desk:10 jackson/criteria:desk:10

reproduction: build ## repeat the experiments of docs/reproduction.md: an hour
##: CANVASS_DATA=folder of logs; continues where it stopped
	@for it in $(REPRODUCED); do set -- $$(echo $$it | tr : ' '); echo "$$1, size $$2, seeds $$3"; \
		bin/canvass lab run $$1 --size $$2 --seeds $$3 --out out/$$(echo $$1 | tr / -) > /dev/null || exit 1; done
	bin/canvass lab verify $(foreach it,$(REPRODUCED),out/$(subst /,-,$(firstword $(subst :, ,$(it))))) --markdown > docs/reproduction.md

##@ Measurements

bench: ## measure the engine, the models and the cores
##: WHAT=spin: the engine beside SPIN
##: WHAT=sim: the simulator, 1,000 to 100,000 nodes
##: WHAT=schedulers: policies beside pyss and Alea
##: WHAT=policies: policies beside fcfs, on a log
##: WHAT=methods: the effort to find a mutant
##: WHAT=daemons: daemons beside Slurm, mpirun, etcd and others
##: ARGS="-runs 5 -install": flags of a measurement
	$(call one_of,bench,spin sim schedulers policies methods daemons)
	@$(if $(filter daemons,$(WHAT)),$(MAKE) --no-print-directory build)
	@$(GO) build -trimpath -o bin/bench ./internal/bench
	$(if $(WHAT),,$(GO) test -run='^$$' -bench=. -benchmem ./checker/... ./model/... ./protocol/...)
	$(if $(WHAT),,@$(call if_tools,bench,spin cc,spin gcc libc6-dev,bin/bench spin))
	$(if $(filter policies,$(WHAT)),$(GO) test -run='^$$' -bench=Grid -benchtime=1x -timeout=1h ./scheduler/experiment)
	$(if $(filter methods,$(WHAT)),$(GO) run ./internal/mutation/run methods $(or $(ARGS),-every 10))
	$(if $(filter spin sim schedulers daemons,$(WHAT)),bin/bench $(WHAT) $(ARGS))

# one_of,TARGET,VALUES demands that WHAT is empty or one of some values.
one_of = @$(if $(filter-out $(2),$(WHAT)),echo "$(1): no WHAT=$(WHAT); it is one of: $(2)" >&2; exit 2,:)

# install,TOOL@VERSION builds a tool into bin. It fails with a message if the tool cannot be had.
define install
{ mkdir -p bin && GOBIN=$(CURDIR)/bin GOFLAGS=-mod=mod $(GO) install $(1) 2> bin/install.txt || { \
	tail -n 1 bin/install.txt; echo "NOT LOOKED AT: $(1) cannot be had here"; false; }; }
endef

# if_race,COMMAND runs a command that needs the race detector, which needs a C compiler. Go turns cgo
# off where it finds none.
define if_race
if [ "$$(env -u CGO_ENABLED $(GO) env CGO_ENABLED)" = 1 ]; then \
	echo "CGO_ENABLED=1 $(1)"; CGO_ENABLED=1 $(1); \
elif [ "$$CANVASS_REQUIRE_TOOLS" = 1 ]; then \
	echo "race: no C compiler (Debian packages gcc and libc6-dev)" >&2; exit 1; \
else \
	echo "skipped: the race detector needs a C compiler (Debian packages gcc and libc6-dev); CI has one"; \
fi
endef

# if_tools,TARGET,TOOLS,PACKAGES,COMMAND runs a command that needs tools. If one is missing, the
# command is skipped with a message; with CANVASS_REQUIRE_TOOLS=1 that is an error.
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
