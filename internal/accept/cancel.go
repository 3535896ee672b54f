package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"time"
)

// cancelled looks at cancellations, also of jobs whose daemons die at that moment, and at output
// that is followed meanwhile.
func cancelled(t *trial) string {
	g := t.grid(4)
	for range t.runs {
		id := t.must(g, "canvass submit -k 4 -- sh -c 'trap \"\" TERM; sleep 97.4321 & sleep 97.4321; sleep 97.4321'")
		t.until(20*time.Second, "running", func() bool { return t.count("sleep 97.4321") >= 8 })
		t.must(g, "canvass cancel %s", id)
		left := t.count("97.4321")
		t.demand(left == 0, "%d processes are left", left)
	}
	killed := map[string]int{}
	for range t.runs {
		t.cancelAdopted(g, killed)
	}
	t.onceAtATime()
	t.followDeath(g)
	return fmt.Sprintf("%d times k = 4, with tasks that ignore SIGTERM: nothing is left when cancel returns; nor when "+
		"the owner of a job was killed before (%d times), its host (%d), or the daemon that took it (%d); logs -f says "+
		"where the output ends when its node dies, and goes on with the next attempt",
		t.runs, killed["owner"], killed["host"], killed["taker"])
}

// letters are the nodes of a job, as status names them.
type letters struct {
	Owner    string `json:"owner"`
	Attempts []struct {
		Hosts []string `json:"hosts"`
	} `json:"attempts"`
}

// number is which daemon a node is: A is 1.
func number(node string) int { return int(node[0]-'A') + 1 }

// cancelAdopted kills a daemon that has a part in a job, and cancels the job at once: while others
// adopt it.
func (t *trial) cancelAdopted(g *grid, killed map[string]int) {
	id := t.must(g, "canvass submit -k 2 -- %s", t.beats(1000))
	var job letters
	t.until(30*time.Second, "running", func() bool {
		err := json.Unmarshal([]byte(t.must(g, "canvass status --json %s", id)), &job)
		t.demand(err == nil, "status: %v", err)
		return len(job.Attempts) > 0 && len(t.ledger()[id+" 0"]) > 0 && len(t.ledger()[id+" 1"]) > 0
	})
	t.demand(job.Owner != "" && len(job.Attempts[0].Hosts) == 2, "status: %+v", job)
	roles := []string{"owner", "host", "taker"}
	role := roles[rand.IntN(len(roles))]
	victim := map[string]int{"owner": number(job.Owner), "host": number(job.Attempts[0].Hosts[0]), "taker": 1}[role]
	killed[role]++
	g.signal(victim, syscall.SIGKILL)
	asked := victim%4 + 1
	o := t.sh(nil, "timeout 60 canvass cancel --socket %s %s", g.socket(asked), id)
	t.demand(o.code == 0, "cancel after the death of the %s: %v", role, o)
	returned := time.Now()
	time.Sleep(time.Second)
	t.demand(t.lastBeat() > time.Second, "it beats %v after cancel has returned", time.Since(returned)-t.lastBeat())
	status := t.must(nil, "canvass status --socket %s %s", g.socket(asked), id)
	t.demand(strings.Contains(status, "cancelled"), "status: %s", status)
	g.start(victim)
	t.whole(g, 4)
}

// followDeath follows the output of a job whose node dies.
func (t *trial) followDeath(g *grid) {
	id, host := t.onAnother(g, "sh -c 'echo begins; sleep 4; echo ends'")
	said := make(chan output, 1)
	go func() { said <- t.sh(g, "timeout 90 canvass logs -f %s", id) }()
	time.Sleep(time.Second)
	g.signal(host, syscall.SIGKILL)
	o := <-said
	node := string(rune('A' + host - 1))
	t.demand(o.code == 0 && o.stdout == "begins\nbegins\nends\n", "logs: %v", o)
	for _, want := range []string{"is on the disk of node " + node, "count as dead", "attempt 2 has begun"} {
		t.demand(strings.Contains(o.stderr, want), "logs -f does not say %q: %v", want, o)
	}
}
