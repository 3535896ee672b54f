package peer

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	model "github.com/canvass-grid/canvass/model/peer"
	clusters "github.com/canvass-grid/canvass/model/refine"
	tasks "github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/protocol"
	mapcore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
	"github.com/canvass-grid/canvass/traces"
)

// shapes are the properties that runs are held to beside those of the map, by the names of packages model/peer, model/refine
// and model/reptask.
var shapes = map[string]string{
	"MembersOnly": traces.Always, "OneLife": traces.Always, "ClusterFollows": traces.Always, "OneTask": traces.Always,
	"MembershipBound": traces.Always, "SizeBound": traces.Always, "Measured": traces.Always, "HeadKnows": traces.Always,
	"RemovedIsGone": traces.Always, "Advertises": traces.Always, "AwarenessBound": traces.Always,
	"VotesHeld": traces.Always, "NeverMore": traces.Always, "CancelledStays": traces.Always, "BoundedOvertaking": traces.Always,
	"MovesOnce": traces.Always, "OneResult": traces.Always, "FullRun": traces.Always,
	"AdoptionBound": traces.Quiescent, "Agree": traces.Quiescent, "Largest": traces.Quiescent, "AskedAgain": traces.Quiescent, "Near": traces.Quiescent,
	"NobodyStuck": traces.Quiescent, "ClustersAlive": traces.Quiescent, "ClustersAgree": traces.Quiescent, "JobsEnd": traces.Quiescent,
	"NobodyReserved": traces.Quiescent, "LeftClean": traces.Quiescent, "JobService": traces.Quiescent,
}

func shape(property string) string {
	if s := shapes[property]; s != "" {
		return s
	}
	return can.Shape(property)
}

// judge holds a run to the properties.
type judge struct {
	run      *run
	land     *can.Map
	bounds   clusters.Bounds
	found    *clusters.Chronicle
	ran      *tasks.Chronicle
	drifts   bool // latencies change
	clients  *clients
	lives    tasks.Lives
	before   []peer.State
	clusters []*clusters.View // of live nodes that have not said farewell, by place
	tasks    []*tasks.View    // of live nodes, by place
	seen     map[string]int
	roomy    bool // nobody comes or goes: a job that fits is accepted
	lossless bool // no message is lost
	broken   string
	where    string
}

func newJudge(r *run) *judge {
	n := r.plan.Nodes
	j := &judge{
		run: r, bounds: clusters.Bounds{Membership: r.cfg.Refine.MembershipBound, Size: r.cfg.Refine.SizeBound},
		land:  can.NewMap(&r.cfg.Can, n, apart, stay, func(node int) *mapcore.State { return &r.State(node).Can }),
		found: clusters.NewChronicle(r.cfg.Refine.DiameterMicros), clients: newClients(), lives: tasks.Lives{},
		before: make([]peer.State, n), clusters: make([]*clusters.View, n), tasks: make([]*tasks.View, n), seen: map[string]int{},
	}
	j.ran = tasks.NewChronicle(j.clients.size)
	j.roomy = !slices.ContainsFunc(r.plan.Ops, func(op sim.Op) bool { return op.Do == opJoin || op.Do == opLeave || op.Do == opCrash })
	lost := slices.ContainsFunc(r.plan.Faults, func(f sim.Fault) bool { return f.Kind == sim.FaultLose })
	j.lossless = r.plan.Lose == 0 && !lost
	return j
}

func (j *judge) violated(property, format string, args ...any) {
	if j.broken == "" {
		j.broken, j.where = property, fmt.Sprintf(format, args...)
	}
}

// step is called after each step that changed a node or told its application something. What the step cannot have changed
// is not looked at.
func (j *judge) step(node int, events []protocol.Event) {
	live, s := j.run.Live(node), j.run.State(node)
	of := j.split(events)
	j.land.Step(node, live, of[peer.CanLayer])
	if property, where := j.land.Broken(); property != "" {
		j.violated(property, "%s", where)
	}
	before := j.before[node]
	j.before[node] = peer.State{}
	if live {
		j.before[node] = *s
	}
	if !live || before.ID() != s.ID() || len(of[peer.RefineLayer]) > 0 || !sameClusters(&before.Refine, &s.Refine) {
		j.stepClusters(node, live, s, of[peer.RefineLayer])
	}
	if !live || before.ID() != s.ID() || len(of[peer.TaskLayer]) > 0 || !sameTasks(&before.Tasks, &s.Tasks) {
		j.stepTasks(node, live, s, of[peer.TaskLayer])
	}
	j.clients.step(s, live, events, j.kept)
	switch {
	case !live:
	case !model.MembersOnly(s):
		j.violated("MembersOnly", "%v has business with tasks", s.ID())
	case !model.OneLife(s):
		j.violated("OneLife", "%v is somebody else in another layer", s.ID())
	case !model.ClusterFollows(s):
		j.violated("ClusterFollows", "%v runs jobs elsewhere", s.ID())
	}
}

