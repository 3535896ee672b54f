package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// module is the folder of the repository, in which the program was built.
func (t *trial) module() string { return filepath.Dir(filepath.Dir(t.binary)) }

// inModule runs a line of the shell in the repository, and demands that it succeeds.
func (t *trial) inModule(line string, args ...any) string {
	line = fmt.Sprintf(line, args...)
	cmd := exec.CommandContext(t.ctx, "sh", "-c", line)
	cmd.Dir = t.module()
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	t.demand(err == nil, "%s: %v: …%s", line, err, text[max(0, len(text)-600):])
	return text
}

func cutOff(t *trial) string {
	t.inModule("go run ./internal/nemesis/run -plan /dev/stdin <<'END'\n%s\nEND",
		"plan seed 9 nodes 4 duration 30s crashes 0 leaves 0 restart 3s down 1 apart 12s silence 10s replaced true\n"+
			"2s burst 1 count 12\n4s isolate 2 for 10s\n16s burst 3 count 12\n17s one-way 3,1 for 10s")
	return "isolated for 10 s, then 10 s one way, with jobs on both sides: all judges of the nemesis hold"
}

func witnessesStopped(t *trial) string {
	g := t.grid(4)
	id := t.must(g, "canvass submit -- %s", t.beats(3000))
	t.until(20*time.Second, "running", func() bool { return t.lastBeat() < 100*time.Millisecond })
	for _, n := range []int{2, 3} {
		g.signal(n, syscall.SIGSTOP)
	}
	stopped := t.until(8*time.Second, "all stopped", func() bool { return t.lastBeat() > time.Second })
	const want = "needs an answer of 2 of the witnesses"
	t.until(30*time.Second, "told why", func() bool {
		return strings.Contains(t.sh(g, "timeout 2 canvass why %s", id).stdout, want)
	})
	g.signal(2, syscall.SIGCONT)
	resumed := t.until(time.Minute, "running again", func() bool { return t.lastBeat() < 100*time.Millisecond })
	g.signal(3, syscall.SIGCONT)
	t.must(g, "timeout 20 canvass cancel %s", id)
	t.onceAtATime()
	return fmt.Sprintf("nothing runs after %.1f s, why says %q, and with one of them back it runs again after %.1f s",
		stopped.Seconds()-1, want, resumed.Seconds())
}

// lastLine is the last line of a text.
func lastLine(text string) string { return text[strings.LastIndex(text, "\n")+1:] }

func modelsHold(t *trial) string {
	begin := time.Now()
	check := lastLine(t.inModule("%s check 'lease/*' 'custody/*' 'muster/*'", t.binary))
	took := time.Since(begin)
	worlds := lastLine(t.inModule("%s simulate 'lease/*' 'custody/*' 'muster/*' --seeds 1000", t.binary))
	return fmt.Sprintf("in %.0f s: %s; 1,000 seeds a world: %s; not there: daemon/*", took.Seconds(), check, worlds)
}

// caught is a mutant in the output of a test.
var caught = regexp.MustCompile(`(?m)^    --- PASS: TestMutants/(\S+)`)

func mutantsCaught(t *trial) string {
	out := t.inModule("CANVASS_MUTANTS=all go test -count=1 -v -run 'TestMutants' ./internal/mutants/tested")
	var names []string
	for _, m := range caught.FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	t.demand(len(names) >= 15, "%d mutants: %s", len(names), out)
	canaries := t.inModule("make --no-print-directory nemesis-canaries")
	return fmt.Sprintf("%d mutants by tests (%s); %d canaries turn the nemesis red", len(names),
		strings.Join(names, " "), strings.Count(canaries, " was noticed"))
}

func longFaults(t *trial) string {
	var seen []string
	for seed := range 3 {
		out := t.inModule("go run ./internal/nemesis/run -seed %d -minutes %d -nodes %d", 70+seed, t.minutes, 4+2*seed)
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "jobs: ") || strings.HasPrefix(line, "leases: ") {
				seen = append(seen, strings.TrimSpace(line))
			}
		}
	}
	return fmt.Sprintf("three seeds of %d minutes, all judges hold: %s", t.minutes, strings.Join(seen, "; "))
}
