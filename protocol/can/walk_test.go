package can_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Random walks go where the checker does not reach: up to twelve nodes in one to four dimensions,
// two or three changes at a time, messages lost, repeated and overtaken, timers at any moment. A
// failure shows the shrunk walk step by step and the command that repeats it (-rapid.failfile=…, or
// -rapid.seed=…). To walk longer: go test ./protocol/can -run TestWalk -rapid.checks=10000

// In every state zones do not overlap, owners are in their zones and rounds have one outcome. At
// rest the zones tile the space, and everybody knows exactly its neighbours and theirs.
func TestWalk(t *testing.T) {
	testWalk(t, false, can.EventJoined, can.EventLeft, "MERGE", "SPLIT", "NO-OP")
}

// The same with crashes, at most one from rest to rest.
func TestWalkWithCrashes(t *testing.T) {
	testWalk(t, true, can.EventJoined, can.EventLeft, can.EventFailed, "TAKEOVER", "NO-OP")
}

func testWalk(t *testing.T, crash bool, witnesses ...string) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, crash, 12)
		if k.run(func(w *world) { w.events = seen }) != nil {
			t.Fatal(k.retell(t.Log))
		}
	})
	if testing.Short() {
		return // a few walks need not come to everything
	}
	for _, name := range witnesses {
		require.NotZero(t, seen[name], "no walk came to %q: nothing was tested", name)
	}
}

// retell takes the walk again and tells what happened from the first epoch on, or from the
// beginning if it never came to one.
func (k *walk) retell(tell func(...any)) error {
	var lines []string
	err := k.run(func(w *world) { w.log = func(line string) { lines = append(lines, line) } })
	for _, line := range lines[max(0, slices.Index(lines, epochLine)):] {
		tell(line)
	}
	return err
}

const epochLine = "epoch, with"

// bits draws a number evenly: rapid's own numbers are mostly small ones, with which all walks are
// alike.
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
	k := &walk{Virtual: rapid.Bool().Draw(t, "virtual")}
	for range 1 + number(4, "dims") {
		k.Sizes = append(k.Sizes, []int32{4, 8, 16, 64}[number(4, "size")])
	}
	last := len(k.Sizes) - 1
	switch {
	case k.Virtual:
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
	mixture := []moveKind{moveAny, moveAny, moveAny, moveWish}
	for _, m := range []struct {
		kind moveKind
		most int
	}{{moveOldest, 8}, {moveTimer, 3}, {moveStart, 2}, {moveRepeat, 2}, {moveLose, 2}, {moveCrash, 1}} {
		for range number(m.most+1, "weight") {
			mixture = append(mixture, m.kind)
		}
	}
	for range 1 + number(3, "epochs") {
		e := epoch{Crash: crash && rapid.Bool().Draw(t, "crash")}
		for range 1 + number(3, "wishes") {
			e.Wishes = append(e.Wishes, wish{rapid.Bool().Draw(t, "leave"), bits(8).Draw(t, "who"), bits(8).Draw(t, "contact")})
		}
		one := rapid.Custom(func(t *rapid.T) move {
			return move{mixture[int(bits(8).Draw(t, "kind"))%len(mixture)], bits(10).Draw(t, "pick")}
		})
		e.Moves = rapid.SliceOfN(one, number(100, "least"), 150).Draw(t, "moves")
		k.Epochs = append(k.Epochs, e)
	}
	return k
}

// A walk is a run of a world written down as data: it can be drawn, shrunk and repeated.
type walk struct {
	Sizes   []int32
	Virtual bool
	Coords  []space.Point // the first is the founder's
	First   int           // so many join before the first epoch, one after the other
	Epochs  []epoch
}

// An epoch is a handful of wishes and at most one crash, fulfilled while messages and timers come
// in the order that the moves say. Then the world settles.
type epoch struct {
	Wishes []wish
	Crash  bool
	Moves  []move
}

// A wish is that a member leaves or that somebody who is not in joins.
type wish struct {
	Leave        bool
	Who, Contact uint16
}

// A move is one thing that happens. What it picks from depends on the world: picks are taken
// modulo.
type move struct {
	Kind moveKind
	Pick uint16
}

type moveKind uint8

const (
	moveOldest moveKind = iota // deliver the oldest message
	moveAny                    // deliver any message
	moveTimer                  // fire any timer
	moveWish                   // the next wish comes up
	moveCrash                  // the crash happens
	moveStart                  // somebody who crashed or left starts a new life
	moveRepeat                 // deliver a copy of any message
	moveLose                   // lose any message
)

type walker struct {
	*world
	wishes []wish
	crash  bool // one may happen
}

// run takes the walk and returns what it broke.
func (k *walk) run(prepare func(*world)) error {
	s, err := space.New(k.Virtual, k.Sizes...)
	if err != nil {
		return err
	}
	cfg := can.DefaultConfig(s)
	w := &walker{world: newWorld(&cfg, k.Coords...)}
	if prepare != nil {
		prepare(w.world)
	}
	drawn := uint32(0)
	w.choose = func(n uint32) uint32 {
		drawn = drawn*1664525 + 1013904223
		return drawn >> 8 % n
	}
	for i, p := range w.nodes[:min(k.First, len(w.nodes))] {
		w.start(p)
		if i == 0 {
			w.order(p, can.Command{Kind: can.CommandCreate})
		} else {
			w.order(p, can.Command{Kind: can.CommandJoin, Contact: w.nodes[0].state.Self.ID})
		}
		w.rest()
	}
	for _, e := range k.Epochs {
		w.epoch(e)
	}
	return w.broken
}