// split gives each layer its events, under their own names. A crash is for all.
func (j *judge) split(events []protocol.Event) (of [3][]protocol.Event) {
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

// stepClusters looks at what a step of the refinement can have changed.
func (j *judge) stepClusters(node int, live bool, s *peer.State, events []protocol.Event) {
	j.clusters[node] = nil
	var v *clusters.View
	if live {
		v = clusters.ViewOf(s.Refine)
	}
	if live && !s.Refine.Departed {
		j.clusters[node] = v
	}
	j.found.Observe(node, v, events)
	for _, other := range j.clusters {
		if other != nil && !clusters.HeadKnows(other, j.clusterOf) {
			j.violated("HeadKnows", "a head of %v does not know it", other.ID)
		}
	}
	if v = j.clusters[node]; v == nil {
		return
	}
	if property := j.found.Broken(v); property != "" {
		j.violated(property, "at %v", v.ID)
	}
	for _, each := range []struct {
		name  string
		holds func(*clusters.View) bool
	}{
		{"MembershipBound", j.bounds.MembershipBound}, {"SizeBound", j.bounds.SizeBound}, {"Advertises", clusters.Advertises},
		{"AwarenessBound", j.bounds.AwarenessBound},
	} {
		if !each.holds(v) {
			j.violated(each.name, "at %v", v.ID)
		}
	}
}

// stepTasks looks at what a step of the tasks can have changed.
func (j *judge) stepTasks(node int, live bool, s *peer.State, events []protocol.Event) {
	j.tasks[node] = nil
	if live {
		j.tasks[node] = tasks.ViewOf(s.Tasks)
		j.clients.owns(s)
	}
	for _, e := range events {
		if e.Name == "crash" {
			j.ran.Observe(j.lives.Number(e.Peer), nil, events)
			return
		}
	}
	if !live { // it has left, and is as good as crashed for those that it did not tell everything
		j.ran.Observe(j.lives.Number(s.ID()), nil, []protocol.Event{{Name: "crash", Peer: s.ID()}})
		return
	}
	j.ran.Observe(j.lives.Number(s.ID()), j.tasks[node], events)
	if property := j.ran.Broken(); property != "" {
		j.violated(property, "in the step of %v", s.ID())
	}
	if !model.OneTask(j.live()) {
		j.violated("OneTask", "%v runs a task too many", s.ID())
	}
	for _, v := range j.tasks {
		if v != nil && !tasks.VotesHeld(v, j.tasksOf) {
			j.violated("VotesHeld", "%v counts a vote that its host does not hold", v.ID)
		}
	}
}

// kept reports whether a live node owns or represents a job, or knows how it ended.
func (j *judge) kept(job reptask.Job) bool {
	for s := range j.live() {
		if slices.ContainsFunc(s.Tasks.Owned, func(o reptask.Owned) bool { return o.Job == job }) ||
			slices.ContainsFunc(s.Tasks.Roles, func(r reptask.Role) bool { return r.Job == job }) {
			return true
		}
	}
	return false
}

// live goes through the states of the live nodes.
func (j *judge) live() iter.Seq[*peer.State] {
	return func(yield func(*peer.State) bool) {
		for i := range j.run.Len() {
			if j.run.Live(i) && !yield(j.run.State(i)) {
				return
			}
		}
	}
}

func (j *judge) clusterOf(id protocol.NodeID) (*clusters.View, bool) {
	v := j.clusters[id.Address]
	return v, v != nil && v.ID == id
}

func (j *judge) tasksOf(id protocol.NodeID) (*tasks.View, bool) {
	v := j.tasks[id.Address]
	return v, v != nil && v.ID == id
}

// counts tells how often what happened.
func (j *judge) counts() map[string]int {
	all := j.land.Counts()
	for name, n := range j.seen {
		all[name] += n
	}
	return all
}
