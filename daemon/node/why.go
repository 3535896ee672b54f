package node

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// Why says why a job waits, from what this daemon knows and what the others say of themselves.
func (u users) Why(ctx context.Context, id string) (api.Reasons, error) {
	r, err := u.Job(ctx, id)
	if err != nil {
		return api.Reasons{}, err
	}
	why := api.Reasons{Version: api.Version, Job: r.ID}
	if r.State.Final() {
		why.Reasons = []string{fmt.Sprintf("It waits for nothing: its state is %s.", r.State)}
		return why, nil
	}
	lacks, err := on(ctx, u.Node, func() (string, error) { return u.mayNot(), nil })
	if err != nil {
		return why, err
	}
	if why.NoLease = lacks != ""; why.NoLease { // reason enough, and nodes that do not answer would take time
		why.Reasons = standing(r, nil, false, lacks, 0)
		return why, nil
	}
	awaited := make(chan []protocol.Address, 1)
	go func() { awaited <- u.awaited(ctx, r) }() // a daemon that is silent takes the time of both
	nodes, err := u.Nodes(ctx)
	if err != nil {
		return why, err
	}
	missing := missingOf(nodes, <-awaited)
	for _, n := range missing {
		why.Missing = append(why.Missing, n.Node)
	}
	if len(missing) > 0 {
		why.Reasons = append(why.Reasons, without(missing))
	}
	why.Reasons = append(why.Reasons, standing(r, nodes, len(missing) > 0, lacks, r.Rest(u.wall()))...)
	return why, nil
}

// missingOf are those of the nodes that are awaited and say nothing. One that nobody has heard of
// since the grid was founded is among them.
func missingOf(nodes []api.NodeReport, awaited []protocol.Address) (missing []api.NodeReport) {
	slices.Sort(awaited)
	for _, a := range slices.Compact(awaited) {
		i := slices.IndexFunc(nodes, func(n api.NodeReport) bool { return n.Node.Address == a })
		switch {
		case i < 0:
			unheard := protocol.NodeID{Address: a, Incarnation: 1}
			missing = append(missing, api.NodeReport{Node: unheard, Error: "not heard of since the grid was founded"})
		case nodes[i].Error != "":
			missing = append(missing, nodes[i])
		}
	}
	return missing
}

// without says that a job waits for nodes that keep its record. Of three custodians two suffice, so
// one of two that are missing does.
func without(missing []api.NodeReport) string {
	var names []string
	dead := false
	for _, n := range missing {
		names = append(names, fmt.Sprintf("%v (%s)", n.Node, n.Error))
		dead = dead || n.Error == api.Dead
	}
	text := fmt.Sprintf("It waits for node %s, which keeps its record.", names[0])
	if len(missing) > 1 {
		text = fmt.Sprintf("It waits for one of the nodes %s, which keep its record.", strings.Join(names, ", "))
	}
	if dead {
		text += " A daemon that is dead must be started again."
	}
	return text
}

// awaited are the nodes for which the custodians of a job wait, as they say: in a moment of quiet
// that is the one that decides.
func (u users) awaited(ctx context.Context, r *jobs.Record) (all []protocol.Address) {
	if r.Custody == (jobs.Name{}) { // no custodian has it yet
		return nil
	}
	answers := make(chan []protocol.Address, len(r.Custodians))
	for _, a := range r.Custodians {
		go func() {
			raw, err := u.query(ctx, protocol.NodeID{Address: a}, "awaits", r.Custody, reportPatience)
			awaits, failed := decode[[]protocol.Address](raw)
			if err != nil || failed != nil {
				awaits = nil // it is down, or knows nothing
			}
			answers <- awaits
		}()
	}
	for range r.Custodians {
		all = append(all, <-answers...)
	}
	return all
}

// answerAwaits lists the custodians of a job for which this one waits.
func (n *Node) answerAwaits(_ protocol.NodeID, name jobs.Name) (any, error) {
	k := n.keepings[custodyID(name)]
	if k == nil {
		return nil, nil
	}
	s, _ := k.state()
	awaits := s.WaitsFor()
	if !s.Leads() || s.Primary.Committed {
		return awaits, nil
	}
	for i, id := range s.Disk.View.Members {
		if i >= len(s.Primary.Acked) || !s.Primary.Acked[i] {
			awaits = append(awaits, id.Address)
		}
	}
	return awaits, nil
}

