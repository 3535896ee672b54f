package peer

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// history is the part of a run that the properties depend on.
type history struct {
	finished []attempt // attempts that have run, sorted
	tickets  []ticket  // jobs that were submitted, sorted
	unearned bool      // a result was accepted that no attempt had earned
	dropped  bool      // a member could not own a job, and did not forward it
	outside  bool      // a node took or adopted a job whose requirement lies outside its zone
	gaveUp   bool      // a member of the grid lost a job
	untrue   bool      // a node was reported to own a job that it had not taken
	rules    uint32    // of the contract that were broken, rule i as bit i
	seen     seen
}

// attempt is one attempt at a job, with the nodes that finished it.
type attempt struct {
	owner    protocol.NodeID
	epoch    uint32
	nodes    uint16          // that finished, one bit each; 0 when the result is accepted
	acceptor protocol.NodeID // the node that accepted the result last
}

// ticket is the history of a job. Nodes are sets of one bit each.
type ticket struct {
	number uint32
	owners uint16 // nodes that have taken it
	owned  uint16 // entries that have an owner
	lost   uint16 // entries from which it came to a node that reported it lost

	searched    bool   // a search for it has begun
	young       uint16 // nodes that have joined since
	represented bool   // a node has represented it
	told        uint16 // entries that were notified how its search has ended
	undecided   bool   // and that it ended undecided
}

// seen are the witnesses: events of a run.
type seen uint32

const (
	sawAccepted       seen = 1 << iota // a result was accepted
	sawTwo                             // and another
	sawFailed                          // a job that no cluster could take
	sawRegrant                         // a second attempt began
	sawLeft                            // a node left the CAN
	sawRecall                          // a leaving node asked for its vote back
	sawReturned                        // or returned a task that had not begun
	sawRanOut                          // or finished a task
	sawShrunk                          // a cluster lost a member or its head
	sawAdopted                         // another owner than the first accepted a result
	sawLost                            // a job was lost with an event
	sawMoved                           // an idle job moved
	sawCancelled                       // a cancelled job ended
	sawRejoined                        // a node joined again after a restart
	sawOtherCancelled                  // a cancelled job of a former owner ended
	sawElsewhere                       // a node adopted a job that another represents
	sawAnew                            // an owner accepted a result after a restart
	sawSearch                          // a search began
	sawFound                           // a node took a job that a search brought
	sawNobody                          // a client was notified that nobody can run its job
	sawLimited                         // or that no node was found within the limit
	sawUndecided                       // or that the search ended undecided
)

// witnesses are the names of the events that must happen in some run.
var witnesses = []struct {
	name, doc string
	bit       seen
}{
	{"Accepted", "the result of a job is accepted", sawAccepted},
	{"BothAccepted", "the results of two jobs are accepted", sawTwo},
	{"NobodyCould", "a job ends because no cluster can take it", sawFailed},
	{"SecondAttempt", "a second attempt at a job begins", sawRegrant},
	{"Left", "a node leaves the CAN", sawLeft},
	{"Recalled", "a node that wants to leave asks for its vote back", sawRecall},
	{"Returned", "a node that wants to leave returns a task that has not begun", sawReturned},
	{"RanOut", "a node that wants to leave finishes a running task", sawRanOut},
	{"Adopted", "another owner than the first accepts the result of a job", sawAdopted},
	{"Lost", "a job is lost, and an event reports it", sawLost},
	{"Moved", "an idle job moves to another representative", sawMoved},
	{"Cancelled", "a cancelled job ends", sawCancelled},
	{"AdoptedCancelled", "a cancelled job that was adopted ends", sawOtherCancelled},
	{"AdoptedElsewhere", "a node adopts a job that another node represents", sawElsewhere},
	{"Rejoined", "a node joins again after a restart", sawRejoined},
	{"AcceptedAnew", "a node that has restarted accepts the result of a job", sawAnew},
	{"Searched", "a search for a representative begins", sawSearch},
	{"Found", "a search finds a node that represents the job", sawFound},
	{"ToldNobody", "a client is notified that nobody can run its job", sawNobody},
	{"ToldLimited", "a client is notified that no node was found within the limit", sawLimited},
	{"ToldUndecided", "a client is notified that a search ended undecided", sawUndecided},
	{"Shrunk", "a cluster loses a member or its head", sawShrunk},
}

