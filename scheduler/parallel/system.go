package parallel

import (
	"context"
	"errors"
	"strings"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
)

// System has the decentralised policies. It runs them in the fast engine.
type System struct{}

// Policies implements [scheduler.System].
func (System) Policies() []scheduler.Policy {
	var all []scheduler.Policy
	for _, p := range Policies() {
		all = append(all, scheduler.Policy{Name: p.Name, Rule: p.Doc, Draws: true, Overlaps: true})
	}
	return all
}

// errTrouble refuses faults where there are no messages to lose and no nodes that fail.
var errTrouble = errors.New("apart, churn and loss have no effect with fidelity bulk; use --fidelity cores")

// Prepare implements [scheduler.System].
func (System) Prepare(value func(setting string) string) (scheduler.Runner, error) {
	s, err := Read(value)
	if err == nil && s.Trouble != (Trouble{}) {
		err = errTrouble
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w *scheduler.Workload, on *scheduler.Ground, seed uint64) (*scheduler.Result, error) {
		g, o, err := s.On(on, seed)
		if err != nil {
			return nil, err
		}
		r, err := Run(ctx, w, g, o)
		if err != nil {
			return nil, err
		}
		return &scheduler.Result{
			Records: r.Records, Digest: r.Digest, Detail: []any{&r.Counts},
			Hosts: func(ctx context.Context) ([]scheduler.NodeSet, error) {
				g, o, err := s.On(on, seed)
				if err != nil {
					return nil, err
				}
				return hostsOf(ctx, w, g, o)
			},
			MovedBy: func(job int) string { return movers(r.Moves[job]) },
			Retrace: func(job int) ([]scheduler.Stop, error) {
				g, o, err := s.On(on, seed)
				if err != nil {
					return nil, err
				}
				return stops(w, g, o, job)
			},
		}, nil
	}, nil
}

// movers names the algorithms that have moved a job.
func movers(m reptask.Moves) string {
	var all []string
	for _, by := range []struct {
		algorithm reptask.Algorithm
		name      string
	}{{reptask.ByDLB, "dlb"}, {reptask.ByQB, "qb"}} {
		if m[by.algorithm] {
			all = append(all, by.name)
		}
	}
	return strings.Join(all, " ")
}

// hostsOf runs a workload again and lists the nodes on which the tasks of each job began.
func hostsOf(ctx context.Context, w *scheduler.Workload, g *Grid, o Options) ([]scheduler.NodeSet, error) {
	nodes := make([][]int, len(w.Jobs))
	o.Trace = func(e Event) {
		if e.Kind == Began {
			nodes[e.Job] = append(nodes[e.Job], g.Nodes[e.Node].Number)
		}
	}
	if _, err := Run(ctx, w, g, o); err != nil {
		return nil, err
	}
	sets := make([]scheduler.NodeSet, len(nodes))
	for job := range nodes {
		sets[job] = scheduler.NodesOf(nodes[job])
	}
	return sets, nil
}

// stops runs a workload again and lists where a job waited.
func stops(w *scheduler.Workload, g *Grid, o Options, job int) ([]scheduler.Stop, error) {
	var all []scheduler.Stop
	var next scheduler.Stop
	o.Trace = func(e Event) {
		switch {
		case e.Job != job:
		case e.Kind == Moved:
			next = scheduler.Stop{MovedMicros: e.AtMicros, Why: whyMoved(e.By)}
		case e.Kind == Represented:
			next.Micros, next.Cluster = e.AtMicros, g.Nodes[e.Node].Cluster
			all = append(all, next)
		}
	}
	_, err := Run(context.Background(), w, g, o)
	return all, err
}

// whyMoved says why an algorithm moves a job to a place.
func whyMoved(by reptask.Algorithm) string {
	if by == reptask.ByQB {
		return "where queues were shorter, as far as its representative knew (QB)"
	}
	return "where it could start at once, as far as its representative knew (DLB)"
}
