package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// cancelled cancels jobs, some while their daemons die, and follows the output of a job whose node
// dies.
func cancelled(t *trial) string {
	g := t.Grid(4)
	for range t.runs {
		id := g.Must("canvass submit -k 4 -- sh -c 'trap \"\" TERM; sleep 97.4321 & sleep 97.4321; sleep 97.4321'")
		t.Until(20*time.Second, "running", func() bool { return len(trials.WithText("sleep 97.4321")) >= 8 })
		g.Must("canvass cancel %s", id)
		left := len(trials.WithText("97.4321"))
		t.Demand(left == 0, "%d processes are left", left)
	}
	killed := map[string]int{}
	for range t.runs {
		t.cancelAdopted(g, killed)
	}
	t.OnceAtATime()
	t.followDeath(g)
	return fmt.Sprintf("%d times k = 4, with tasks that ignore SIGTERM: nothing is left when cancel returns; nor when "+
		"the owner of a job was killed before (%d times), its host (%d), or the daemon that took it (%d); logs -f says "+
		"where the output ends when its node dies, and goes on with the next attempt",
		t.runs, killed["owner"], killed["host"], killed["taker"])
}

// letters are the nodes of a job, in the JSON of canvass status.
type letters struct {
	Owner    string `json:"owner"`
	Attempts []struct {
		Hosts []string `json:"hosts"`
	} `json:"attempts"`
}

// number is the daemon of a node: A is 1.
func number(node string) int { return int(node[0]-'A') + 1 }

// cancelAdopted kills a daemon that has a part in a job, and cancels the job at once: while others
// adopt it.
func (t *trial) cancelAdopted(g *trials.Grid, killed map[string]int) {
	id := g.Must("canvass submit -k 2 -- %s", t.Beats(25*time.Second))
	var job letters
	t.Until(30*time.Second, "running", func() bool {
		err := json.Unmarshal([]byte(g.Must("canvass status --json %s", id)), &job)
		t.Demand(err == nil, "status: %v", err)
		both := func(runs []*trials.Run) bool { return len(runs) == 2 }
		return len(job.Attempts) > 0 && slices.ContainsFunc(t.Recorded().Attempts(id), both)
	})
	t.Demand(job.Owner != "" && len(job.Attempts[0].Hosts) == 2, "status: %+v", job)
	roles := []string{"owner", "host", "taker"}
	role := roles[rand.IntN(len(roles))]
	victim := map[string]int{"owner": number(job.Owner), "host": number(job.Attempts[0].Hosts[0]), "taker": 1}[role]
	killed[role]++
	g.Kill(victim)
	asked := victim%4 + 1
	o := t.Sh("timeout 60 canvass cancel --socket %s %s", g.Socket(asked), id)
	t.Demand(o.Code == 0, "cancel after the death of the %s: %v", role, o)
	returned := time.Now()
	time.Sleep(time.Second)
	last := t.Recorded().LastBeat()
	t.Demand(last > time.Second, "it beats %v after cancel has returned", time.Since(returned)-last)
	status := t.Must("canvass status --socket %s %s", g.Socket(asked), id)
	t.Demand(strings.Contains(status, "cancelled"), "status: %s", status)
	g.Start(victim)
	g.Whole(4)
}

// followDeath follows the output of a job whose node dies.
func (t *trial) followDeath(g *trials.Grid) {
	id, host := g.Elsewhere("sh -c 'echo begins; sleep 4; echo ends'")
	said := make(chan trials.Output, 1)
	go func() { said <- g.Sh("timeout 90 canvass logs -f %s", id) }()
	time.Sleep(time.Second)
	g.Kill(host)
	o := <-said
	node := string(rune('A' + host - 1))
	t.Demand(o.Code == 0 && o.Stdout == "begins\nbegins\nends\n", "logs: %v", o)
	for _, want := range []string{"is on the disk of node " + node, "count as dead", "attempt 2 has begun"} {
		t.Demand(strings.Contains(o.Stderr, want), "logs -f does not say %q: %v", want, o)
	}
}
