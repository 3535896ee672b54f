package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

func devIsClean(t *trial) string {
	a := t.dev("a", 4)
	daemons := trials.WithText("agent --data " + a.folder)
	t.Demand(len(daemons) == 4, "%d daemons", len(daemons))
	b := t.dev("b", 2)
	t.Must("canvass run --socket %s -- true", filepath.Join(a.folder, "n1", "api.sock"))
	ports, err := trials.Ports("agent --data " + t.Folder)
	t.Demand(err == nil && len(ports) == 6, "6 daemons listen on the ports %v: %v", ports, err)
	a.end()
	b.end()
	for _, d := range []*dev{a, b} {
		left := trials.WithText(d.folder + "/")
		t.Demand(len(left) == 0, "processes are left: %v", left)
		_, err := os.Stat(d.folder)
		t.Demand(os.IsNotExist(err), "%s is left", d.folder)
	}
	for _, port := range ports {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		t.Demand(err == nil, "port %d is left: %v", port, err)
		l.Close()
	}
	t.Demand(a.ready <= 5*time.Second, "ready after %v", a.ready)
	return fmt.Sprintf("4 daemons after %.1f s, 2 more beside them; no process, no file and none of %d ports left",
		a.ready.Seconds(), len(ports))
}

func ranksAndCodes(t *trial) string {
	g := t.Grid(4)
	said := g.Must("canvass run -k 3 -- sh -c 'echo $CANVASS_RANK/$CANVASS_SIZE on $CANVASS_HOST' | sort")
	hosts := map[string]bool{}
	for rank, line := range strings.Split(said, "\n") {
		words := strings.Fields(line)
		t.Demand(len(words) == 4 && words[1] == fmt.Sprintf("%d/3", rank), "%q", said)
		hosts[words[3]] = true
	}
	t.Demand(len(hosts) == 3, "the hosts are %v", hosts)
	for line, code := range map[string]int{
		"sh -c 'exit 7'": 7, "sh -c 'kill -9 $$'": 137, "no-such-command": 127,
	} {
		o := g.Sh("canvass run -- %s", line)
		t.Demand(o.Code == code, "%s: %v", line, o)
	}
	o := g.Sh("canvass run --timeout 1s -- sleep 9.4321")
	t.Demand(o.Code == 124, "time-out: %v", o)
	t.Demand(len(trials.WithText("sleep 9.4321")) == 0, "the process that timed out is left")
	return "0/3, 1/3, 2/3 on three hosts; codes 7, 137, 127, 124"
}

func failingRank(t *trial) string {
	g := t.Grid(4)
	begin := time.Now()
	o := g.Sh("canvass run --name four -k 4 -- sh -c " +
		"'if [ $CANVASS_RANK = 2 ]; then echo last words >&2; exit 3; fi; exec sleep 98.4321'")
	took := time.Since(begin)
	t.Demand(o.Code == 3, "%v", o)
	t.Demand(len(trials.WithText("sleep 98.4321")) == 0, "other ranks are left")
	t.Demand(took <= time.Second, "it took %v from submission to end", took)
	id := g.Must("canvass status | awk 'NR==2 {print $1}'")
	status := g.Must("canvass status %s", id)
	for _, word := range []string{"rank 2 exited with 3", "stderr: last words", "isolation"} {
		t.Demand(strings.Contains(status, word), "status does not say %q: %s", word, status)
	}
	return fmt.Sprintf("all are gone %.2f s after submission; status names rank, host and last words", took.Seconds())
}

func oneKey(t *trial) string {
	g := t.Grid(2)
	first := g.Must("canvass submit --key k -- true")
	t.Demand(g.Must("canvass submit --key k -- true") == first, "another id")
	killed := 0
	for i := range 10 {
		o := g.Sh("timeout -s KILL 0.%03d canvass submit --key again -- %s", 2+4*i, t.Beats(80*time.Millisecond))
		if o.Code != 0 {
			killed++
		}
	}
	id := g.Must("canvass submit --key again -- %s", t.Beats(80*time.Millisecond))
	g.Must("canvass wait %s", id)
	ranks, attempts := t.OnceAtATime()
	t.Demand(ranks == 1 && attempts == 1, "%d jobs, %d attempts", ranks, attempts)
	return fmt.Sprintf("one id; the command killed %d of 10 times while it submitted: one job in the ledger", killed)
}

