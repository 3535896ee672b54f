package can_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Random walks go where the checker does not reach: up to twelve nodes in one to four dimensions,
// two or three changes at a time, messages dropped, duplicated and reordered, timers at any moment.
// A failure shows the shrunk walk step by step and the command that repeats it (-rapid.failfile=…,
// or -rapid.seed=…). To walk longer: go test ./protocol/can -run TestWalk -rapid.checks=10000

// In every state zones do not overlap, owners are in their zones and rounds have one outcome. When
// the network is quiescent, the zones tile the space, and each member knows exactly its neighbours
// and theirs.
func TestWalk(t *testing.T) {
	testWalk(t, false, can.EventJoined, can.EventLeft, "MERGE", "SPLIT", "NO-OP")
}

// The same with crashes, at most one between two quiescent states.
func TestWalkWithCrashes(t *testing.T) {
	testWalk(t, true, can.EventJoined, can.EventLeft, can.EventFailed, "TAKEOVER", "NO-OP")
}

func testWalk(t *testing.T, crash bool, witnesses ...string) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, crash, 12)
		if k.run(func(w *network) { w.Events = seen }) != nil {
			t.Fatal(k.replay(t.Log))
		}
	})
	if testing.Short() {
		return // a few walks need not come to everything
	}
	for _, name := range witnesses {
		require.NotZero(t, seen[name], "no walk came to %q: nothing was tested", name)
	}
}

// replay takes the walk again and logs what happened from the first epoch on, or from the beginning
// if it never came to one.
func (k *walk) replay(log func(...any)) error {
	var lines []string
	err := k.run(func(w *network) { w.Log = func(e drivetest.Entry) { lines = append(lines, e.String()) } })
	for _, line := range lines[max(0, slices.Index(lines, epochLine)):] {
		log(line)
	}
	return err
}

const epochLine = "epoch"

// bits draws a number evenly. Rapid's own numbers are mostly small, and all walks would be alike.
func bits(n int) *rapid.Generator[uint16] {
	return rapid.Custom(func(t *rapid.T) uint16 {
		v := uint16(0)
		for range n {
			v <<= 1
			if rapid.Bool().Draw(t, "bit") {
				v++
			}
		}
		return v
	})
}

// drawWalk draws a walk of 4 to most nodes.
func drawWalk(t *rapid.T, crash bool, most int) *walk {
	number := func(n int, label string) int { return int(bits(8).Draw(t, label)) % n }
	k := &walk{}
	for range 1 + number(4, "dims") {
		k.Sizes = append(k.Sizes, []int32{4, 8, 16, 64}[number(4, "size")])
	}
	last := len(k.Sizes) - 1
	k.Virtual = min(number(3, "virtual"), len(k.Sizes))
	switch {
	case k.Virtual > 0:
		k.Sizes[last] = 1 << 20
	case last == 0:
		k.Sizes[0] = 64
	}
	for range 4 + number(most-3, "nodes") {
		var p space.Point
		for d, size := range k.Sizes {
			p[d] = int32(bits(16).Draw(t, "coord")) % size
		}
		k.Coords = append(k.Coords, p)
	}
	k.First = min(len(k.Coords), 3+number(7, "first"))
	// Each walk has its own mixture of moves; some faults do not happen at all.
	mixture := []moveKind{moveAny, moveAny, moveAny, moveRequest}
	for _, m := range []struct {
		kind moveKind
		most int
	}{{moveOldest, 8}, {moveTimer, 3}, {moveStart, 2}, {moveDuplicate, 2}, {moveDrop, 2}, {moveCrash, 1}} {
		for range number(m.most+1, "weight") {
			mixture = append(mixture, m.kind)
		}
	}
	for range 1 + number(3, "epochs") {
		e := epoch{Crash: crash && rapid.Bool().Draw(t, "crash")}
		for range 1 + number(3, "requests") {
			e.Requests = append(e.Requests, request{
				Leave:   rapid.Bool().Draw(t, "leave"),
				Node:    bits(8).Draw(t, "node"),
				Contact: bits(8).Draw(t, "contact"),
			})
		}
		one := rapid.Custom(func(t *rapid.T) move {
			return move{mixture[int(bits(8).Draw(t, "kind"))%len(mixture)], bits(10).Draw(t, "pick")}
		})
		e.Moves = rapid.SliceOfN(one, number(100, "least"), 150).Draw(t, "moves")
		k.Epochs = append(k.Epochs, e)
	}
	return k
}

// A walk is a run of a network as data: it can be drawn, shrunk and replayed.
type walk struct {
	Sizes   []int32
	Virtual int
	Coords  []space.Point // the first is the founder's
	First   int           // number of nodes that join before the first epoch, one after the other
	Epochs  []epoch
}

// An epoch is a handful of requests and at most one crash, while messages and timers come in the
// order that the moves say. Then the network becomes quiescent.
type epoch struct {
	Requests []request
	Crash    bool
	Moves    []move
}

// A request is that a member leaves or that another node joins.
type request struct {
	Leave         bool
	Node, Contact uint16
}

// A move is one event. The choices depend on the network: picks are taken modulo their number.
type move struct {
	Kind moveKind
	Pick uint16
}

type moveKind uint8

