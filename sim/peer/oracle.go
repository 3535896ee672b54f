package peer

import (
	"iter"
	"slices"
	"strings"

	peermodel "github.com/canvass-grid/canvass/model/peer"
	reptaskmodel "github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
	"github.com/canvass-grid/canvass/sim/refine"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	run       *run
	canMap    *can.Map
	clusters  *refine.Oracle
	chronicle *reptaskmodel.RunMonitor
	drifts    bool // latencies change, so the former size of a cluster means nothing
	clients   *clients
	lives     reptaskmodel.Lives
	before    []peer.State
	tasks     []*reptaskmodel.View // of live nodes, by index
	seen      map[string]int
	roomy     bool // no node comes or goes: a job that fits is accepted
	lossless  bool // no message is dropped
}

func newOracle(r *run, p *sim.Plan) *oracle {
	j := &oracle{
		run: r, drifts: drifts(p),
		canMap: can.NewMap(
			&r.cfg.Can,
			p.Nodes,
			can.Guard{Apart: apart, Stay: stay},
			func(node int) *cancore.State { return &r.State(node).Can },
		),
		clusters: refine.NewOracle(&r.cfg.Refine, p.Nodes), clients: newClients(), lives: reptaskmodel.Lives{},
		before: make([]peer.State, p.Nodes), tasks: make([]*reptaskmodel.View, p.Nodes), seen: map[string]int{},
	}
	if j.drifts {
		j.clusters.Near = j.isWithin
	}
	j.chronicle = reptaskmodel.NewRunMonitor(j.clients.size)
	changes := func(op sim.Op) bool { return op.Do == opJoin || op.Do == opLeave || op.Do == opCrash }
	j.roomy = !j.drifts && !slices.ContainsFunc(p.Ops, changes)
	lost := slices.ContainsFunc(p.Faults, func(f sim.Fault) bool { return f.Kind == sim.FaultDrop })
	j.lossless = p.Drop == 0 && !lost
	return j
}

// step is called after each step that changed a node or had events. It checks only properties that
// the step can have changed.
func (o *oracle) step(node int, events []protocol.Event) {
	live, s := o.run.Live(node), o.run.State(node)
	of := o.split(events)
	o.canMap.Step(node, live, of[peer.CanLayer])
	if property, where := o.canMap.Broken(); property != "" {
		o.Violate(property, "%s", where)
	}
	before := o.before[node]
	o.before[node] = peer.State{}
	if live {
		o.before[node] = *s
	}
	if !live || before.ID() != s.ID() || len(of[peer.RefineLayer]) > 0 || !sameClusters(&before.Refine, &s.Refine) {
		o.clusters.Step(node, live, &s.Refine, of[peer.RefineLayer])
		if property, where := o.clusters.Broken(); property != "" {
			o.Violate(property, "%s", where)
		}
	}
	if !live || before.ID() != s.ID() || len(of[peer.TaskLayer]) > 0 || !sameTasks(&before.Tasks, &s.Tasks) {
		o.stepTasks(node, live, s, of[peer.TaskLayer])
	}
	o.clients.step(s, live, events, o.knows)
	o.follow(node, events)
	if live {
		o.checkNode(s, events)
	}
}

// checkNode checks a node by itself after its step.
func (o *oracle) checkNode(s *peer.State, events []protocol.Event) {
	if property := peermodel.Broken(&o.run.cfg, s); property != "" {
		o.Violate(property, "in the state of %v", s.ID())
	}
	for i := range s.Clients {
		if !peermodel.SeekEnds(&o.run.cfg, &s.Clients[i].Search) {
			o.Violate("SeekEnds", "a search that found %v has visited a node twice, or too many", s.ID())
		}
	}
	if s.Leaving && slices.ContainsFunc(events, peermodel.IsDropped) {
		o.Violate("PassedOn", "%v leaves but kept a job that it cannot take", s.ID())
	}
}

// split returns the events of each layer, by their own names. A crash is an event of all layers.
func (o *oracle) split(events []protocol.Event) (of [3][]protocol.Event) {
	for _, e := range events {
		layer, name, inside := strings.Cut(e.Name, ":")
		if layer != peer.CanLayer.String() && e.Name != "crash" {
			o.seen[e.Name]++
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

// stepTasks checks what a step of the task layer can have changed.
func (o *oracle) stepTasks(node int, live bool, s *peer.State, events []protocol.Event) {
	o.tasks[node] = nil
	if live {
		o.tasks[node] = reptaskmodel.ViewOf(s.Tasks)
		o.clients.owns(s, func(spec *reptask.Spec) []protocol.NodeID { return o.room(s, spec) })
	}
	for _, e := range events {
		if e.Name == "crash" {
			o.chronicle.Observe(o.lives.Number(e.Peer), nil, events)
			return
		}
	}
	if !live { // it has left, which is a crash for the nodes that it did not notify
		o.chronicle.Observe(o.lives.Number(s.ID()), nil, []protocol.Event{{Name: "crash", Peer: s.ID()}})
		return
	}
	o.chronicle.Observe(o.lives.Number(s.ID()), o.tasks[node], events)
	if property := o.chronicle.Broken(); property != "" {
		o.Violate(property, "%s", sim.InStep(s.ID(), events))
	}
	if !peermodel.OneTask(o.live()) {
		o.Violate("OneTask", "%v runs more than one task", s.ID())
	}
	for _, v := range o.tasks {
		if v != nil && !reptaskmodel.VotesHeld(v, o.tasksOf) {
			o.Violate("VotesHeld", "%v counts a vote that its host does not hold", v.ID)
		}
	}
}

// room returns those of a node and its neighbours that can run a job.
func (o *oracle) room(s *peer.State, spec *reptask.Spec) (all []protocol.NodeID) {
	if o.isAble(s, spec) {
		all = append(all, s.ID())
	}
	for _, r := range s.Can.Direct() {
		if o.run.Running(r.ID) && o.isAble(o.run.State(int(r.ID.Address)), spec) {
			all = append(all, r.ID)
		}
	}
	return all
}

// knows reports whether a live node owns or represents a job, or knows how it ended.
func (o *oracle) knows(job reptask.Job) bool {
	for s := range o.live() {
		if slices.ContainsFunc(s.Tasks.Owned, func(owned reptask.Owned) bool { return owned.Job == job }) ||
			slices.ContainsFunc(s.Tasks.Roles, func(r reptask.Role) bool { return r.Job == job }) {
			return true
		}
	}
	return false
}

// live iterates over the states of the live nodes.
func (o *oracle) live() iter.Seq[*peer.State] {
	return func(yield func(*peer.State) bool) {
		for i := range o.run.Len() {
			if o.run.Live(i) && !yield(o.run.State(i)) {
				return
			}
		}
	}
}

func (o *oracle) tasksOf(id protocol.NodeID) (*reptaskmodel.View, bool) {
	v := o.tasks[id.Address]
	return v, v != nil && v.ID == id
}

// counts counts the events by name.
func (o *oracle) counts() map[string]int {
	all := o.canMap.Counts()
	for name, n := range o.seen {
		all[name] += n
	}
	o.countNear(all)
	return all
}
