package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

func devIsClean(t *trial) string {
	a := t.grid(4)
	t.demand(t.count("agent --data "+a.folder) == 4, "%d daemons", t.count("agent --data "+a.folder))
	b := t.grid(2)
	t.must(a, "canvass run -- true")
	ports := append(t.ports("agent --data "+a.folder), t.ports("agent --data "+b.folder)...)
	t.demand(len(ports) == 6, "6 daemons listen on the ports %v", ports)
	a.end()
	b.end()
	for _, g := range []*grid{a, b} {
		t.demand(t.count(g.folder+"/") == 0, "%d processes are left", t.count(g.folder+"/"))
		_, err := os.Stat(g.folder)
		t.demand(os.IsNotExist(err), "%s is left", g.folder)
	}
	t.free(ports)
	t.demand(a.ready <= 5*time.Second, "ready after %v", a.ready)
	return fmt.Sprintf("4 daemons after %.1f s, 2 more beside them; no process, no file and none of %d ports left",
		a.ready.Seconds(), len(ports))
}

func ranksAndCodes(t *trial) string {
	g := t.grid(4)
	said := t.must(g, "canvass run -k 3 -- sh -c 'echo $CANVASS_RANK/$CANVASS_SIZE on $CANVASS_HOST' | sort")
	hosts := map[string]bool{}
	for rank, line := range strings.Split(said, "\n") {
		words := strings.Fields(line)
		t.demand(len(words) == 4 && words[1] == fmt.Sprintf("%d/3", rank), "%q", said)
		hosts[words[3]] = true
	}
	t.demand(len(hosts) == 3, "the hosts are %v", hosts)
	for line, code := range map[string]int{
		"sh -c 'exit 7'": 7, "sh -c 'kill -9 $$'": 137, "no-such-command": 127,
	} {
		o := t.sh(g, "canvass run -- %s", line)
		t.demand(o.code == code, "%s: %v", line, o)
	}
	o := t.sh(g, "canvass run --timeout 1s -- sleep 9.4321")
	t.demand(o.code == 124, "time-out: %v", o)
	t.demand(t.count("sleep 9.4321") == 0, "the process that timed out is left")
	return "0/3, 1/3, 2/3 on three hosts; codes 7, 137, 127, 124"
}

func failingRank(t *trial) string {
	g := t.grid(4)
	begin := time.Now()
	o := t.sh(g, "canvass run --name four -k 4 -- sh -c "+
		"'if [ $CANVASS_RANK = 2 ]; then echo last words >&2; exit 3; fi; exec sleep 98.4321'")
	took := time.Since(begin)
	t.demand(o.code == 3, "%v", o)
	t.demand(t.count("sleep 98.4321") == 0, "other ranks are left")
	t.demand(took <= time.Second, "it took %v from submission to end", took)
	id := t.must(g, "canvass status | awk 'NR==2 {print $1}'")
	status := t.must(g, "canvass status %s", id)
	for _, word := range []string{"rank 2 exited with 3", "stderr: last words", "isolation"} {
		t.demand(strings.Contains(status, word), "status does not say %q: %s", word, status)
	}
	return fmt.Sprintf("all are gone %.2f s after submission; status names rank, host and last words", took.Seconds())
}

func oneKey(t *trial) string {
	g := t.grid(2)
	first := t.must(g, "canvass submit --key k -- true")
	t.demand(t.must(g, "canvass submit --key k -- true") == first, "another id")
	killed := 0
	for i := range 10 {
		o := t.sh(g, "timeout -s KILL 0.%03d canvass submit --key again -- %s", 2+4*i, t.beats(3))
		if o.code != 0 {
			killed++
		}
	}
	id := t.must(g, "canvass submit --key again -- %s", t.beats(3))
	t.must(g, "canvass wait %s", id)
	ranks, attempts := t.onceAtATime()
	t.demand(ranks == 1 && attempts == 1, "%d jobs, %d attempts", ranks, attempts)
	return fmt.Sprintf("one id; the command killed %d of 10 times while it handed in: one job in the ledger", killed)
}

func reasonsGiven(t *trial) string {
	g := t.grid(2)
	cases := []struct{ flags, want string }{
		{"-k 3", "It needs 3 nodes at once, and the largest cluster has 2"},
		{"--hold", "It is held; canvass release"},
	}
	busy := []string{t.must(g, "canvass submit -k 2 -- sleep 96")}
	t.until(10*time.Second, "running", func() bool { return t.count("sleep 96") >= 2 })
	cases = append(cases, struct{ flags, want string }{"", "it waits behind older jobs"})
	for _, c := range cases {
		id := t.must(g, "canvass submit %s -- true", c.flags)
		said := ""
		t.until(10*time.Second, "told why: "+c.want, func() bool {
			said = t.must(g, "canvass why %s", id)
			return strings.Contains(said, c.want)
		})
		busy = append(busy, id)
	}
	slices.Reverse(busy) // so that none begins since another one is gone
	t.must(g, "canvass cancel %s", strings.Join(busy, " "))
	g.end()
	return fmt.Sprintf("too wide, behind others, held; %s; not there: a full disk", t.reasonsOfBrokenGrids())
}

// triesOfGaps is how often two neighbours are killed until the map is broken: others may take over
// before.
const triesOfGaps = 5

// reasonsOfBrokenGrids looks at what is said of a map with a gap, and without a majority of
// witnesses.
func (t *trial) reasonsOfBrokenGrids() string {
	g := t.grid(5)
	t.whole(g, 5)
	tries := 0
	for broken := false; !broken; tries++ {
		t.demand(tries < triesOfGaps, "the map was not broken in %d tries", tries)
		var ids []string
		ids, broken = t.gap(g)
		t.allEnd(g, ids)
	}
	id := t.must(g, "canvass submit -k 5 -- sleep 96")
	for _, n := range []int{2, 3} {
		g.signal(n, syscall.SIGSTOP)
	}
	t.told(g, "why", id, noMajority)
	for _, n := range []int{2, 3} {
		g.signal(n, syscall.SIGCONT)
	}
	return fmt.Sprintf("a gap of the map (%d tries), no majority of witnesses", tries)
}

// noMajority is what is said while fewer than a majority of three witnesses are there.
const noMajority = "needs an answer of 2 of the witnesses"

// told waits until a command says something of a job.
func (t *trial) told(g *grid, command, id, want string) {
	t.until(30*time.Second, command+" says "+want, func() bool {
		return strings.Contains(t.sh(g, "timeout 2 canvass %s %s", command, id).stdout, want)
	})
}

// raceLimit is how long the tests of the daemon may take on two processors.
const raceLimit = 5 * time.Minute

func raceTests(t *trial) string {
	without := t.inModule("for f in $(find daemon " +
		"-name '*_test.go' -printf '%%h/\\n' | sort -u); do grep -q goleak $f*_test.go || echo $f; done")
	t.demand(without == "", "without goleak: %s", without)
	t.inModule("make --no-print-directory lint")
	t.inModule("CGO_ENABLED=1 go test -count=1 -race -run '^$' ./daemon/...") // compile
	var took []string
	for range t.runs {
		begin := time.Now()
		t.inModule("CGO_ENABLED=1 go test -count=1 -race -shuffle=on ./daemon/...")
		now := time.Since(begin)
		t.demand(now <= raceLimit, "the tests took %v, not %v at most", now, raceLimit)
		took = append(took, fmt.Sprintf("%.0f s", now.Seconds()))
	}
	return fmt.Sprintf("in a row: %s; every package of daemon/ looks for goroutines that are left; lint",
		strings.Join(took, ", "))
}