// monitor builds the history. Its states are canonical bytes. It remembers searches only where the
// properties of searches are checked.
type monitor struct{ searches bool }

// wanted are the events that the monitor needs.
var wanted = []string{
	"tasks:" + reptask.EventFinish, "tasks:" + reptask.EventAccept, "tasks:" + reptask.EventFailed,
	"tasks:" + reptask.EventGrant,
	"tasks:" + reptask.EventWithdraw, "tasks:" + reptask.EventCancel, "can:" + can.EventLeft,
	"refine:" + refine.EventRemoved, "refine:" + refine.EventReleased,
	"can:" + can.EventJoined,
	"tasks:" + reptask.EventSubmit, "tasks:" + reptask.EventMove, "tasks:" + reptask.EventAdopt,
	"tasks:" + reptask.EventCancelled,
	peer.EventLost, peer.EventOwned, contract.Event,
}

// sought are the events that it needs in addition where it remembers searches.
var sought = []string{peer.EventSearch, peer.EventUnmatched, "tasks:" + reptask.EventRepresent}

func (m monitor) Wants(event string) bool {
	return slices.Contains(wanted, event) || m.searches && slices.Contains(sought, event)
}

func (monitor) Initial() []byte { return (&history{}).append(nil) }

func (monitor) View(mon []byte) any { return decode(mon) }

func past(g *globalState) *history { return g.MonitorView.(*history) }

func (m monitor) Observe(mon []byte, node int, after peer.State, events []protocol.Event) []byte {
	h := decode(mon)
	for _, e := range events {
		h.note(node, &after, e)
	}
	return h.append(nil)
}

func (h *history) note(node int, after *peer.State, e protocol.Event) {
	saw := func(bit seen, really bool) {
		if really {
			h.seen |= bit
		}
	}
	layer, name, _ := strings.Cut(e.Name, ":")
	switch {
	case e.Name == contract.Event:
		h.rules |= 1 << e.Number
	case e.Name == peer.EventLost:
		h.dropped = h.dropped || IsDropped(e)
		h.gaveUp = h.gaveUp || e.Detail != peer.DetailOutside
		saw(sawLost, true)
		if !e.Peer.IsNobody() {
			h.of(e.Number).lost |= 1 << e.Peer.Address
		}
	case e.Name == peer.EventOwned:
		t := h.of(e.Number)
		h.untrue = h.untrue || e.Peer.IsNobody() || t.owners&(1<<e.Peer.Address) == 0
		t.owned |= 1 << node
	case e.Name == peer.EventSearch:
		h.of(e.Number).searched = true
		saw(sawSearch, true)
	case e.Name == peer.EventUnmatched:
		h.tell(node, e)
	case layer == "can":
		saw(sawLeft, name == can.EventLeft)
		saw(sawRejoined, name == can.EventJoined && after.ID().Incarnation > 1)
		h.joined(node, name)
	case layer == "refine":
		saw(sawShrunk, true)
	case layer != "tasks":
	case name == reptask.EventRepresent:
		h.represent(after, e)
	case name == reptask.EventFinish:
		h.finish(node, e)
		saw(sawRanOut, after.Leaving)
	case name == reptask.EventAccept:
		saw(sawAdopted, slices.ContainsFunc(after.Tasks.Owned, func(o reptask.Owned) bool {
			return o.By == e.Peer && o.Epoch == e.Number && o.Job.Owner != after.ID()
		}))
		saw(sawAnew, after.ID().Incarnation > 1)
		h.accept(after, e)
	case name == reptask.EventSubmit:
		h.take(node, after, e)
	case name == reptask.EventMove:
		saw(sawMoved, true)
	case name == reptask.EventCancelled:
		saw(sawCancelled, true)
		saw(sawOtherCancelled, e.Peer != after.ID())
	case name == reptask.EventAdopt:
		h.adopt(after, e)
	case name == reptask.EventFailed:
		saw(sawFailed, true)
	case name == reptask.EventGrant:
		saw(sawRegrant, e.Number > after.Tasks.Jobs)
	case name == reptask.EventWithdraw:
		saw(sawRecall, after.Leaving)
	case name == reptask.EventCancel:
		saw(sawReturned, after.Leaving)
	}
}