// standing is the reasons beside the custodians that are missing. Rest is how long the job still
// pauses.
func standing(r *jobs.Record, nodes []api.NodeReport, missing bool, lacks string, rest time.Duration) []string {
	if open := r.Open(); open != nil {
		hosts := strings.Trim(fmt.Sprint(open.Hosts), "[]")
		runs := fmt.Sprintf("attempt %s runs on %s.", attemptText(open.By, open.Epoch), hosts)
		switch {
		case lacks != "":
			return []string{lacks, "When it last had one: " + runs}
		case missing:
			return []string{"As far as is known, " + runs}
		}
		return []string{"It does not wait: " + runs}
	}
	var why []string
	if lacks != "" {
		why = append(why, lacks)
	}
	switch {
	case r.Held:
		return append(why, fmt.Sprintf("It is held; canvass release %s lets it run.", r.ID))
	case r.Spec.Array != nil:
		return append(why, fmt.Sprintf("It is an array: %d elements run or wait, %d have not had their turn.",
			r.Counts[jobs.Queued]+r.Counts[jobs.Running], r.Counts[jobs.Accepted]))
	case lacks != "" || missing:
		return why
	case rest > 0:
		return []string{fmt.Sprintf("Its last attempt has failed; it pauses for another %v before the next one (--backoff).",
			(rest + time.Second - 1).Truncate(time.Second))}
	}
	return reasons(r, nodes)
}

// unable names the nodes that take no tasks.
func unable(nodes []api.NodeReport) (why []string) {
	for _, n := range nodes {
		if n.Error == "" && n.NoTasks != "" {
			why = append(why, fmt.Sprintf("Node %v takes no tasks: %s.", n.Node, n.NoTasks))
		}
	}
	if more := len(why) - unableLimit; more > 0 {
		why = append(why[:unableLimit], fmt.Sprintf("%d more nodes take no tasks; canvass nodes shows them.", more))
	}
	return why
}

// unableLimit is how many nodes that take no tasks are named with their reasons.
const unableLimit = 3

// reasons are the sentences, the most likely reason first.
func reasons(r *jobs.Record, nodes []api.NodeReport) (why []string) {
	members, largest, busy := 0, 0, 0
	var mute []string
	for _, n := range nodes {
		if n.Error == api.Dead {
			continue // its jobs run elsewhere
		}
		if n.Error != "" {
			mute = append(mute, n.Node.String())
			continue
		}
		if n.Phase == memberPhase {
			members++
		}
		if n.Queue > 0 {
			busy++
		}
		largest = max(largest, 1, len(n.Cluster))
	}
	if len(mute) > 0 {
		why = append(why, fmt.Sprintf("%d of %d nodes do not answer: %s; what they hold waits until they do or are dead.",
			len(mute), len(nodes), strings.Join(mute, ", ")))
	}
	if broken := api.Torn(nodes); broken != "" && api.Repairing(nodes) {
		why = append(why, "The map is being repaired after the death of a node: "+broken+".")
	} else if broken != "" {
		why = append(why, "The map is broken: "+broken+"; if that stays so, the witnesses have a new map made.")
	}
	why = append(why, unable(nodes)...)
	if r.Spec.Tasks > largest {
		return append(why, fmt.Sprintf(
			"It needs %d nodes at once, and the largest cluster has %d; the grid has %d members. "+
				"It starts when a cluster has grown to %d; canvass cancel %s gives it up.",
			r.Spec.Tasks, largest, members, r.Spec.Tasks, r.ID))
	}
	if r.Note == turnNote {
		return append(why, fmt.Sprintf("It waits for its turn: the daemon that decides about it hands at most %d of its "+
			"jobs to the grid at a time, the oldest first.", turnsOf(members)))
	}
	if r.Owner.IsNobody() {
		why = append(why, "No node owns it yet: the grid looks for one that will place its tasks.")
	} else if busy > 0 {
		why = append(why, fmt.Sprintf("%d of %d nodes have tasks; it waits behind older jobs.", busy, len(nodes)))
	} else {
		why = append(why, fmt.Sprintf("Node %v owns it, and its tasks are being placed.", r.Owner))
	}
	if r.Note != "" {
		why = append(why, "The grid said last: "+r.Note+".")
	}
	return why
}
