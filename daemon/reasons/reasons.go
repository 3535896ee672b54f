package reasons

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/protocol"
)

// Missing are the awaited nodes that do not answer. A node that has not been in contact since the
// grid was founded is among them.
func Missing(nodes []api.NodeReport, awaited []protocol.Address) (missing []api.NodeReport) {
	slices.Sort(awaited)
	for _, a := range slices.Compact(awaited) {
		i := slices.IndexFunc(nodes, func(n api.NodeReport) bool { return n.Node.Address == a })
		switch {
		case i < 0:
			unheard := protocol.NodeID{Address: a, Incarnation: 1}
			missing = append(missing, api.NodeReport{Node: unheard, Error: "no contact since the grid was founded"})
		case nodes[i].Error != "":
			missing = append(missing, nodes[i])
		}
	}
	return missing
}

// Without says that a job waits for nodes that keep its record. Two of three custodians suffice, so
// one of two missing nodes does.
func Without(missing []api.NodeReport) string {
	var names []string
	dead := false
	for _, n := range missing {
		names = append(names, fmt.Sprintf("%v (%s)", n.Node, n.Error))
		dead = dead || n.IsOver()
	}
	text := fmt.Sprintf("It waits for node %s, which keeps its record.", names[0])
	if len(missing) > 1 {
		text = fmt.Sprintf("It waits for one of the nodes %s, which keep its record.", strings.Join(names, ", "))
	}
	if dead {
		text += " A daemon that is dead or has left must be started again."
	}
	return text
}

// sentence describes the stage of a task at its host.
func sentence(r *jobs.Record, n *api.NodeReport) string {
	switch d := n.Doing; {
	case d.Stage == api.StageCopies && d.Inputs == 0: // no inputs, or not yet at that point
		return fmt.Sprintf("Host %v looks for its command, and prepares the working folder.", n.Node)
	case d.Stage == api.StageCopies && d.Copied < d.Inputs:
		return fmt.Sprintf("Host %v copies its inputs: %s of %s have arrived.",
			n.Node, bytesText(d.Copied), bytesText(d.Inputs))
	case d.Stage == api.StageCopies:
		return fmt.Sprintf("Host %v puts its inputs into the working folder: %s of %s are there.",
			n.Node, bytesText(min(d.Placed, d.Inputs)), bytesText(d.Inputs))
	case d.Stage == api.StageReady:
		return fmt.Sprintf("Host %v is ready, and waits for the start of all tasks.", n.Node)
	case d.Stage == api.StageEnds:
		return fmt.Sprintf("Host %v ends its task.", n.Node)
	case d.Stage == api.StageOutputs:
		return fmt.Sprintf("Its task on host %v has ended, and its outputs, %s, are being copied to the custodians %s.",
			n.Node, bytesText(d.Outputs), keepers(r))
	case d.Stage == api.StageOver:
		return fmt.Sprintf("Its task on host %v has ended; the custodians have to keep the outcome.", n.Node)
	}
	return fmt.Sprintf("Its task runs on host %v.", n.Node)
}

// bytesText is a number of bytes for people.
func bytesText(n int64) string {
	const kilo = 1000
	switch {
	case n < kilo:
		return fmt.Sprintf("%d bytes", n)
	case n < kilo*kilo:
		return fmt.Sprintf("%.1f kB", float64(n)/kilo)
	case n < kilo*kilo*kilo:
		return fmt.Sprintf("%.1f MB", float64(n)/kilo/kilo)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/kilo/kilo/kilo)
}

// stages are the sentences about the hosts of a job at some stages, in the order of the stages.
func stages(r *jobs.Record, nodes []api.NodeReport, wanted ...string) (why []string) {
	for _, stage := range wanted {
		for i := range nodes {
			n := &nodes[i]
			if n.Error == "" && n.Doing != nil && n.Doing.Job == r.ID && n.Doing.Stage == stage && len(why) < stagesLimit {
				why = append(why, sentence(r, n))
			}
		}
	}
	return why
}

// stagesLimit is the largest number of hosts that are described.
const stagesLimit = 8

// runs describes an attempt that has the permit.
func runs(r *jobs.Record, nodes []api.NodeReport, attempt string) []string {
	if r.Requested != "" {
		signal := cmp.Or(r.Spec.Kill.Signal, "TERM")
		return append([]string{fmt.Sprintf("It is to end as %s: its tasks receive %s, and SIGKILL after %v.",
			r.Requested, signal, r.Spec.GraceOf())}, stages(r, nodes, api.StageEnds, api.StageOutputs, api.StageOver)...)
	}
	if why := stages(r, nodes, api.StageOutputs, api.StageOver); len(why) > 0 {
		if r.Note != "" { // why no custodian keeps them
			why = append(why, "The custodians said last: "+r.Note+".")
		}
		return append(why, stages(r, nodes, api.StageRuns)...)
	}
	return []string{"It does not wait: " + attempt}
}