func (w *walker) epoch(e epoch) {
	if w.broken != nil {
		return
	}
	w.note(epochLine)
	for _, p := range w.having(func(p *process) bool { return true }) {
		w.note("    %s", can.StateText(w.cfg, p.state))
	}
	w.wishes, w.crash = e.Wishes, e.Crash
	for _, m := range e.Moves {
		w.move(m)
		w.checkAlways()
		if w.broken != nil {
			return
		}
	}
	for len(w.wishes) > 0 {
		w.wish(0)
		w.checkAlways()
	}
	w.rest()
}

func (w *walker) rest() {
	w.note("rest")
	calm := w.settle()
	for w.broken == nil && calm && w.redirect() {
		calm = w.settle()
	}
	if w.broken != nil {
		return
	}
	if !calm {
		w.violated("the world does not come to rest")
	}
	w.checkAtRest()
}

// redirect gives joiners whose contact is gone another one, as their applications would.
func (w *walker) redirect() bool {
	members, any := w.members(), false
	for _, p := range w.having(func(p *process) bool { return p.state.Phase == can.Joining }) {
		if c := p.state.Contact; len(members) > 0 && (!w.running(c) || w.at(c).state.Phase != can.Member) {
			w.order(p, can.Command{Kind: can.CommandJoin, Contact: members[0].state.Self.ID})
			any = true
		}
	}
	return any
}

func (w *walker) move(m move) {
	switch pick := int(m.Pick); m.Kind {
	case moveOldest, moveAny, moveRepeat, moveLose:
		if len(w.net) > 0 {
			w.network(m.Kind, pick%len(w.net))
		}
	case moveTimer:
		w.timer(pick)
	case moveWish:
		w.wish(m.Pick)
	case moveCrash:
		w.crashOne(pick)
	case moveStart:
		idle := w.idle()
		if len(idle) > 0 {
			w.start(idle[pick%len(idle)])
		}
	}
}

func (w *walker) network(kind moveKind, i int) {
	switch kind {
	case moveOldest:
		w.deliver(0)
	case moveAny:
		w.deliver(i)
	case moveRepeat:
		w.note("a copy:")
		w.hand(w.net[i])
	case moveLose:
		e := w.net[i]
		w.note("lose %v<-%v %s", e.To, e.From, can.MessageText(w.cfg, e.Message))
		w.net = slices.Delete(w.net, i, i+1)
	}
}

// timer fires one of the pending timers. Failure detection is accurate: a live node is never
// suspected.
func (w *walker) timer(pick int) {
	type pending struct {
		p *process
		t protocol.Timer
	}
	var all []pending
	for _, p := range w.nodes {
		for _, t := range p.timers {
			if t.Kind != can.MissedTimer || !w.running(t.Peer) {
				all = append(all, pending{p, t})
			}
		}
	}
	if len(all) > 0 {
		chosen := all[pick%len(all)]
		w.fire(chosen.p, chosen.t)
	}
}

// idle returns who does not run: never started, crashed or departed.
func (w *walker) idle() []*process {
	var idle []*process
	for _, p := range w.nodes {
		if !p.up || p.state.Phase == can.Departed {
			idle = append(idle, p)
		}
	}
	return idle
}

// wish makes the next wish come up.
func (w *walker) wish(pick uint16) {
	if len(w.wishes) == 0 {
		return
	}
	next := w.wishes[0]
	w.wishes = w.wishes[1:]
	members := w.members()
	if len(members) == 0 {
		return
	}
	if next.Leave {
		stay := w.having(func(p *process) bool { return p.state.Phase == can.Member && !p.state.Leave })
		if len(stay) > 2 {
			w.order(stay[int(next.Who)%len(stay)], can.Command{Kind: can.CommandLeave})
		}
		return
	}
	outside := w.having(func(p *process) bool { return p.state.Phase == can.Outside })
	if idle := w.idle(); len(outside) == 0 && len(idle) > 0 {
		p := idle[int(next.Who)%len(idle)]
		w.start(p)
		outside = append(outside, p)
	}
	if len(outside) > 0 {
		contact := members[int(next.Contact)%len(members)].state.Self.ID
		w.order(outside[int(next.Who)%len(outside)], can.Command{Kind: can.CommandJoin, Contact: contact})
	}
}

// crashOne crashes any process. Enough members remain for the zone to be taken over.
func (w *walker) crashOne(pick int) {
	stay := w.having(func(p *process) bool { return p.state.Phase == can.Member && !p.state.Leave })
	running := w.having(func(p *process) bool { return p.state.Phase != can.Outside && p.state.Phase != can.Departed })
	if w.crash && len(stay) > 2 {
		w.crash = false
		w.world.crash(running[pick%len(running)])
	}
}
