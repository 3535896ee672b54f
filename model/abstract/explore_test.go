package abstract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/model/abstract"
	"github.com/canvass-grid/canvass/protocol"
)

// whole is a state of the machine: three members, and the set of the messages that were sent. A and
// C want to leave, and B is to take the zone of each.
type whole struct {
	nodes [3]node
	sent  [4]uint64 // indexes of explorer.posts
}

// post is a message with its sender and its receiver.
type post struct {
	from, to protocol.NodeID
	message  message
}

// explorer finds the states that the machine can reach if one of its clauses is left out.
type explorer struct {
	leftOut string
	rounds  map[protocol.NodeID]uint32 // how many each begins at most
	posts   []post
	index   map[post]int
	seen    map[whole]bool
	next    []whole
	broken  int // steps that decide a round without what GrantedAlone demands
}

// mostStates bounds a search.
const mostStates = 100_000

func explore(leftOut string, rounds map[protocol.NodeID]uint32) *explorer {
	e := &explorer{leftOut: leftOut, rounds: rounds, index: map[post]int{}, seen: map[whole]bool{}}
	e.reach(whole{nodes: [3]node{member(a), member(b), member(c)}})
	for len(e.next) > 0 && e.broken == 0 && len(e.seen) < mostStates {
		w := e.next[0]
		e.next = e.next[1:]
		for i := range w.nodes {
			e.alone(&w, i)
		}
		for k := range e.posts {
			if w.sent[k/64]>>(k%64)&1 == 1 {
				e.arrives(&w, e.posts[k])
			}
		}
	}
	return e
}

func (e *explorer) reach(w whole) {
	if !e.seen[w] {
		e.seen[w] = true
		e.next = append(e.next, w)
	}
}

// try takes a step if the machine allows it.
func (e *explorer) try(w *whole, i int, s step) {
	s.Before = w.nodes[i]
	_, err := abstract.ExplainCAN(&s)
	if refusal, refused := err.(*abstract.Refusal); refused && (refusal.Why != e.leftOut || e.leftOut == "") {
		return
	}
	if s.Before.Stage == abstract.CANOpen && s.After.Life == abstract.CANLeaving && !grantedAlone(w, i, s.From) {
		e.broken++
	}
	after := *w
	after.nodes[i] = s.After
	for _, l := range s.Sent {
		p := post{s.Before.ID, l.To, l.Message}
		k, known := e.index[p]
		if !known {
			k = len(e.posts)
			e.index[p] = k
			e.posts = append(e.posts, p)
		}
		after.sent[k/64] |= 1 << (k % 64)
	}
	e.reach(after)
}

// grantedAlone reports whether all that were asked hold their promises to the round that is being
// decided, have the zones that the proposer has seen, and are in no round of their own.
func grantedAlone(w *whole, i int, last protocol.NodeID) bool {
	l := w.nodes[i]
	for id := range l.Others.With(last).All() {
		r := w.nodes[id.Address]
		seen, _ := l.Outcome.View.Of(id)
		if after, changes := l.Outcome.Changed.Of(id); changes {
			seen.Version = after.Version - 1
		}
		if r.Promise.Proposer != l.ID || r.Promise.Round != l.Round || r.Version != seen.Version ||
			r.Stage != abstract.CANIdle {
			return false
		}
	}
	return true
}

// alone tries what a node may do of itself: it begins a round with any participants, or cancels it.
func (e *explorer) alone(w *whole, i int) {
	n := w.nodes[i]
	if n.Round < e.rounds[n.ID] {
		for _, asked := range []abstract.Set{n.Known.IDs(), n.Known.IDs().Without(a).Without(c)} {
			after := n
			taker, _ := n.Known.Of(b)
			after.Round, after.Stage, after.Subject, after.Missing = n.Round+1, abstract.CANOpen, n.ID, asked
			taker.Version++
			after.Outcome = abstract.CANOutcome{Change: abstract.CANMerge, Gone: n.ID, Changed: records(taker)}
			for r := range n.Known.All() {
				if r.ID != b && asked.Has(r.ID) {
					after.Outcome.View = after.Outcome.View.With(r)
				}
			}
			s := step{After: after, Announced: []string{"request"}}
			for id := range asked.All() {
				seen, _ := n.Known.Of(id)
				s.Sent = append(s.Sent, letter{id, message{
					Kind: abstract.CANPropose, Round: after.Round, Change: abstract.CANMerge, Subject: n.ID,
					Version: seen.Version,
				}})
			}
			e.try(w, i, s)
		}
	}
	if n.Stage == abstract.CANOpen {
		e.try(w, i, decided(n, false))
	}
	if n.Version > 1 {
		told := message{Kind: abstract.CANTold, Records: records(record(n.ID, n.Version, n.Epoch))}
		e.try(w, i, step{After: n, Sent: []letter{{c, told}}})
	}
}

