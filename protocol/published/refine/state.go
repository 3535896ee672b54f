package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// ClientPhase is a state of figure 5.1.
type ClientPhase uint8

// The states of a client.
const (
	ClientIdle ClientPhase = iota
	ClientWait
	ClientMeasure
	ClientSteady
)

// String names the state as the figure does.
func (p ClientPhase) String() string {
	return [...]string{"IDLE", "WAIT", "MEASURE", "STEADY"}[p]
}

// HeadPhase is a state of figure 5.2.
type HeadPhase uint8

// The states of a head.
const (
	HeadIdle HeadPhase = iota
	HeadCollect
	HeadSolicit
	HeadFilter
	HeadSteady
)

// String names the state as the figure does.
func (p HeadPhase) String() string {
	return [...]string{"IDLE", "COLLECT", "SOLICIT", "FILTER", "STEADY"}[p]
}

// Suitor is an entry of a client's list of suitors, with the contents of its updates.
type Suitor struct {
	Head      protocol.NodeID
	Asked     bool // it has solicited, and its final confirmation has not come yet
	Accepted  bool // an accept message was sent
	Committed bool // a final confirmation came
	Sought    int  // "the total number of advertisements"
	Denied    int  // "the number of rejections"
	Members   []protocol.NodeID
	Round     uint32 // of the confirmation, for the observer
}

// Latency is a measurement that a client made.
type Latency struct {
	Peer   protocol.NodeID
	Micros uint32
}

// Client is one half of a node.
type Client struct {
	Phase    ClientPhase
	Suitors  []Suitor          // Algorithm 3's to.suitors, in its order
	Awaited  []protocol.NodeID // measurements under way, sorted
	Measured []Latency         // received since the client entered MEASURE, by peer
}

// Answer is the answer of a client, in its head's view.
type Answer uint8

// The answers to a solicitation.
const (
	Undef Answer = iota
	Accepted
	Denied
	Deferred
)

// String names the answer.
func (a Answer) String() string { return [...]string{"-", "accepted", "denied", "deferred"}[a] }

// Reply is the answer of one solicited client at its head.
type Reply struct {
	Client   protocol.NodeID
	Answer   Answer
	Reported bool // its latency measurements came
}

// Pair is a measurement as it was forwarded to a head.
type Pair struct {
	From, To protocol.NodeID
	Micros   uint32
}

// Head is the other half of a node.
type Head struct {
	Phase   HeadPhase
	Near    []protocol.NodeID // near in the tree metric space, sorted
	Arrived bool              // clients arrived since the head entered SOLICIT
	Replies []Reply           // of those it has solicited, by identity
	Pairs   []Pair            // forwarded pairs, by From and To
	Awaited []protocol.NodeID // its own measurements under way, sorted
	Cluster []protocol.NodeID // the job-ready cluster, the head included, sorted
	Round   uint32            // counts the times it entered SOLICIT, for the observer; no node reads it
	Found   uint32            // the round in which Cluster was found, likewise
}

// State is one node. It is a value: Step never changes its argument.
type State struct {
	Self   protocol.NodeID
	Client Client
	Head   Head
}

// New returns the state of a process before it is started.
func New(address protocol.Address) State {
	return State{Self: protocol.NodeID{Address: address}}
}

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Client.Suitors = slices.Clone(s.Client.Suitors)
	s.Client.Awaited = slices.Clone(s.Client.Awaited)
	s.Client.Measured = slices.Clone(s.Client.Measured)
	s.Head.Replies = slices.Clone(s.Head.Replies)
	s.Head.Pairs = slices.Clone(s.Head.Pairs)
	s.Head.Awaited = slices.Clone(s.Head.Awaited)
	return s
}

// Advertised is the cluster that a node advertises by section 5.1.3: the largest cluster to which
// it belongs, its own among equals. The first result is the head that found it.
func (s *State) Advertised() (protocol.NodeID, []protocol.NodeID) {
	head, largest := s.Self, s.Head.Cluster
	for _, r := range s.Client.Suitors {
		if r.Committed && len(r.Members) > len(largest) {
			head, largest = r.Head, r.Members
		}
	}
	return head, largest
}

// committed counts the clusters to which a client has committed.
func (c *Client) committed() int {
	n := 0
	for _, r := range c.Suitors {
		if r.Committed {
			n++
		}
	}
	return n
}

// suitor finds a head's first entry on the list.
func (c *Client) suitor(head protocol.NodeID) (*Suitor, bool) {
	i := slices.IndexFunc(c.Suitors, func(r Suitor) bool { return r.Head == head })
	if i < 0 {
		return nil, false
	}
	return &c.Suitors[i], true
}

// reply finds the reply of a client; none if it was not solicited.
func (h *Head) reply(client protocol.NodeID) (*Reply, bool) {
	i := slices.IndexFunc(h.Replies, func(r Reply) bool { return r.Client == client })
	if i < 0 {
		return nil, false
	}
	return &h.Replies[i], true
}

// answered lists the clients with this answer.
func (h *Head) answered(a Answer) []protocol.NodeID {
	var ids []protocol.NodeID
	for _, r := range h.Replies {
		if r.Answer == a {
			ids = append(ids, r.Client)
		}
	}
	return ids
}

// insert adds an identity to a sorted list that does not have it.
func insert(ids []protocol.NodeID, id protocol.NodeID) []protocol.NodeID {
	i, has := slices.BinarySearchFunc(ids, id, protocol.NodeID.Compare)
	if has {
		return ids
	}
	return slices.Insert(slices.Clone(ids), i, id)
}

// remove takes an identity out of a list.
func remove(ids []protocol.NodeID, id protocol.NodeID) []protocol.NodeID {
	return slices.DeleteFunc(slices.Clone(ids), func(other protocol.NodeID) bool { return other == id })
}
