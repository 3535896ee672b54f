package experiment

import (
	"context"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// A stop is a cluster in which a job waited.
type stop struct {
	micros      int64             // from when on
	movedMicros int64             // when the representative before gave it away; of later stops only
	by          reptask.Algorithm // that moved it here, likewise
	cluster     int               // index in the platform
}

// retraced runs a workload again and lists where a job waited, first to last. It is nil for runs of
// which that is not known: those of central policies and of the cores.
type retraced func(job int) ([]stop, error)

func retracing(w *scheduler.Workload, on *grounds, c *Cell, seed uint64) retraced {
	if _, r, err := policyOf(c); err != nil || !r.overlaps || c.Get("fidelity") != bulk {
		return nil
	}
	return func(job int) ([]stop, error) {
		g, o, err := on.ready(c, seed)
		if err != nil {
			return nil, err
		}
		return stops(w, g, o, job)
	}
}

func stops(w *scheduler.Workload, g *parallel.Grid, o parallel.Options, job int) ([]stop, error) {
	var all []stop
	var next stop
	o.Trace = func(e parallel.Event) {
		switch {
		case e.Job != job:
		case e.Kind == parallel.Moved:
			next = stop{movedMicros: e.AtMicros, by: e.By}
		case e.Kind == parallel.Represented:
			next.micros, next.cluster = e.AtMicros, g.Nodes[e.Node].Cluster
			all = append(all, next)
		}
	}
	_, err := parallel.Run(context.Background(), w, g, o)
	return all, err
}

// travelled tells where a job of a decentralised policy waited, why it moved, and how long it had
// to wait before and after that.
func (l *life) travelled(all []stop) {
	name := func(s stop) string { return l.o.Platform.Clusters[s.cluster].Name }
	for i, s := range all {
		if i == 0 {
			l.say("After %s on the map it waited in cluster %s from %s on.", span(s.micros-l.job.SubmitMicros), name(s),
				span(s.micros))
			continue
		}
		why := "where it could start at once, as far as its representative knew (DLB)"
		if s.by == reptask.ByQB {
			why = "where queues were shorter, as far as its representative knew (QB)"
		}
		where := "cluster " + name(s)
		if s.cluster == all[i-1].cluster {
			where = "another node of " + where
		}
		l.say("At %s it moved to %s, %s. It waited there from %s on.", span(s.movedMicros), where, why, span(s.micros))
	}
	if n := len(all); n > 1 {
		l.say("It had waited %s before its last move, and waited %s after it.", span(all[n-1].movedMicros-all[0].micros),
			span(l.record.StartMicros-all[n-1].movedMicros))
	} else if n == 1 && l.policy.Name != "static" {
		l.say("It did not move.")
	}
}
