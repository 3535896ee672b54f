package reptask_test

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

type (
	core    = protocol.Core[reptask.State, reptask.Message, reptask.Command]
	process = drivetest.Process[reptask.State, reptask.Message, reptask.Command]
)

// network is a network of nodes that run jobs, with the properties that hold in it.
type network struct {
	*drivetest.Network[reptask.State, reptask.Message, reptask.Command]
	cfg *reptask.Config

	size     map[reptask.Job]uint32
	started  map[attemptName][]protocol.NodeID
	finished map[attemptName]uint32
	ended    map[reptask.Job]ending
	adopts   bool // a representative that lost its owner gets another one
}

// ending is how a job ended, and at which owner.
type ending struct {
	event   string
	attempt reptask.Attempt
	owner   protocol.NodeID
}

// again reports whether a job may end like this once more: another owner accepts the same result,
// since the first has failed.
func (e ending) again(then ending, w *network) bool {
	same := e.event == reptask.EventAccept && then.event == e.event && then.attempt == e.attempt
	return same && then.owner != e.owner && !w.Running(e.owner)
}

// attemptName is how events name an attempt.
type attemptName struct {
	owner protocol.NodeID
	epoch uint32
}

func self(s reptask.State) protocol.NodeID { return s.Self }

// newNetwork returns a network of nodes that have started.
func newNetwork(nodes int) *network {
	cfg := reptask.DefaultConfig()
	cfg.Report = true
	w := &network{
		Network:  drivetest.New(core(&reptask.Core{Config: cfg}), self),
		cfg:      &cfg,
		size:     map[reptask.Job]uint32{},
		started:  map[attemptName][]protocol.NodeID{},
		finished: map[attemptName]uint32{},
		ended:    map[reptask.Job]ending{},
	}
	w.EventText = eventText
	w.OnEvent = w.checkEvent
	w.OnStep = func(p *process) {
		w.checkAlways()
		w.adopt(p)
	}
	for i := range nodes {
		w.Start(w.Add(reptask.New(protocol.Address(i))))
	}
	return w
}

// eventText writes the whole of an event, and nothing of an ignored input.
func eventText(e protocol.Event) string {
	if e.Name == reptask.EventIgnore {
		return ""
	}
	line := fmt.Sprintf("%s %v %d", e.Name, e.Peer, e.Number)
	if e.Detail != "" {
		line += ": " + e.Detail
	}
	return line
}

// adopt plays the application for an orphan: it names the owner if that still runs, or else the
// next node that does. The first owner is the last choice but the representative itself. Were it to
// name another node while the owner runs, both would own the job: package reptask says so of an
// owner that is falsely suspected twice.
func (w *network) adopt(p *process) {
	for _, r := range p.State().Roles {
		if !w.adopts || !p.Running() || r.Bond != reptask.Seeking {
			continue
		}
		c := reptask.Command{Kind: reptask.CommandAdopt, Job: r.Job, Target: w.heir(p, r)}
		for _, q := range w.Having(func(*process) bool { return true }) {
			c.Candidates = append(c.Candidates, q.ID())
		}
		w.Note("find", "%v at %v", c.Target, p.ID())
		w.Command(p, c)
		return // that step is followed by the next adoption
	}
}

func (w *network) heir(p *process, r reptask.Role) protocol.NodeID {
	if w.Running(r.Owner) {
		return r.Owner
	}
	for i := range w.Nodes {
		if q := w.Nodes[(int(r.Job.Owner.Address)+1+i)%len(w.Nodes)]; q.Running() && q != p {
			return q.ID()
		}
	}
	return p.ID()
}

// checkEvent checks an event against earlier ones.
func (w *network) checkEvent(p *process, e protocol.Event) {
	name := attemptName{e.Peer, e.Number}
	s := p.State()
	switch e.Name {
	case reptask.EventSubmit:
		for _, o := range s.Owned {
			if o.Job.Owner == e.Peer && o.Job.Number == e.Number {
				w.size[o.Job] = o.Spec.Size
			}
		}
	case reptask.EventStart:
		t, _ := s.Runs()
		if slices.Contains(w.started[name], p.ID()) {
			w.Violated("%v starts a task of %v/%d again", p.ID(), e.Peer, e.Number)
		}
		w.started[name] = append(w.started[name], p.ID())
		if len(w.started[name]) > int(w.size[t.Job]) {
			w.Violated("more than k tasks of %v/%d start", e.Peer, e.Number)
		}
	case reptask.EventFinish:
		w.finished[name]++
	case reptask.EventAccept, reptask.EventCancelled, reptask.EventFailed:
		w.checkEnd(p, e)
	}
}