const (
	moveOldest    moveKind = iota // deliver the oldest message
	moveAny                       // deliver any message
	moveTimer                     // fire any timer
	moveRequest                   // the next request is made
	moveCrash                     // the crash happens
	moveStart                     // a node that crashed or left starts again
	moveDuplicate                 // deliver a copy of any message
	moveDrop                      // drop any message
)

type walker struct {
	*network
	requests []request
	crash    bool // one may happen
}

// run takes the walk and returns what it broke.
func (k *walk) run(prepare func(*network)) error {
	s, err := space.New(k.Virtual, k.Sizes...)
	if err != nil {
		return err
	}
	cfg := can.DefaultConfig(s)
	w := &walker{network: newNetwork(&cfg, k.Coords...)}
	if prepare != nil {
		prepare(w.network)
	}
	drawn := uint32(0)
	w.Choose = func(n uint32) uint32 {
		drawn = drawn*1664525 + 1013904223
		return drawn >> 8 % n
	}
	for i, p := range w.Nodes[:min(k.First, len(w.Nodes))] {
		w.Start(p)
		if i == 0 {
			w.Command(p, can.Command{Kind: can.CommandCreate})
		} else {
			w.Command(p, can.Command{Kind: can.CommandJoin, Contact: w.Nodes[0].ID()})
		}
		w.rest()
	}
	for _, e := range k.Epochs {
		w.epoch(e)
	}
	return w.Broken
}

func (w *walker) epoch(e epoch) {
	if w.Broken != nil {
		return
	}
	w.Note(epochLine, "")
	for _, p := range w.Having(func(*process) bool { return true }) {
		w.Note("state", "%s", can.StateText(w.cfg, p.State()))
	}
	w.requests, w.crash = e.Requests, e.Crash
	for _, m := range e.Moves {
		w.move(m)
		if w.Broken != nil {
			return
		}
	}
	for len(w.requests) > 0 {
		w.request()
	}
	w.rest()
}

// rest lets the network become quiescent and checks it.
func (w *walker) rest() {
	w.Note("rest", "")
	quiescent := w.settle()
	for w.Broken == nil && quiescent && w.redirect() {
		quiescent = w.settle()
	}
	if w.Broken != nil {
		return
	}
	if !quiescent {
		w.Violated("the network does not become quiescent")
	}
	w.checkQuiescent()
}

// redirect gives each joiner whose contact is gone another contact, as its application would.
func (w *walker) redirect() (any bool) {
	members := w.members()
	for _, p := range w.Having(func(p *process) bool { return p.State().Phase == can.Joining }) {
		c := p.State().Contact
		gone := !w.Running(c) || w.At(c).State().Phase != can.Member
		if len(members) > 0 && gone {
			w.Command(p, can.Command{Kind: can.CommandJoin, Contact: members[0].ID()})
			any = true
		}
	}
	return any
}

func (w *walker) move(m move) {
	switch pick := int(m.Pick); m.Kind {
	case moveOldest, moveAny, moveDuplicate, moveDrop:
		if len(w.InFlight) > 0 {
			w.message(m.Kind, pick%len(w.InFlight))
		}
	case moveTimer:
		w.FireOne(pick, func(_ *process, t protocol.Timer) bool { return w.mayFire(t) })
	case moveRequest:
		w.request()
	case moveCrash:
		w.crashOne(pick)
	case moveStart:
		idle := w.idle()
		if len(idle) > 0 {
			w.Start(idle[pick%len(idle)])
		}
	}
}

func (w *walker) message(kind moveKind, i int) {
	switch kind {
	case moveOldest:
		w.Deliver(0)
	case moveAny:
		w.Deliver(i)
	case moveDuplicate:
		w.Duplicate(i)
	case moveDrop:
		w.Lose(i)
	}
}

// idle returns the processes without a node: never started, crashed or departed.
func (w *walker) idle() []*process {
	var idle []*process
	for _, p := range w.Nodes {
		if !p.Running() || p.State().Phase == can.Departed {
			idle = append(idle, p)
		}
	}
	return idle
}

// request makes the next request.
func (w *walker) request() {
	if len(w.requests) == 0 {
		return
	}
	next := w.requests[0]
	w.requests = w.requests[1:]
	members := w.members()
	if len(members) == 0 {
		return
	}
	if next.Leave {
		stay := w.staying()
		if len(stay) > 2 {
			w.Command(stay[int(next.Node)%len(stay)], can.Command{Kind: can.CommandLeave})
		}
		return
	}
	outside := w.Having(func(p *process) bool { return p.State().Phase == can.Outside })
	if idle := w.idle(); len(outside) == 0 && len(idle) > 0 {
		p := idle[int(next.Node)%len(idle)]
		w.Start(p)
		outside = append(outside, p)
	}
	if len(outside) > 0 {
		contact := members[int(next.Contact)%len(members)].ID()
		w.Command(outside[int(next.Node)%len(outside)], can.Command{Kind: can.CommandJoin, Contact: contact})
	}
}

// staying returns the members that do not want to leave.
func (w *walker) staying() []*process {
	return w.Having(func(p *process) bool { return p.State().Phase == can.Member && !p.State().Leave })
}

// crashOne crashes any process. Enough members remain for the zone to be taken over.
func (w *walker) crashOne(pick int) {
	running := w.Having(func(p *process) bool {
		return p.State().Phase != can.Outside && p.State().Phase != can.Departed
	})
	if w.crash && len(w.staying()) > 2 {
		w.crash = false
		w.Crash(running[pick%len(running)])
	}
}