func reasonsGiven(t *trial) string {
	g := t.Grid(2)
	cases := []struct{ flags, want string }{
		{"-k 3", "It needs 3 nodes at once, and the largest cluster has 2"},
		{"--hold", "It is held; canvass release"},
	}
	busy := []string{g.Must("canvass submit -k 2 -- sleep 96")}
	t.Until(10*time.Second, "running", func() bool { return len(trials.WithText("sleep 96")) >= 2 })
	cases = append(cases, struct{ flags, want string }{"", "it waits behind older jobs"})
	for _, c := range cases {
		id := g.Must("canvass submit %s -- true", c.flags)
		said := ""
		t.Until(10*time.Second, "told why: "+c.want, func() bool {
			said = g.Must("canvass why %s", id)
			return strings.Contains(said, c.want)
		})
		busy = append(busy, id)
	}
	slices.Reverse(busy) // so that none begins since another one is gone
	g.Must("canvass cancel %s", strings.Join(busy, " "))
	g.End()
	return fmt.Sprintf("too wide, behind others, held; %s; not there: a full disk", t.reasonsOfBrokenGrids())
}

// triesOfGaps bounds how often two neighbours are killed until the map is broken: other nodes may
// take over before.
const triesOfGaps = 5

// reasonsOfBrokenGrids looks at the reports about a map with a gap, and about a grid without a
// majority of witnesses.
func (t *trial) reasonsOfBrokenGrids() string {
	g := t.Grid(5)
	g.Whole(5)
	tries := 0
	for broken := false; !broken; tries++ {
		t.Demand(tries < triesOfGaps, "the map was not broken in %d tries", tries)
		var ids []string
		ids, broken = t.gap(g)
		g.Succeed(ids...)
	}
	id := g.Must("canvass submit -k 5 -- sleep 96")
	for _, n := range []int{2, 3} {
		g.Signal(n, syscall.SIGSTOP)
	}
	t.told(g, "why", id, noMajority)
	for _, n := range []int{2, 3} {
		g.Signal(n, syscall.SIGCONT)
	}
	return fmt.Sprintf("a gap of the map (%d tries), no majority of witnesses", tries)
}

// noMajority is the reason that a job waits while a majority of three witnesses is missing.
const noMajority = "needs an answer of 2 of the witnesses"

// told waits until a command prints a text about a job.
func (t *trial) told(g *trials.Grid, command, id, want string) {
	t.Until(30*time.Second, command+" says "+want, func() bool {
		return strings.Contains(g.Sh("timeout 2 canvass %s %s", command, id).Stdout, want)
	})
}

// raceLimit is the time limit for the tests of the daemon on two processors.
const raceLimit = 5 * time.Minute

func raceTests(t *trial) string {
	without := t.inModule("for f in $(find daemon " +
		"-name '*_test.go' -printf '%%h/\\n' | sort -u); do grep -q goleak $f*_test.go || echo $f; done")
	t.Demand(without == "", "without goleak: %s", without)
	t.inModule("make --no-print-directory lint")
	t.inModule("CGO_ENABLED=1 go test -count=1 -race -run '^$' ./daemon/...") // compile
	var took []string
	for range t.runs {
		begin := time.Now()
		t.inModule("CGO_ENABLED=1 go test -count=1 -race -shuffle=on ./daemon/...")
		now := time.Since(begin)
		t.Demand(now <= raceLimit, "the tests took %v, not %v at most", now, raceLimit)
		took = append(took, fmt.Sprintf("%.0f s", now.Seconds()))
	}
	return fmt.Sprintf("in a row: %s; every package of daemon/ looks for goroutines that are left; lint",
		strings.Join(took, ", "))
}
