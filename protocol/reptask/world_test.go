package reptask_test

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// process is a node with what its driver holds for it.
type process struct {
	address   protocol.Address
	state     reptask.State
	timers    []protocol.Timer
	up        bool
	persisted []byte
}

// world is a driver for a handful of nodes: a network without order, and timers that the test
// fires.
type world struct {
	cfg    *reptask.Config
	nodes  []*process
	net    []reptask.Envelope
	log    func(string)
	events map[string]int
	broken error // the first thing that must not be

	size     map[reptask.Job]uint32
	started  map[attemptName][]protocol.NodeID
	finished map[attemptName]uint32
	ended    map[reptask.Job]ending
	finds    bool // a representative that lost its owner is told of another
}

// ending is how a job ended, and who said so.
type ending struct {
	event   string
	attempt reptask.Attempt
	owner   protocol.NodeID
}

// again reports whether a job may end so once more: another owner takes the same result, since the
// one that took it has failed.
func (e ending) again(then ending, w *world) bool {
	return e.event == reptask.EventAccept && then.event == e.event && then.attempt == e.attempt && then.owner != e.owner &&
		!w.running(e.owner)
}

// attemptName is how events name an attempt.
type attemptName struct {
	owner protocol.NodeID
	epoch uint32
}

func newWorld(nodes int) *world {
	cfg := reptask.DefaultConfig()
	cfg.Report = true
	w := &world{
		cfg: &cfg, events: map[string]int{}, size: map[reptask.Job]uint32{}, started: map[attemptName][]protocol.NodeID{},
		finished: map[attemptName]uint32{}, ended: map[reptask.Job]ending{},
	}
	for i := range nodes {
		p := &process{address: protocol.Address(i), state: reptask.New(protocol.Address(i))}
		w.nodes = append(w.nodes, p)
		w.start(p)
	}
	return w
}

func (w *world) note(format string, args ...any) {
	if w.log != nil {
		w.log(fmt.Sprintf(format, args...))
	}
}

func (w *world) violated(format string, args ...any) {
	if w.broken == nil {
		w.broken = fmt.Errorf(format, args...)
		w.note("VIOLATED %v", w.broken)
	}
}

func (w *world) at(id protocol.NodeID) *process { return w.nodes[id.Address] }

func (w *world) running(id protocol.NodeID) bool {
	return int(id.Address) < len(w.nodes) && w.at(id).up && w.at(id).state.Self == id
}

// start begins a life, the first or a later one.
func (w *world) start(p *process) {
	in := reptask.Input{Kind: protocol.Start}
	if p.persisted != nil {
		in = reptask.Input{Kind: protocol.Restart, Persisted: p.persisted}
	}
	p.up, p.timers = true, nil
	w.feed(p, in)
}

func (w *world) crash(p *process) {
	w.note("crash %v", p.state.Self)
	p.up, p.timers = false, nil
}

func (w *world) order(p *process, o reptask.Command) {
	w.feed(p, reptask.Input{Kind: protocol.Command, Command: o})
}

// deliver hands over a message and takes it from the network.
func (w *world) deliver(i int) {
	e := w.net[i]
	w.net = slices.Delete(w.net, i, i+1)
	w.hand(e)
}