// decided is the step that decides a round.
func decided(n node, granted bool) step {
	after := n
	everybody := n.Missing.Union(n.Others)
	after.Stage, after.Missing, after.Others = abstract.CANCommitting, everybody, ""
	if granted {
		after.Stage, after.Missing, after.Others = abstract.CANGranting, set(b), everybody.Without(b)
		after.Life, after.Known = abstract.CANLeaving, ""
	} else {
		after.Outcome = abstract.CANOutcome{}
	}
	s := step{After: after, Announced: []string{"decide"}}
	for id := range after.Missing.All() {
		s.Sent = append(s.Sent, letter{id, message{Kind: abstract.CANCommit, Round: n.Round, Outcome: after.Outcome}})
	}
	return s
}

// arrives tries what a node may do upon a message, whether it is allowed or not.
func (e *explorer) arrives(w *whole, p post) {
	i, m := int(p.to.Address), p.message
	n := w.nodes[i]
	take := func(s step) {
		s.From, s.Got = p.from, &m
		e.try(w, i, s)
	}
	free := changed(n, func(x *node) { x.Promise = abstract.CANPromise{} })
	switch m.Kind {
	case abstract.CANPropose:
		bound := changed(n, func(x *node) {
			x.Promise = abstract.CANPromise{Proposer: p.from, Round: m.Round, Change: m.Change, Subject: m.Subject}
		})
		s := step{After: bound, Announced: []string{"promise"}, Sent: []letter{{
			p.from, message{Kind: abstract.CANYes, Round: m.Round, Epoch: n.Epoch},
		}}}
		take(s)
		s.Announced = []string{"release", "promise"}
		take(s)
	case abstract.CANYes:
		e.answered(w, i, p, take)
	case abstract.CANRelease:
		take(step{After: free, Announced: []string{"release"}})
	case abstract.CANCommit:
		if m.Outcome.Change != abstract.CANNoOp {
			free.Epoch++
			if r, mine := m.Outcome.Changed.Of(n.ID); mine {
				free.Version = r.Version
			}
			free.Known = n.Known.With(record(p.from, 1, 0))
			free.Dead = free.Dead.With(p.from)
		}
		ack := []letter{{p.from, message{Kind: abstract.CANAck, Round: m.Round}}}
		take(step{After: free, Announced: []string{"execute"}, Sent: ack})
		take(step{After: n, Sent: ack})
	case abstract.CANAck:
		take(step{After: acknowledged(n, p.from)})
	case abstract.CANTold:
		take(step{After: changed(n, func(x *node) {
			for r := range m.Records.All() {
				x.Known = x.Known.With(r)
			}
		})})
	}
}

// acknowledged is a proposer once a node has acknowledged its outcome.
func acknowledged(n node, by protocol.NodeID) node {
	n.Missing, n.Others = n.Missing.Without(by), n.Others.Without(by)
	if n.Missing == "" {
		n.Stage, n.Missing, n.Others = abstract.CANCommitting, n.Others, ""
	}
	if n.Missing == "" {
		n.Stage, n.Subject, n.Outcome = abstract.CANIdle, protocol.NodeID{}, abstract.CANOutcome{}
		if n.Life == abstract.CANLeaving {
			n.Life = abstract.CANGone
		}
	}
	return n
}

// answered tries what a proposer may do upon a YES.
func (e *explorer) answered(w *whole, i int, p post, take func(step)) {
	n := w.nodes[i]
	counted := n
	counted.Missing, counted.Others = n.Missing.Without(p.from), n.Others.With(p.from)
	for _, list := range []*abstract.Records{&counted.Outcome.Changed, &counted.Outcome.View} {
		if r, ok := list.Of(p.from); ok {
			r.Epoch = p.message.Epoch + 1
			*list = list.With(r)
		}
	}
	if counted.Missing != "" {
		take(step{After: counted})
	} else {
		take(decided(counted, true))
	}
	take(step{After: n, Sent: []letter{{p.from, message{Kind: abstract.CANRelease, Round: p.message.Round}}}})
}

// The rounds that are explored: A and C ask B at once, or A asks twice.
var (
	both  = map[protocol.NodeID]uint32{a: 1, c: 1}
	twice = map[protocol.NodeID]uint32{a: 2}
)

// A node that decides for a change has the promises of all participants, and their zones are as the
// proposer has seen them.
func TestCANGrantsAlone(t *testing.T) {
	for states, rounds := range map[int]map[protocol.NodeID]uint32{16_443: both, 5_255: twice} {
		e := explore("", rounds)
		assert.Empty(t, e.next, "the machine has too many states")
		assert.Zero(t, e.broken)
		assert.Len(t, e.seen, states) // docs/verification.md has these numbers
	}
}

// A machine without one of these clauses grants a round to two proposers, or on a stale view.
func TestCANNeedsItsClauses(t *testing.T) {
	for clause, rounds := range map[string]map[protocol.NodeID]uint32{
		"it is in its own round":                                             both,
		"the proposer has not seen its present zone":                         both,
		"it is bound to the round of another":                                both,
		"nothing shows that the promised round is over":                      both,
		"no node that was asked and has not answered says YES to this round": twice,
		"no node that was asked and has not answered answers this round":     twice,
	} {
		assert.NotZero(t, explore(clause, rounds).broken, clause)
	}
}