// joined records that a node has joined, for the searches under way. Nothing else of the map
// matters.
func (h *history) joined(node int, event string) {
	for i := range h.tickets {
		if event == can.EventJoined && h.tickets[i].searched {
			h.tickets[i].young |= 1 << node
		}
	}
}

// tell records that a client is notified how a search has ended.
func (h *history) tell(entry int, e protocol.Event) {
	t := h.of(e.Number)
	t.told |= 1 << entry
	switch e.Detail {
	case peer.Nobody.String():
		h.seen |= sawNobody
	case peer.Limited.String():
		h.seen |= sawLimited
	default:
		t.undecided = true
		h.seen |= sawUndecided
	}
}

// represent records that a node represents a job.
func (h *history) represent(rep *peer.State, e protocol.Event) {
	for _, r := range rep.Tasks.Roles {
		if r.By == e.Peer && r.Epoch == e.Number {
			h.of(uint32(r.Job.Submitted)).represented = true
		}
	}
}

// of returns what is known of a job by its ticket.
func (h *history) of(number uint32) *ticket {
	i := 0
	for i < len(h.tickets) && h.tickets[i].number < number {
		i++
	}
	if i == len(h.tickets) || h.tickets[i].number != number {
		h.tickets = slices.Insert(h.tickets, i, ticket{number: number})
	}
	return &h.tickets[i]
}

// take records that a node owns a new job. A search brings jobs to any zone. In the models the
// submit time of a job is its ticket.
func (h *history) take(node int, owner *peer.State, e protocol.Event) {
	for _, o := range owner.Tasks.Owned {
		if o.Job.Owner == owner.ID() && o.Job.Number == e.Number {
			h.of(uint32(o.Job.Submitted)).owners |= 1 << node
			if slices.ContainsFunc(owner.Clients, func(c peer.Client) bool { return c.Number == e.Number && c.Search.On() }) {
				h.seen |= sawFound
				continue
			}
			h.outside = h.outside || !owner.Can.Self.Zone.Contains(o.Spec.Requirement)
		}
	}
}

// adopt records that a node owns the job of a former owner.
func (h *history) adopt(owner *peer.State, e protocol.Event) {
	for _, o := range owner.Tasks.Owned {
		if o.By == e.Peer && o.Epoch == e.Number {
			h.outside = h.outside || !owner.Can.Self.Zone.Contains(o.Spec.Requirement)
			if o.Rep != owner.ID() {
				h.seen |= sawElsewhere
			}
		}
	}
}

// answered reports whether the entry of a job has its owner. Where jobs may be lost, an event that
// reports the loss is an answer, too.
func (h *history) answered(entry int, number uint32, loses bool) bool {
	return slices.ContainsFunc(h.tickets, func(t ticket) bool {
		return t.number == number && ((t.owned|t.told)&(1<<entry) != 0 || loses && t.lost&(1<<entry) != 0)
	})
}