func (w *network) checkEnd(p *process, e protocol.Event) {
	for _, o := range p.State().Owned {
		accepted := e.Name == reptask.EventAccept
		if accepted && (o.By != e.Peer || o.Epoch != e.Number) ||
			!accepted && (o.Job.Owner != e.Peer || o.Job.Number != e.Number) {
			continue
		}
		end := ending{e.Name, o.Attempt(), p.ID()}
		if first, already := w.ended[o.Job]; already && !first.again(end, w) {
			w.Violated("a job ends twice: %v, %v", first, end)
		}
		w.ended[o.Job] = end
		if ran := w.finished[attemptName{e.Peer, o.Epoch}]; accepted && ran != w.size[o.Job] {
			w.Violated("a result of %d tasks is accepted, not of %d", ran, w.size[o.Job])
		}
	}
}

// checkAlways checks what holds in every state as long as no live node is suspected.
func (w *network) checkAlways() {
	epochs := map[reptask.Job]uint32{}
	for _, p := range w.Nodes {
		runs, s := 0, p.State()
		for _, t := range s.Tasks {
			if !p.Running() || t.State != reptask.TaskRunning {
				continue
			}
			runs++
			if other, ok := epochs[t.Job]; ok && other != t.Epoch {
				w.Violated("two attempts of a job run")
			}
			epochs[t.Job] = t.Epoch
		}
		if runs > 1 {
			w.Violated("%v runs two tasks", p.ID())
		}
		if b := reptask.AppendState(w.cfg, nil, s); !w.decodes(b) {
			w.Violated("the state of %v has no canonical encoding", p.ID())
		}
	}
}

func (w *network) decodes(b []byte) bool {
	s, err := reptask.DecodeState(w.cfg, b)
	return err == nil && bytes.Equal(b, reptask.AppendState(w.cfg, nil, s))
}

// mayFire reports whether a timer may fire although nothing was dropped. The lease of a live peer
// expires only if that sends nothing to the node. A silent peer is given up when it and its hosts
// have noticed.
func (w *network) mayFire(p *process, t protocol.Timer) bool {
	switch t.Kind {
	case reptask.LeaseTimer:
		silent := w.Running(t.Peer) && slices.Contains(w.At(t.Peer).State().Silent, p.ID())
		return !w.Running(t.Peer) || silent && !w.touches(t.Peer)
	case reptask.RegrantTimer:
		return !w.holdsFor(p.ID(), t.Peer) && (!w.Running(t.Peer) || !w.touches(t.Peer))
	}
	return true
}

// touches reports whether a message to or from the peer is in flight.
func (w *network) touches(peer protocol.NodeID) bool {
	return slices.ContainsFunc(w.InFlight, func(e reptask.Envelope) bool { return e.From == peer || e.To == peer })
}

// holdsFor reports whether the peer holds a task of the node, or another node a task of the peer.
func (w *network) holdsFor(self, peer protocol.NodeID) bool {
	return slices.ContainsFunc(w.Nodes, func(p *process) bool {
		is, s := p.ID() == peer, p.State()
		hosts := slices.ContainsFunc(s.Tasks, func(k reptask.Task) bool { return k.Rep == peer || is && k.Rep == self })
		represents := is && slices.ContainsFunc(s.Roles, func(r reptask.Role) bool {
			return r.Owner == self && r.Phase <= reptask.Started
		})
		return p.Running() && (hosts || represents)
	})
}

// settle runs a fair schedule until the network is quiescent. It reports whether it became so.
func (w *network) settle() bool {
	return w.Settle(200, func() {
		for _, p := range w.Nodes {
			w.FireAll(p, func(t protocol.Timer) bool { return w.mayFire(p, t) }, w.Drain)
		}
	})
}

// checkQuiescent checks what holds when nothing is left to do: all jobs of live owners have ended,
// and all nodes are free.
func (w *network) checkQuiescent() {
	for job := range w.size {
		if _, ended := w.ended[job]; !ended && w.Running(job.Owner) {
			w.Violated("job %v#%d never ends", job.Owner, job.Number)
		}
	}
	for _, p := range w.Nodes {
		s := p.State()
		if p.Running() && len(s.Tasks)+len(s.Roles) > 0 {
			w.Violated("%v is not free: %s", p.ID(), reptask.StateText(w.cfg, s))
		}
	}
}
