package node

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

// Why says why a job waits, from what this daemon knows and what the others say of themselves.
func (u users) Why(ctx context.Context, id string) (api.Reasons, error) {
	r, err := u.Job(ctx, id)
	if err != nil {
		return api.Reasons{}, err
	}
	why, err := u.why(ctx, r)
	return api.Reasons{Version: api.Version, Job: r.ID, Reasons: why}, err
}

func (u users) why(ctx context.Context, r *jobs.Record) ([]string, error) {
	if r.State.Final() {
		return []string{fmt.Sprintf("It does not wait: it is %s.", r.State)}, nil
	}
	lacks, err := on(ctx, u.Node, func() (string, error) { return u.mayNot(), nil })
	if err != nil {
		return nil, err
	}
	if open := r.Open(); open != nil {
		runs := fmt.Sprintf("attempt %s runs on %d nodes.", attemptText(open.By, open.Epoch), len(open.Hosts))
		if lacks != "" {
			return []string{lacks, "When it last had one: " + runs}, nil
		}
		return []string{"It does not wait: " + runs}, nil
	}
	if r.Held {
		return []string{fmt.Sprintf("It is held; canvass release %s lets it run.", r.ID)}, nil
	}
	if r.Spec.Array != nil {
		return []string{fmt.Sprintf("It is an array: %d elements run or wait, %d have not had their turn.",
			r.Counts[jobs.Queued]+r.Counts[jobs.Running], r.Counts[jobs.Accepted])}, nil
	}
	if lacks != "" {
		return []string{lacks}, nil
	}
	nodes, err := u.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	return reasons(r, nodes), nil
}

// reasons are the sentences, the most likely reason first.
func reasons(r *jobs.Record, nodes []api.NodeReport) (why []string) {
	members, largest, busy, mute := 0, 0, 0, 0
	for _, n := range nodes {
		if n.Error == api.Dead {
			continue // its jobs run elsewhere
		}
		if n.Error != "" {
			mute++
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
	if mute > 0 {
		why = append(why, fmt.Sprintf(
			"%d of %d nodes do not answer; what they hold waits until they do or are dead.", mute, len(nodes)))
	}
	if gap := api.Gap(nodes); gap > 0 {
		why = append(why, fmt.Sprintf(
			"%.1f %% of the map have no owner; if that stays so, the witnesses have a new map made.", 100*gap))
	}
	if r.Spec.Tasks > largest {
		return append(why, fmt.Sprintf(
			"It needs %d nodes at once, and the largest cluster has %d; the grid has %d members. "+
				"It starts when a cluster has grown to %d; canvass cancel %s gives it up.",
			r.Spec.Tasks, largest, members, r.Spec.Tasks, r.ID))
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