// finish records that a node finished a dependent task of an attempt.
func (h *history) finish(node int, e protocol.Event) {
	i := slices.IndexFunc(h.finished, func(a attempt) bool { return a.owner == e.Peer && a.epoch == e.Number })
	if i < 0 {
		h.finished = append(h.finished, attempt{owner: e.Peer, epoch: e.Number})
		i = len(h.finished) - 1
	}
	if h.finished[i].acceptor.IsNobody() {
		h.finished[i].nodes |= 1 << node
	}
	slices.SortFunc(h.finished, func(a, b attempt) int {
		if c := a.owner.Compare(b.owner); c != 0 {
			return c
		}
		return int(a.epoch) - int(b.epoch)
	})
}

// accept checks a result against the nodes that ran. Another owner may accept the same result
// again: the owner before it is gone, and the representative was not notified of its acceptance.
func (h *history) accept(owner *peer.State, e protocol.Event) {
	var size uint32
	for _, o := range owner.Tasks.Owned {
		if o.By == e.Peer && o.Epoch == e.Number {
			size = o.Spec.Size
		}
	}
	i := slices.IndexFunc(h.finished, func(a attempt) bool { return a.owner == e.Peer && a.epoch == e.Number })
	switch {
	case i < 0:
		h.unearned = true
		return
	case h.finished[i].acceptor.IsNobody():
		h.unearned = h.unearned || uint32(bits.OnesCount16(h.finished[i].nodes)) != size
		if h.seen&sawAccepted != 0 {
			h.seen |= sawTwo
		}
		h.seen |= sawAccepted
	default:
		h.unearned = h.unearned || h.finished[i].acceptor == owner.ID()
	}
	h.finished[i].nodes, h.finished[i].acceptor = 0, owner.ID()
}

func (h *history) append(dst []byte) []byte {
	dst = protocol.AppendBool(protocol.AppendBool(protocol.AppendBool(dst, h.unearned), h.dropped), h.untrue)
	dst = protocol.AppendBool(protocol.AppendBool(dst, h.outside), h.gaveUp)
	dst = protocol.AppendUint(dst, uint64(h.rules)<<32|uint64(h.seen))
	dst = protocol.AppendUint(dst, uint64(len(h.finished)))
	for _, a := range h.finished {
		dst = protocol.AppendUint(protocol.AppendNodeID(dst, a.owner), uint64(a.epoch))
		dst = protocol.AppendNodeID(protocol.AppendUint(dst, uint64(a.nodes)), a.acceptor)
	}
	dst = protocol.AppendUint(dst, uint64(len(h.tickets)))
	for _, t := range h.tickets {
		dst = protocol.AppendUint(protocol.AppendUint(dst, uint64(t.number)), uint64(t.owners))
		dst = protocol.AppendUint(protocol.AppendUint(dst, uint64(t.owned)), uint64(t.lost))
		dst = protocol.AppendBool(protocol.AppendUint(protocol.AppendBool(dst, t.searched), uint64(t.young)), t.represented)
		dst = protocol.AppendBool(protocol.AppendUint(dst, uint64(t.told)), t.undecided)
	}
	return dst
}

func decode(mon []byte) *history {
	r := protocol.NewReader(mon)
	h := &history{unearned: r.Bool(), dropped: r.Bool(), untrue: r.Bool(), outside: r.Bool(), gaveUp: r.Bool()}
	both := r.Uint(1<<64 - 1)
	h.rules, h.seen = uint32(both>>32), seen(both&(1<<32-1))
	h.finished = protocol.List(r, func() attempt {
		return attempt{
			owner:    r.NodeID(),
			epoch:    uint32(r.Uint(1<<32 - 1)),
			nodes:    uint16(r.Uint(1<<16 - 1)),
			acceptor: r.NodeID(),
		}
	})
	set := func() uint16 { return uint16(r.Uint(1<<16 - 1)) }
	h.tickets = protocol.List(r, func() ticket {
		return ticket{
			number: uint32(r.Uint(1<<32 - 1)), owners: set(), owned: set(), lost: set(),
			searched: r.Bool(), young: set(), represented: r.Bool(), told: set(), undecided: r.Bool(),
		}
	})
	if err := r.Close(); err != nil {
		panic(err)
	}
	return h
}
