package peer

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim/can"
)

// Unchanged reports whether two states are equal. It may report false for equal states.
func Unchanged(a, b *peer.State) bool {
	return sameTree(a.Tree, b.Tree) && a.Leaving == b.Leaving &&
		can.Unchanged(&a.Can, &b.Can) && sameClusters(&a.Refine, &b.Refine) &&
		sameTasks(&a.Tasks, &b.Tasks) && slices.EqualFunc(a.Clients, b.Clients, func(c, d peer.Client) bool {
		return c.Number == d.Number && c.Entry == d.Entry && c.Ticket == d.Ticket &&
			c.Search.Unsure == d.Search.Unsure && slices.Equal(c.Search.Steps, d.Search.Steps)
	})
}

// sameTree reports whether two states of the tree are equal.
func sameTree(a, b *dtm.State) bool {
	return a == b || a != nil && b != nil && bytes.Equal(dtm.AppendState(nil, *a), dtm.AppendState(nil, *b))
}

// sameClusters reports whether two states of the refinement are equal.
func sameClusters(a, b *refine.State) bool {
	return a.ID == b.ID && a.Departed == b.Departed && a.Head == b.Head && a.Round == b.Round && a.Again == b.Again &&
		a.ClusterRound == b.ClusterRound && slices.Equal(a.Survey, b.Survey) &&
		slices.EqualFunc(a.Candidates, b.Candidates, func(c, d refine.Candidate) bool {
			return c.ID == d.ID && c.Status == d.Status && (c.Report == nil) == (d.Report == nil) &&
				slices.Equal(c.Report, d.Report)
		}) &&
		slices.EqualFunc(a.Slots, b.Slots, func(s, t refine.Slot) bool {
			return s.Head == t.Head && s.Stage == t.Stage && s.Round == t.Round && s.Ceiling == t.Ceiling && s.Sure == t.Sure &&
				s.ClusterRound == t.ClusterRound && slices.Equal(s.Survey, t.Survey) && slices.Equal(s.Members, t.Members)
		})
}

// sameTasks reports whether two states of the task layer are equal.
func sameTasks(a, b *reptask.State) bool {
	return a.Self == b.Self && a.Jobs == b.Jobs && a.Epoch == b.Epoch && a.Leaving == b.Leaving &&
		slices.Equal(a.Tasks, b.Tasks) && slices.Equal(a.Floors, b.Floors) &&
		slices.Equal(a.Cluster, b.Cluster) && slices.Equal(a.Silent, b.Silent) &&
		slices.EqualFunc(a.Owned, b.Owned, func(o, p reptask.Owned) bool {
			return o.Job == p.Job && o.By == p.By && o.Parting == p.Parting && o.Spec == p.Spec &&
				o.Next == p.Next && o.NextBy == p.NextBy && o.State == p.State && o.Epoch == p.Epoch &&
				o.Moves == p.Moves && o.Rep == p.Rep && o.Refusals == p.Refusals && slices.Equal(o.Candidates, p.Candidates)
		}) &&
		slices.EqualFunc(a.Roles, b.Roles, func(r, q reptask.Role) bool {
			return r.Job == q.Job && r.By == q.By && r.Owner == q.Owner && r.Bond == q.Bond && r.Epoch == q.Epoch &&
				r.Spec == q.Spec && r.Moves == q.Moves && r.Phase == q.Phase && r.Why == q.Why && r.Target == q.Target &&
				r.TargetBy == q.TargetBy && slices.Equal(r.Candidates, q.Candidates) && slices.Equal(r.Members, q.Members)
		})
}
