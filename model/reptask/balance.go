package reptask

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// The dimensions of scenarios with balancing. They stand for one of each class.
const (
	memoryDim  = iota // of a node: at least
	nodesDim          // of a cluster: at least
	systemDim         // the operating system: equal
	virtualDim        // not compared
	dimensions
)

func classes() match.Classes { return match.Classes{systemDim: match.Equal, virtualDim: match.Ignored} }

// required is the requirement of each job, and the capability of the nodes.
var required = space.Point{memoryDim: 4, systemDim: 7, virtualDim: 5}

// turn is a turn of balancing, with the reports of a node's neighbours at that time. Reports are
// drawn. They need not be true, since a node decides by old ones.
type turn []load

// load is the report of a site.
type load struct {
	site                    byte
	memory, system, virtual int32
	queues                  string // of the nodes in its cluster, with their lengths: "B0 C2"
}

// coordinate is the resource coordinate of the site.
func (l load) coordinate() space.Point {
	nodes := int32(len(l.lengths()))
	return space.Point{memoryDim: l.memory, nodesDim: nodes, systemDim: l.system, virtualDim: l.virtual}
}

func (l load) lengths() []reptask.Queue {
	var all []reptask.Queue
	for i := 0; i+1 < len(l.queues); i += 3 {
		all = append(all, reptask.Queue{Node: id(l.queues[i]), Length: uint32(l.queues[i+1] - '0')})
	}
	return all
}

// turnCommand is the command for the i-th turn: a move without owner and target, which the agent
// replaces by the proposal of the core.
func turnCommand(i int) reptask.Command {
	return reptask.Command{Kind: reptask.CommandMove, Job: reptask.Job{Number: uint32(i) + 1}}
}

func isTurn(c reptask.Command) bool { return c.Kind == reptask.CommandMove && c.Target.IsNobody() }

// balance is a turn: the core decides which job moves, and obeys. The decision is compared with the
// expected one.
func (a *agent) balance(s reptask.State, c reptask.Command) (reptask.State, reptask.Output) {
	t, cfg := a.turns[c.Job.Number-1], &a.Config
	view := &reptask.Reports{Config: cfg}
	for _, l := range t {
		view.Sites = append(view.Sites, reptask.Site{ID: id(l.site), Coordinate: l.coordinate()})
		view.Queues = append(view.Queues, l.lengths())
	}
	order, moves := reptask.Balance(cfg, s.Self, s.Idle(cfg), view.Sites, view)
	fits := t.allows(cfg, &s, order, moves)
	var out reptask.Output
	if moves {
		s, out = a.step(s, reptask.Input{Kind: protocol.Command, Command: order})
	}
	if !fits {
		out.Events = append(out.Events, protocol.Event{Name: eventMisfit, Peer: order.Target})
	}
	return s, out
}

// allows reports whether what the core proposes is right: section 4.2 in other words.
func (t turn) allows(cfg *reptask.Config, s *reptask.State, order reptask.Command, moves bool) bool {
	roles := slices.DeleteFunc(slices.Clone(s.Roles), func(r reptask.Role) bool { return r.Phase != reptask.Collecting })
	slices.SortFunc(roles, func(a, b reptask.Role) int { return cmp.Compare(a.Job.Submitted, b.Job.Submitted) })
	for _, by := range []reptask.Algorithm{reptask.ByDLB, reptask.ByQB} {
		for i := range roles {
			r := &roles[i]
			if r.Moves[by] || r.Moves[1-by] && !cfg.MoveEach {
				continue
			}
			var takers []load
			for _, l := range t {
				if id(l.site) != s.Self && l.takes(cfg, s, r, by) {
					takers = append(takers, l)
				}
			}
			if len(takers) > 0 {
				return moves && order.By == by && order.Job == r.Job && smallest(takers, order.Target)
			}
		}
	}
	return !moves
}

// takes reports whether a site qualifies for a job by an algorithm.
func (l load) takes(cfg *reptask.Config, s *reptask.State, r *reptask.Role, by reptask.Algorithm) bool {
	free, longest := 0, 0
	for _, q := range l.lengths() {
		length := int(q.Length)
		if m := slices.IndexFunc(r.Members, func(m reptask.Member) bool { return m.Host == q.Node }); m >= 0 && length > 0 {
			length-- // its own task is not in its way
		}
		if length == 0 {
			free++
		}
		longest = max(longest, length)
	}
	if l.memory < required[memoryDim] || l.system != required[systemDim] {
		return false
	}
	if by == reptask.ByDLB {
		return free >= int(r.Spec.Size)
	}
	if len(l.lengths()) < int(r.Spec.Size) {
		return false
	}
	var positions []int
	for _, m := range r.Members {
		positions = append(positions, position(s, r, m))
	}
	if cfg.KthPosition {
		slices.Sort(positions)
		return longest < positions[r.Spec.Size-1]-1
	}
	sum := 0
	for _, p := range positions {
		sum += p - 1
	}
	return longest*len(positions) < sum
}

// position is the queue position of a dependent task, in its representative's view.
func position(s *reptask.State, r *reptask.Role, m reptask.Member) int {
	if m.Host != s.Self {
		return int(m.Position)
	}
	ahead := 0
	for _, t := range s.Tasks {
		if t.State == reptask.TaskRunning || t.State < reptask.TaskRunning && t.Job.Submitted < r.Job.Submitted {
			ahead++
		}
	}
	return ahead
}

// smallest reports whether no site is smaller than the chosen one.
func smallest(sites []load, chosen protocol.NodeID) bool {
	at := slices.IndexFunc(sites, func(l load) bool { return id(l.site) == chosen })
	return at >= 0 && !slices.ContainsFunc(sites, func(l load) bool {
		memory := l.memory - sites[at].memory
		nodes := len(l.lengths()) - len(sites[at].lengths())
		return memory <= 0 && nodes <= 0 && (memory < 0 || nodes < 0)
	})
}