// starts is the reason why a job that has custodians and hosts has not started, or empty.
func starts(r *jobs.Record, nodes []api.NodeReport) []string {
	switch {
	case !r.Acked && r.Parent == "" && len(r.Contents()) > 0:
		return []string{fmt.Sprintf("Its custodians %s copy its inputs, and then take it.", keepers(r))}
	case !r.Acked && r.Parent == "":
		return []string{fmt.Sprintf("Its custodians %s have to put it on their disks.", keepers(r))}
	case r.Asked != nil:
		return []string{fmt.Sprintf("Its hosts are ready: attempt %s waits for the permit of its custodians %s.",
			life.AttemptText(r.Asked.By, r.Asked.Epoch), keepers(r))}
	}
	return stages(r, nodes, api.StageCopies, api.StageReady)
}

// keepers lists the custodians of a job.
func keepers(r *jobs.Record) string {
	var names []string
	for _, id := range r.Custodians.Nodes() {
		names = append(names, id.String())
	}
	return strings.Join(names, ", ")
}

// Circumstances are further reasons for a wait, which the reports of nodes do not have.
type Circumstances struct {
	NoLease string                // why this daemon may run nothing, or empty
	Missing bool                  // custodians that the job needs do not answer
	Rest    time.Duration         // how long the job still pauses
	Turns   func(members int) int // how many jobs a daemon has in such a grid; nil: the job awaits no turn
}

// Of is the reasons other than missing custodians.
func Of(r *jobs.Record, nodes []api.NodeReport, c Circumstances) []string {
	if open := r.Open(); open != nil {
		hosts := strings.Trim(fmt.Sprint(open.Hosts), "[]")
		attempt := fmt.Sprintf("attempt %s runs on %s.", life.AttemptText(open.By, open.Epoch), hosts)
		switch {
		case c.NoLease != "":
			return []string{c.NoLease, "When it last had one: " + attempt}
		case c.Missing:
			return []string{"As far as is known, " + attempt}
		}
		return runs(r, nodes, attempt)
	}
	var why []string
	if c.NoLease != "" {
		why = append(why, c.NoLease)
	}
	switch {
	case r.Held:
		return append(why, fmt.Sprintf("It is held; canvass release %s lets it run.", r.ID))
	case r.Spec.Array != nil:
		return append(why, fmt.Sprintf("It is an array: %d elements run or wait, %d have not had their turn.",
			r.Counts[jobs.Queued]+r.Counts[jobs.Running], r.Counts[jobs.Accepted]))
	case c.NoLease != "" || c.Missing:
		return why
	case c.Rest > 0:
		return []string{fmt.Sprintf("Its last attempt has failed; it pauses for another %v before the next one "+
			"(--backoff).", (c.Rest + time.Second - 1).Truncate(time.Second))}
	}
	if why := starts(r, nodes); len(why) > 0 {
		return why
	}
	return reasons(r, nodes, c.Turns)
}

// unable names the nodes that take no tasks.
func unable(nodes []api.NodeReport) (why []string) {
	for _, n := range nodes {
		if n.Error == "" && n.NoTasks != "" {
			why = append(why, fmt.Sprintf("Node %v takes no tasks: %s.", n.Node, n.NoTasks))
		}
	}
	if more := len(why) - unableLimit; more > 0 {
		why = append(why[:unableLimit], fmt.Sprintf("%d more nodes take no tasks; canvass node status shows them.",
			more))
	}
	return why
}

// unableLimit is how many nodes that take no tasks are named with their reasons.
const unableLimit = 3

// reasons are the sentences, the most likely reason first.
func reasons(r *jobs.Record, nodes []api.NodeReport, turns func(members int) int) (why []string) {
	members, largest, busy := 0, 0, 0
	var mute []string
	for _, n := range nodes {
		if n.IsOver() {
			continue // its jobs run elsewhere
		}
		if n.Error != "" {
			mute = append(mute, n.Node.String())
			continue
		}
		if n.Phase == api.MemberPhase {
			members++
		}
		if n.Queue > 0 {
			busy++
		}
		largest = max(largest, 1, len(n.Cluster))
	}
	if len(mute) > 0 {
		why = append(why, fmt.Sprintf("%d of %d nodes do not answer: %s; their jobs wait until they answer or count "+
			"as dead.", len(mute), len(nodes), strings.Join(mute, ", ")))
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
	if turns != nil {
		return append(why, fmt.Sprintf("It waits for its turn: the daemon that decides about it hands at most %d of "+
			"its jobs to the grid at a time, and others come first.", turns(members)))
	}
	if r.Owner.IsNobody() {
		why = append(why, "No node owns it yet: the grid is searching for an owner.")
	} else if idle := members - busy; busy > 0 && idle >= r.Spec.Tasks {
		why = append(why, fmt.Sprintf("Node %v owns it, and its tasks are being placed, or wait on busy nodes; "+
			"%d of %d nodes are idle.", r.Owner, idle, members))
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
