package reptask

import (
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// The events that the monitor needs, of either core. Peer is the node that granted the attempt, and
// Number is its epoch. For EventSubmit and for ends without an attempt, they are the first owner of
// the job and its number there. Where an event names an attempt that the node still holds after the
// step, the view has the details.
const (
	eventSubmit    = "submit"    // an owner accepts a job
	eventGrant     = "grant"     // an owner begins an attempt
	eventAccept    = "accept"    // an owner accepts the result
	eventCancelled = "cancelled" // an owner ends a cancelled job
	eventFailed    = "failed"    // an owner found no cluster for the job
	eventPart      = "part"      // an owner makes a representative forget an attempt
	eventAdopt     = "adopt"     // a node owns the job of a failed owner from now on
	eventRepresent = "represent" // a node represents an attempt
	eventRefuse    = "refuse"    // a node cannot represent a job
	eventRevoke    = "revoke"    // a representative is notified that its attempt is revoked
	eventQueue     = "queue"     // a host takes a dependent task
	eventDecide    = "decide"    // a representative starts its attempt
	eventVacant    = "vacant"    // a node was silent for so long that it holds nothing
	eventSettled   = "settled"   // a node no longer represents an attempt
	eventMove      = "move"      // a representative gives an idle job away
	eventReady     = "ready"     // a host votes
	eventRequeue   = "requeue"   // a host has its vote back
	eventStart     = "start"     // a host starts a dependent task
	eventFinish    = "finish"    // a dependent task has finished
	eventCancel    = "cancel"    // a host drops a waiting task
	eventStop      = "stop"      // a host drops a running task
	eventCrash     = "crash"
	eventMisfit    = "misfit" // a turn of balancing moves a wrong job, or to a wrong node (balance.go)
)

// monitor builds the history from the events of either core. Sizes returns the k of a job.
// Candidates returns the nodes that may represent it; without it AskedAll is not checked.
type monitor[S any] struct {
	view       func(S) *View
	sizes      func(reptask.Job) int
	candidates func(reptask.Job) []protocol.NodeID
	each       bool // a job may move once by each algorithm
}

func (monitor[S]) Initial() []byte { return history{}.encode() }

func (monitor[S]) View(mon []byte) any {
	h := decodeHistory(mon)
	return &h
}

func (monitor[S]) Wants(event string) bool {
	switch event {
	case eventSubmit, eventGrant, eventAccept, eventCancelled, eventFailed, eventMove, eventReady, eventRequeue,
		eventStart, eventFinish, eventCancel, eventStop, eventCrash, eventAdopt, eventRepresent, eventSettled, eventPart,
		eventRefuse, eventRevoke, eventVacant, eventQueue, eventDecide, eventMisfit, contract.Event:
		return true
	}
	return false
}

func (m monitor[S]) Observe(mon []byte, node int, after S, events []protocol.Event) []byte {
	h := decodeHistory(mon)
	for _, e := range events {
		if e.Name == eventCrash {
			h.crash(node)
			continue
		}
		m.observe(&h, node, m.view(after), e)
	}
	return h.encode()
}

func (m monitor[S]) observe(h *history, node int, v *View, e protocol.Event) {
	bit := uint32(1) << node
	switch e.Name {
	case eventSubmit, eventAdopt, eventRepresent, eventQueue, eventDecide:
		if v.Leaving {
			h.broken |= brokenLeaving
		}
	}
	if e.Name == eventQueue && v.Cordoned {
		h.broken |= brokenCordon
	}
	switch e.Name {
	case eventSubmit, eventAccept, eventCancelled, eventFailed, eventGrant, eventAdopt, eventPart:
		m.owned(h, node, v, e)
	case eventRepresent, eventSettled:
		h.hold(node, v)
		if t, held := v.role(e.Peer, e.Number); held && e.Name == eventRepresent {
			h.job(t.Job).refused = nil
		}
	case eventRefuse, eventVacant:
		m.refuse(h, node, v, e)
	case eventRevoke:
		if j := h.latest(e.Peer, e.Number); j != nil && j.state == Open {
			j.revoked, j.revoker = true, uint32(node)+1
		}
	case eventMove:
		h.seen |= seenMove
		m.move(h, node, e)
	case eventMisfit:
		h.broken |= brokenFit
	case contract.Event:
		h.broken |= brokenStep << e.Number
	case eventReady:
		h.kill(e, bit, false)
	case eventRequeue:
		h.kill(e, bit, true)
	case eventStart:
		m.start(h, node, v, e)
	case eventFinish:
		if a := h.attempt(e.Peer, e.Number); !a.closed() {
			a.finished |= bit
		}
	case eventStop:
		h.seen |= seenStop
		h.attempt(e.Peer, e.Number).cancelled |= bit
	case eventCancel:
		h.attempt(e.Peer, e.Number).cancelled |= bit
	}
	h.waiting = slices.DeleteFunc(h.waiting, func(o overtaken) bool {
		t, held := v.task(o.By, o.Epoch)
		return o.node == node && (!held || t.State >= Running)
	})
}

// latest returns the job whose latest attempt this is, if there is one.
func (h *history) latest(by protocol.NodeID, epoch uint32) *job {
	i := slices.IndexFunc(h.jobs, func(j job) bool { return j.by == by && j.granted == epoch })
	if i < 0 {
		return nil
	}
	return &h.jobs[i]
}

// move records that a node gives an idle job away, which may happen once in all, or once by each
// algorithm.
func (m monitor[S]) move(h *history, node int, e protocol.Event) {
	by := uint32(movedByDLB)
	if e.Detail == reptask.ByQB.String() {
		by = movedByQB
		h.seen |= seenQueued
	}
	if j := h.latest(e.Peer, e.Number); j != nil {
		if j.moved&by != 0 || j.moved != 0 && !m.each {
			h.broken |= brokenMove
		}
		if j.moved |= by; j.moved == movedByDLB|movedByQB {
			h.seen |= seenTwice
		}
		j.moving, j.mover = by, uint32(node)+1
	}
}

// refuse records that a node refused a job, or that a node holds nothing in the view of an owner.
// Either is a reason not to ask that node again.
func (m monitor[S]) refuse(h *history, node int, v *View, e protocol.Event) {
	if m.candidates == nil {
		return
	}
	for i := range h.jobs {
		j := &h.jobs[i]
		switch {
		case j.state != Open:
		case e.Name == eventVacant && j.owner == uint32(node)+1:
			j.gone = inserted(j.gone, e.Peer, m.candidates(j.id))
		case e.Name == eventRefuse && j.id.Owner == e.Peer && j.id.Number == e.Number:
			j.refused = inserted(j.refused, v.ID, m.candidates(j.id))
		}
	}
}

// inserted adds a node to a sorted list, if it is one of the candidates.
func inserted(list []protocol.NodeID, id protocol.NodeID, candidates []protocol.NodeID) []protocol.NodeID {
	i, known := slices.BinarySearchFunc(list, id, protocol.NodeID.Compare)
	if known || !slices.Contains(candidates, id) {
		return list
	}
	return slices.Insert(list, i, id)
}

// asked reports whether every candidate of a job has refused it since a node last represented it,
// or was found silent by its owner.
func (m monitor[S]) asked(j *job) bool {
	return m.candidates == nil || !slices.ContainsFunc(m.candidates(j.id), func(id protocol.NodeID) bool {
		return !slices.Contains(j.refused, id) && !slices.Contains(j.gone, id)
	})
}

// kill records that a host has its vote back, or has voted again.
func (h *history) kill(e protocol.Event, bit uint32, killed bool) {
	a := h.attempt(e.Peer, e.Number)
	switch {
	case a.closed():
	case killed:
		a.killed |= bit
	default:
		a.killed &^= bit
	}
}

// start records the start of a dependent task: whether it is allowed, and which tasks it overtakes.
func (m monitor[S]) start(h *history, node int, v *View, e protocol.Event) {
	bit := uint32(1) << node
	a := h.attempt(e.Peer, e.Number)
	t, held := v.task(e.Peer, e.Number)
	if !held {
		h.broken |= brokenCancelled
		return
	}
	if !a.closed() {
		a.job = t.Job
	}
	if a.started&bit != 0 || bits.OnesCount32(a.started) >= m.sizes(t.Job) {
		h.broken |= brokenMore
	}
	if (a.cancelled|a.killed)&bit != 0 {
		h.broken |= brokenCancelled
	}
	if !a.closed() {
		a.started |= bit
	}
	for _, other := range v.Tasks {
		if other.State >= Running || !other.Job.Older(t.Job) {
			continue
		}
		o := overtaken{node, other.Attempt}
		if slices.Contains(h.waiting, o) {
			h.broken |= brokenOvertaking
			continue
		}
		h.waiting = append(h.waiting, o)
		slices.SortFunc(h.waiting, overtaken.compare)
	}
}

// owned records what an owner did with one of its jobs.
func (m monitor[S]) owned(h *history, node int, v *View, e protocol.Event) {
	if j := h.latest(e.Peer, e.Number); e.Name == eventPart && j != nil {
		j.moving, j.mover, j.revoker = 0, 0, 0
	}
	byNumber := e.Name == eventSubmit || e.Name == eventCancelled || e.Name == eventFailed
	i := slices.IndexFunc(v.Owned, func(o Owned) bool {
		return byNumber && o.Job.Owner == e.Peer && o.Job.Number == e.Number ||
			!byNumber && o.By == e.Peer && o.Epoch == e.Number
	})
	switch {
	case i < 0 && e.Name == eventGrant: // it was refused in the same step
		h.seen |= seenRegrant
		return
	case i < 0 && (e.Name == eventPart || e.Name == eventAdopt): // it was granted again in the same step
		return
	case i < 0:
		h.broken |= brokenResult
		return
	}
	o := v.Owned[i]
	j := h.job(o.Job)
	switch e.Name {
	case eventSubmit:
		j.owner = uint32(node) + 1
	case eventAdopt:
		h.seen |= seenAdopt
		if j.state == Open {
			j.owner, j.parting, j.gone = uint32(node)+1, false, nil
		}
	case eventPart:
		j.parting = true
	case eventGrant:
		if j.state != Open {
			h.broken |= brokenResult
		}
		if j.revoked || o.Revoking {
			h.broken |= brokenRevoked
		}
		if j.granted != 0 {
			h.seen |= seenRegrant
			m.close(h, h.attempt(j.by, j.granted))
		}
		j.by, j.granted, j.owner, j.parting = e.Peer, e.Number, uint32(node)+1, false
	case eventAccept:
		m.accept(h, node, j, e)
	case eventCancelled, eventFailed:
		if j.state != Open {
			h.broken |= brokenResult
		}
		if e.Name == eventFailed && j.state == Open && !m.asked(j) {
			h.broken |= brokenAsked
		}
		if j.end(node, o.State); j.state == Cancelled {
			h.attempt(o.By, o.Epoch).started = 0 // perhaps in the middle of its start
		}
		m.close(h, h.attempt(o.By, o.Epoch))
	}
}

// accept records that an owner accepts a result. If the owner that accepted it before has crashed,
// another one may accept the same result.
func (m monitor[S]) accept(h *history, node int, j *job, e protocol.Event) {
	if j.state == Accepted && j.reporter == 0 && j.by == e.Peer && j.granted == e.Number {
		h.seen |= seenAgain
		j.reporter = uint32(node) + 1
		return
	}
	if j.state != Open {
		h.broken |= brokenResult
	}
	a := h.attempt(e.Peer, e.Number)
	if bits.OnesCount32(a.finished) != m.sizes(j.id) || a.finished != a.started {
		h.broken |= brokenRun
	}
	j.end(node, Accepted)
	m.close(h, a)
}

// hold records which open jobs a node represents.
func (h *history) hold(node int, v *View) {
	for i := range h.jobs {
		j := &h.jobs[i]
		j.held &^= 1 << node
		if j.state == Open && slices.ContainsFunc(v.Roles, func(r Role) bool { return r.Job == j.id }) {
			j.held |= 1 << node
		}
		j.lost = j.lost || j.state == Open && j.owner == 0 && j.held == 0 && j.parting
	}
}

// close records that an attempt is over. Only one thing must be remembered: nothing of it may start
// any more.
func (m monitor[S]) close(h *history, a *attempt) {
	if a.started != 0 && bits.OnesCount32(a.started) != m.sizes(a.job) {
		h.seen |= seenFewer
	}
	*a = attempt{by: a.by, epoch: a.epoch, cancelled: ^uint32(0)}
}

// crash records that a node lost its memory. Its past runs stay recorded.
func (h *history) crash(node int) {
	h.crashed |= 1 << node
	for i := range h.jobs {
		h.jobs[i].crash(node)
	}
	h.waiting = slices.DeleteFunc(h.waiting, func(o overtaken) bool { return o.node == node })
}
