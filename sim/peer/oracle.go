package peer

import (
	"iter"
	"slices"
	"strings"

	model "github.com/canvass-grid/canvass/model/peer"
	tasks "github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/protocol"
	mapcore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
	"github.com/canvass-grid/canvass/sim/refine"
)

// judge holds a run to the properties.
type oracle struct {
	sim.Violation
	run       *run
	canMap    *can.Map
	clusters  *refine.Oracle
	chronicle *tasks.Chronicle
	drifts    bool // latencies change, so what a cluster had room for says nothing
	clients   *clients
	lives     tasks.Lives
	before    []peer.State
	tasks     []*tasks.View // of live nodes, by place
	seen      map[string]int
	roomy     bool // nobody comes or goes: a job that fits is accepted
	lossless  bool // no message is lost
}

func newOracle(r *run, p *sim.Plan) *oracle {
	j := &oracle{
		run: r, drifts: drifts(p),
		canMap: can.NewMap(
			&r.cfg.Can,
			p.Nodes,
			can.Guard{Apart: apart, Stay: stay},
			func(node int) *mapcore.State { return &r.State(node).Can },
		),
		clusters: refine.NewOracle(&r.cfg.Refine, p.Nodes), clients: newClients(), lives: tasks.Lives{},
		before: make([]peer.State, p.Nodes), tasks: make([]*tasks.View, p.Nodes), seen: map[string]int{},
	}
	if j.drifts {
		j.clusters.Near = j.within
	}
	j.chronicle = tasks.NewChronicle(j.clients.size)
	changes := func(op sim.Op) bool { return op.Do == opJoin || op.Do == opLeave || op.Do == opCrash }
	j.roomy = !j.drifts && !slices.ContainsFunc(p.Ops, changes)
	lost := slices.ContainsFunc(p.Faults, func(f sim.Fault) bool { return f.Kind == sim.FaultDrop })
	j.lossless = p.Drop == 0 && !lost
	return j
}

// step is called after each step that changed a node or told its application something. What the
// step cannot have changed is not looked at.
func (j *oracle) step(node int, events []protocol.Event) {
	live, s := j.run.Live(node), j.run.State(node)
	of := j.split(events)
	j.canMap.Step(node, live, of[peer.CanLayer])
	if property, where := j.canMap.Broken(); property != "" {
		j.Violate(property, "%s", where)
	}
	before := j.before[node]
	j.before[node] = peer.State{}
	if live {
		j.before[node] = *s
	}
	if !live || before.ID() != s.ID() || len(of[peer.RefineLayer]) > 0 || !sameClusters(&before.Refine, &s.Refine) {
		j.clusters.Step(node, live, &s.Refine, of[peer.RefineLayer])
		if property, where := j.clusters.Broken(); property != "" {
			j.Violate(property, "%s", where)
		}
	}
	if !live || before.ID() != s.ID() || len(of[peer.TaskLayer]) > 0 || !sameTasks(&before.Tasks, &s.Tasks) {
		j.stepTasks(node, live, s, of[peer.TaskLayer])
	}
	j.clients.step(s, live, events, j.kept)
	switch {
	case !live:
	case !model.MembersOnly(s):
		j.Violate("MembersOnly", "%v has business with tasks", s.ID())
	case !model.OneLife(s):
		j.Violate("OneLife", "%v is somebody else in another layer", s.ID())
	case !model.ClusterFollows(s):
		j.Violate("ClusterFollows", "%v runs jobs elsewhere", s.ID())
	case s.Leaving && slices.ContainsFunc(events, func(e protocol.Event) bool { return e.Name == peer.EventLost && e.Detail == peer.DetailFull }):
		j.Violate("PassedOn", "%v leaves, and kept a job that it cannot take", s.ID())
	}
}

// split gives each layer its events, under their own names. A crash is for all.
func (j *oracle) split(events []protocol.Event) (of [3][]protocol.Event) {
	for _, e := range events {
		layer, name, inside := strings.Cut(e.Name, ":")
		if layer != peer.CanLayer.String() && e.Name != "crash" {
			j.seen[e.Name]++
		}
		for l := range of {
			if e.Name == "crash" || inside && layer == peer.Layer(l).String() {
				own := e
				if inside {
					own.Name = name
				}
				of[l] = append(of[l], own)
			}
		}
	}
	return of
}

// stepTasks looks at what a step of the tasks can have changed.
func (j *oracle) stepTasks(node int, live bool, s *peer.State, events []protocol.Event) {
	j.tasks[node] = nil
	if live {
		j.tasks[node] = tasks.ViewOf(s.Tasks)
		j.clients.owns(s, func(size int) bool { return j.room(s, size) })
	}
	for _, e := range events {
		if e.Name == "crash" {
			j.chronicle.Observe(j.lives.Number(e.Peer), nil, events)
			return
		}
	}
	if !live { // it has left, and is as good as crashed for those that it did not tell everything
		j.chronicle.Observe(j.lives.Number(s.ID()), nil, []protocol.Event{{Name: "crash", Peer: s.ID()}})
		return
	}
	j.chronicle.Observe(j.lives.Number(s.ID()), j.tasks[node], events)
	if property := j.chronicle.Broken(); property != "" {
		j.Violate(property, "%s", sim.InStep(s.ID(), events))
	}
	if !model.OneTask(j.live()) {
		j.Violate("OneTask", "%v runs a task too many", s.ID())
	}
	for _, v := range j.tasks {
		if v != nil && !tasks.VotesHeld(v, j.tasksOf) {
			j.Violate("VotesHeld", "%v counts a vote that its host does not hold", v.ID)
		}
	}
}

// room reports whether the cluster of a node, or of a neighbour of it, has so many nodes.
func (j *oracle) room(s *peer.State, size int) bool {
	return len(s.Tasks.Cluster) >= size || slices.ContainsFunc(s.Can.Direct(), func(r mapcore.Record) bool {
		return j.run.Running(r.ID) && len(j.run.State(int(r.ID.Address)).Tasks.Cluster) >= size
	})
}

// kept reports whether a live node owns or represents a job, or knows how it ended.
func (j *oracle) kept(job reptask.Job) bool {
	for s := range j.live() {
		if slices.ContainsFunc(s.Tasks.Owned, func(o reptask.Owned) bool { return o.Job == job }) ||
			slices.ContainsFunc(s.Tasks.Roles, func(r reptask.Role) bool { return r.Job == job }) {
			return true
		}
	}
	return false
}

// live goes through the states of the live nodes.
func (j *oracle) live() iter.Seq[*peer.State] {
	return func(yield func(*peer.State) bool) {
		for i := range j.run.Len() {
			if j.run.Live(i) && !yield(j.run.State(i)) {
				return
			}
		}
	}
}

func (j *oracle) tasksOf(id protocol.NodeID) (*tasks.View, bool) {
	v := j.tasks[id.Address]
	return v, v != nil && v.ID == id
}

// counts tells how often what happened.
func (j *oracle) counts() map[string]int {
	all := j.canMap.Counts()
	for name, n := range j.seen {
		all[name] += n
	}
	return all
}
