package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim/load"
)

const second = 1_000_000

// town is a grid without a core: nodes are members at once, and leave at once.
type town struct {
	now         int64
	calls       calendar.Heap[func()]
	pushed      uint64
	incarnation []uint16
	up          []bool
	log         []string
	coming      *load.Coming

	submitted []int // nodes at which job 0 was submitted
	gaveUp    bool
}

func newTown(nodes int) *town {
	t := &town{incarnation: make([]uint16, nodes), up: make([]bool, nodes)}
	for i := range t.up {
		t.up[i], t.incarnation[i] = true, 1
	}
	return t
}

func (t *town) Now() int64 { return t.now }
func (t *town) Len() int   { return len(t.up) }
func (t *town) At(at int64, call func()) {
	t.pushed++
	t.calls.Push(calendar.Event[func()]{At: at, Order: t.pushed, Value: call})
}
func (t *town) ID(node int) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(node), Incarnation: t.incarnation[node]}
}
func (t *town) Running(id protocol.NodeID) bool {
	return t.up[id.Address] && t.ID(int(id.Address)) == id
}
func (t *town) Staying(node int) bool { return t.up[node] }
func (t *town) MayFail() bool         { return true }
func (t *town) Leave(node int)        { t.up[node] = false; t.log = append(t.log, "leave") }
func (t *town) Fail(node int)         { t.up[node] = false; t.log = append(t.log, "fail") }
func (t *town) Return(node int) {
	t.up[node] = true
	t.incarnation[node]++
	t.log = append(t.log, "return")
	t.coming.Came(node)
}
func (t *town) Submit(_, node int) { t.submitted = append(t.submitted, node) }
func (t *town) GiveUp(int)         { t.gaveUp = true }

func (t *town) runUntil(end int64, each func()) {
	for t.calls.NextAt() <= end {
		e := t.calls.Pop()
		t.now = e.At
		e.Value()
		each()
	}
	t.now = end
}

// Nodes leave, fail and come back, and most of them stay at any time.
func TestNodesComeAndGo(t *testing.T) {
	churn := load.Churn{LeaveMicros: 60 * second, FailMicros: 60 * second, AwayMicros: 600 * second}
	g := newTown(6)
	g.coming = load.Disturb(g, churn, 7)
	least := g.Len()
	g.runUntil(7200*second, func() {
		up := 0
		for i := range g.up {
			if g.up[i] {
				up++
			}
		}
		least = min(least, up)
	})
	for _, kind := range []string{"leave", "fail", "return"} {
		require.Contains(t, g.log, kind)
	}
	require.Equal(t, 3, least, "as many are away as may be: one goes where four stay")

	again := newTown(6)
	again.coming = load.Disturb(again, churn, 7)
	again.runUntil(7200*second, func() {})
	require.Equal(t, g.log, again.log)
}

func TestNoChurn(t *testing.T) {
	g := newTown(6)
	load.Disturb(g, load.Churn{}, 7)
	require.Empty(t, g.calls)
}

// A client submits its job at its entry node, or at the next node that stays, until it is answered.
func TestClientsSubmitAgain(t *testing.T) {
	g := newTown(3)
	c := load.NewClients(g, []int{1}, 10*second)
	c.Send(0)
	g.up[1] = false
	g.runUntil(15*second, func() {})
	g.up = []bool{false, false, false}
	g.runUntil(25*second, func() {})
	g.up[0] = true
	g.runUntil(35*second, func() { c.Answered(0) })
	g.runUntil(100*second, func() {})
	require.Equal(t, []int{1, 2, load.None, 0}, g.submitted)
	require.Equal(t, uint64(3), c.Again())

	c.SendAgain(0, 10*second, func() bool { return true })
	require.True(t, c.End(0))
	require.False(t, c.End(0), "it has ended before")
	g.runUntil(200*second, func() {})
	require.Len(t, g.submitted, 4, "a job that has ended is not submitted")
}

func TestClientsGiveUp(t *testing.T) {
	g := newTown(1)
	c := load.NewClients(g, []int{0}, second)
	c.Send(0)
	g.runUntil(2*load.MostTries*second, func() {})
	require.True(t, g.gaveUp)
	require.Len(t, g.submitted, load.MostTries)
}

func TestImpossibleChurn(t *testing.T) {
	for text, c := range map[string]load.Churn{
		"is back after": {FailMicros: 900 * second},
		"goes after":    {LeaveMicros: 1, AwayMicros: 900 * second},
		"negative":      {LeaveMicros: -1, FailMicros: 900 * second, AwayMicros: 900 * second},
	} {
		require.ErrorContains(t, c.Validate(), text)
	}
	require.NoError(t, (&load.Churn{FailMicros: 900 * second, AwayMicros: 900 * second}).Validate())
}

func TestAccount(t *testing.T) {
	a := load.NewAccount("Ask", "Give", "Never")
	a.Note(0, 10)
	a.Note(0, 5)
	a.Note(1, 0)
	require.Equal(t, load.Sent{Messages: 2, Bytes: 15}, a.Of(0))
	require.Equal(t, map[string]uint64{"Ask": 2, "Give": 1}, a.ByName(3))
	require.Equal(t, map[string]uint64{"Ask": 2, "Give": 1, load.Repeated: 4}, a.ByName(7))
}