// hand delivers a message, or a copy of one.
func (w *world) hand(e reptask.Envelope) {
	w.note("deliver %v<-%v %s", e.To, e.From, reptask.MessageText(w.cfg, e.Message))
	if w.running(e.To) {
		w.feed(w.at(e.To), reptask.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
	}
}

func (w *world) drain() {
	for len(w.net) > 0 && w.broken == nil {
		w.deliver(0)
	}
}

func (w *world) fire(p *process, t protocol.Timer) {
	w.note("timeout %v %s", p.state.Self, reptask.TimerText(t))
	p.timers = slices.DeleteFunc(p.timers, func(x protocol.Timer) bool { return x == t })
	w.feed(p, reptask.Input{Kind: protocol.Timeout, Timer: t})
}

// feed steps a node and obeys the output. What the decoder makes of the new state must be that
// state.
func (w *world) feed(p *process, in reptask.Input) {
	s, out := reptask.Step(w.cfg, p.state, in)
	p.state = s
	if out.Persist != nil {
		p.persisted = out.Persist
	}
	for _, e := range out.Send {
		w.note("    send %v->%v %s", e.From, e.To, reptask.MessageText(w.cfg, e.Message))
	}
	w.net = append(w.net, out.Send...)
	for _, t := range out.Cancel {
		p.timers = slices.DeleteFunc(p.timers, func(x protocol.Timer) bool { return x == t })
	}
	for _, set := range out.Set {
		if !slices.Contains(p.timers, set.Timer) {
			p.timers = append(p.timers, set.Timer)
		}
	}
	for _, e := range out.Events {
		w.events[e.Name]++
		if e.Name != reptask.EventIgnore {
			w.note("    event %s %v %d%s", e.Name, e.Peer, e.Number, detail(e.Detail))
		}
		w.judge(p, e)
	}
	w.checkAlways()
	w.findOwners(p)
}

// findOwners is what an application does for orphans: it names the owner if that still runs, or
// else the next node that does, the first owner being the last choice but the representative
// itself. Were it to name another node while the owner runs, both would own the job, as the package
// says of an owner that is held for failed twice over.
func (w *world) findOwners(p *process) {
	for _, r := range p.state.Roles {
		if !w.finds || !p.up || r.Bond != reptask.Seeking {
			continue
		}
		o := reptask.Command{Kind: reptask.CommandAdopt, Job: r.Job, Target: w.heir(p, r)}
		for _, q := range w.nodes {
			if q.up {
				o.Candidates = append(o.Candidates, q.state.Self)
			}
		}
		w.note("find %v at %v", o.Target, p.state.Self)
		w.order(p, o)
		return // it is told of the next in that step
	}
}

func (w *world) heir(p *process, r reptask.Role) protocol.NodeID {
	if w.running(r.Owner) {
		return r.Owner
	}
	for i := range w.nodes {
		if q := w.nodes[(int(r.Job.Owner.Address)+1+i)%len(w.nodes)]; q.up && q != p {
			return q.state.Self
		}
	}
	return p.state.Self
}

func detail(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// judge holds an event against what happened before.
func (w *world) judge(p *process, e protocol.Event) {
	name := attemptName{e.Peer, e.Number}
	switch e.Name {
	case reptask.EventSubmit:
		for _, o := range p.state.Owned {
			if o.Job.Owner == e.Peer && o.Job.Number == e.Number {
				w.size[o.Job] = o.Spec.Size
			}
		}
	case reptask.EventStart:
		t, _ := p.state.Runs()
		if slices.Contains(w.started[name], p.state.Self) {
			w.violated("%v starts a task of %v/%d again", p.state.Self, e.Peer, e.Number)
		}
		w.started[name] = append(w.started[name], p.state.Self)
		if len(w.started[name]) > int(w.size[t.Job]) {
			w.violated("more than k tasks of %v/%d start", e.Peer, e.Number)
		}
	case reptask.EventFinish:
		w.finished[name]++
	case reptask.EventAccept, reptask.EventCancelled, reptask.EventFailed:
		w.end(p, e)
	}
}

func (w *world) end(p *process, e protocol.Event) {
	for _, o := range p.state.Owned {
		accepted := e.Name == reptask.EventAccept
		if accepted && (o.By != e.Peer || o.Epoch != e.Number) ||
			!accepted && (o.Job.Owner != e.Peer || o.Job.Number != e.Number) {
			continue
		}
		end := ending{e.Name, o.Attempt(), p.state.Self}
		if was, already := w.ended[o.Job]; already && !was.again(end, w) {
			w.violated("a job ends twice: %v, %v", was, end)
		}
		w.ended[o.Job] = end
		if ran := w.finished[attemptName{e.Peer, o.Epoch}]; e.Name == reptask.EventAccept && ran != w.size[o.Job] {
			w.violated("a result of %d tasks is accepted, not of %d", ran, w.size[o.Job])
		}
	}
}

// checkAlways is what holds in every state as long as no live node is suspected.
func (w *world) checkAlways() {
	epochs := map[reptask.Job]uint32{}
	for _, p := range w.nodes {
		runs := 0
		for _, t := range p.state.Tasks {
			if !p.up || t.State != reptask.TaskRunning {
				continue
			}
			runs++
			if other, ok := epochs[t.Job]; ok && other != t.Epoch {
				w.violated("two attempts of a job run")
			}
			epochs[t.Job] = t.Epoch
		}
		if runs > 1 {
			w.violated("%v runs two tasks", p.state.Self)
		}
		if b := reptask.AppendState(w.cfg, nil, p.state); !w.decodes(b) {
			w.violated("the state of %v has no canonical encoding", p.state.Self)
		}
	}
}

func (w *world) decodes(b []byte) bool {
	s, err := reptask.DecodeState(w.cfg, b)
	return err == nil && bytes.Equal(b, reptask.AppendState(w.cfg, nil, s))
}

// due reports whether a timer may fire although nothing was lost: the lease of a live peer runs out
// only if that does not speak to the node, and a silent peer is given up when it and its hosts have
// noticed.
func (w *world) due(p *process, t protocol.Timer) bool {
	switch t.Kind {
	case reptask.LeaseTimer:
		return !w.running(t.Peer) || slices.Contains(w.at(t.Peer).state.Silent, p.state.Self) && !w.touches(t.Peer)
	case reptask.RegrantTimer:
		return !w.holdsFor(p.state.Self, t.Peer) && (!w.running(t.Peer) || !w.touches(t.Peer))
	}
	return true
}

// touches reports whether a message to or from the peer is on its way.
func (w *world) touches(peer protocol.NodeID) bool {
	return slices.ContainsFunc(w.net, func(e reptask.Envelope) bool { return e.From == peer || e.To == peer })
}

// holdsFor reports whether the peer holds something of the node, or somebody something of the peer.
func (w *world) holdsFor(self, peer protocol.NodeID) bool {
	return slices.ContainsFunc(w.nodes, func(p *process) bool {
		is := p.state.Self == peer
		return p.up &&
			(slices.ContainsFunc(p.state.Tasks, func(k reptask.Task) bool { return k.Rep == peer || is && k.Rep == self }) ||
				is && slices.ContainsFunc(p.state.Roles, func(r reptask.Role) bool { return r.Owner == self && r.Phase <= reptask.Started }))
	})
}

// settle is a fair driver: it delivers everything and fires every timer that is due until nothing
// changes any more. It reports whether that came about.
func (w *world) settle() bool {
	for range 200 {
		before := w.picture()
		w.drain()
		for _, p := range w.nodes {
			for _, t := range slices.Clone(p.timers) {
				if slices.Contains(p.timers, t) && w.due(p, t) {
					w.fire(p, t)
					w.drain()
				}
			}
		}
		if w.broken != nil || bytes.Equal(before, w.picture()) {
			return true
		}
	}
	return false
}

func (w *world) picture() []byte {
	var b []byte
	for _, p := range w.nodes {
		b = reptask.AppendState(w.cfg, protocol.AppendBool(b, p.up), p.state)
	}
	return append(b, byte(len(w.net)))
}

// checkAtRest is what holds when nothing happens any more: all jobs of live owners are done, and
// nobody is left over.
func (w *world) checkAtRest() {
	for job := range w.size {
		if _, ended := w.ended[job]; !ended && w.running(job.Owner) {
			w.violated("job %v#%d never ends", job.Owner, job.Number)
		}
	}
	for _, p := range w.nodes {
		if p.up && len(p.state.Tasks)+len(p.state.Roles) > 0 {
			w.violated("%v is not free: %s", p.state.Self, reptask.StateText(w.cfg, p.state))
		}
	}
}
