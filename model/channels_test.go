package model_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// reader is a node that keeps its messages in order of arrival. Every other node sends numbers to
// it.
type reader struct {
	Self protocol.NodeID
	Read []uint8
}

// senders is a system in which a number of nodes send the numbers from 1 to n to one reader.
func senders(nodes, n int, network model.Network) *model.System[reader, uint8, struct{}] {
	step := func(s reader, in protocol.Input[uint8, struct{}]) (reader, protocol.Output[uint8]) {
		var out protocol.Output[uint8]
		switch in.Kind {
		case protocol.Start:
			s.Self.Incarnation = 1
			for i := range n {
				if s.Self.Address > 0 {
					to := protocol.NodeID{Incarnation: 1}
					out.Send = append(out.Send, protocol.Envelope[uint8]{From: s.Self, To: to, Message: uint8(i + 1)})
				}
			}
		case protocol.Deliver:
			s.Read = append(append([]uint8(nil), s.Read...), uint8(in.From.Address)<<4|in.Message)
		}
		return s, out
	}
	sys := &model.System[reader, uint8, struct{}]{
		Info: model.Info{Name: "senders"}, Core: model.Plain(step), Network: network,
		Identity:     func(s reader) protocol.NodeID { return s.Self },
		QuiescentEnd: func(*model.GlobalState[reader, uint8]) bool { return true },
	}
	for i := range nodes + 1 {
		self := protocol.NodeID{Address: protocol.Address(i)}
		sys.Nodes = append(sys.Nodes, model.Node[reader, struct{}]{Name: fmt.Sprint(i), State: reader{Self: self}})
	}
	return sys
}

// The numbers of states have a closed form: the messages that were read determine those in flight.
func TestChannelsAreInOrder(t *testing.T) {
	tests := []struct {
		nodes, n int
		network  model.Network
		budget   model.Budget
		states   uint64
	}{
		{1, 4, model.FIFO, model.Budget{}, 5},
		// Any selection of the four, in any order, may have been read.
		{1, 4, model.Unordered, model.Budget{}, 1 + 4 + 12 + 24 + 24},
		{2, 2, model.Unordered, model.Budget{}, 1 + 4 + 12 + 24 + 24},
		// A prefix of each channel was read, merged in any way.
		{2, 2, model.FIFO, model.Budget{}, 1 + 2 + 4 + 6 + 6},
		// No message was read twice, or the first, the second or the third was.
		{1, 3, model.FIFO, model.Budget{Duplicate: 1}, 4 + 4 + 3 + 2},
		// Nothing was lost, or one of three messages; none to all of the others were read.
		{1, 3, model.FIFO, model.Budget{Drop: 1}, 4 + 3*3},
		// Each message is read, lost or in flight, and no message is read after one in flight: 2^3 ways
		// with nothing in flight, and 2^2 for each message that can be the first in flight.
		{1, 3, model.FIFO, model.Budget{Drop: 3}, 8 + 3*4},
	}
	for _, test := range tests {
		sys := senders(test.nodes, test.n, test.network)
		sys.Info.Budget = test.budget
		m, err := sys.Compile()
		require.NoError(t, err)
		r := check(t, m.Model(), everything(1))
		assert.Equal(t, test.states, r.States, "%d nodes, %d messages, %v, %v", test.nodes, test.n, test.network, test.budget)
	}
}

// A restarted sender has its own channel: its messages may overtake those of its earlier
// incarnation, which keep their order.
func TestChannelsBelongToIncarnations(t *testing.T) {
	sys := senders(1, 2, model.FIFO)
	plain := sys.Core
	sys.Core = restarting{plain}
	sys.Info.Budget = model.Budget{Crash: 1, Restart: 1}
	sys.Crashable = func(_ *model.GlobalState[reader, uint8], node int) bool { return node == 1 }
	sys.Properties = []model.Property[reader, uint8]{
		seen(
			"OldFirst",
			0x11,
			0x12,
			0x13,
			0x14,
		), seen("NewFirst", 0x13, 0x14, 0x11, 0x12), seen("Mixed", 0x11, 0x13, 0x12, 0x14),
		seen("OldSwapped", 0x12, 0x11, 0x13, 0x14), seen("NewSwapped", 0x11, 0x12, 0x14, 0x13),
	}
	m, err := sys.Compile()
	require.NoError(t, err)
	r := check(t, m.Model(), everything(1))
	var found []string
	for _, o := range r.Outcomes {
		if o.Verdict == checker.Holds {
			found = append(found, o.Property.Name)
		}
	}
	assert.Equal(t, []string{"OldFirst", "NewFirst", "Mixed", checker.Deadlock}, found)
}

// restarting is a core whose later incarnations send 3 and 4 where the first one sent 1 and 2.
type restarting struct {
	protocol.Core[reader, uint8, struct{}]
}

func (r restarting) Step(s reader, in protocol.Input[uint8, struct{}]) (reader, protocol.Output[uint8]) {
	if in.Kind != protocol.Restart {
		return r.Core.Step(s, in)
	}
	s, out := r.Core.Step(s, protocol.Input[uint8, struct{}]{Kind: protocol.Start})
	s.Self.Incarnation = 2
	for i := range out.Send {
		out.Send[i].From, out.Send[i].Message = s.Self, out.Send[i].Message+2
	}
	return s, out
}

// seen is the witness that the reader reads these in this order.
func seen(name string, read ...uint8) model.Property[reader, uint8] {
	return model.Property[reader, uint8]{
		Property: checker.Property{Name: name, Shape: checker.Sometimes},
		Holds:    func(w *model.GlobalState[reader, uint8]) bool { return slices.Equal(w.Slots[0].State.Read, read) },
	}
}

func TestWhatAFIFONetworkRefuses(t *testing.T) {
	tests := []struct {
		spoil func(*model.System[reader, uint8, struct{}])
		is    error
		says  string
	}{
		{func(s *model.System[reader, uint8, struct{}]) { s.KeepIgnored = true }, model.ErrSystem, "would block its channel"},
		{func(s *model.System[reader, uint8, struct{}]) { s.Info.Budget.Repeat = true }, model.ErrBudget, "use duplicate"},
		{func(s *model.System[reader, uint8, struct{}]) { s.Info.Budget.Adversarial = true }, model.ErrBudget,
			"adversarial delivery on a FIFO network"},
		{func(s *model.System[reader, uint8, struct{}]) { s.Network = 2 }, model.ErrSystem, "Network(2) is no network"},
	}
	for _, test := range tests {
		sys := senders(1, 1, model.FIFO)
		test.spoil(sys)
		_, err := sys.Compile()
		require.ErrorIs(t, err, test.is)
		assert.Contains(t, err.Error(), test.says)
	}
	m, err := senders(1, 1, model.FIFO).Compile()
	require.NoError(t, err)
	_, err = m.With(model.Budget{Repeat: true})
	require.ErrorIs(t, err, model.ErrBudget)
}

// The lists of an inbox mean something else on another network.
func TestSnapshotsOfTheOtherNetworkAreRefused(t *testing.T) {
	snapshots := map[model.Network][]byte{}
	models := map[model.Network]checker.Snapshotter{}
	for _, network := range []model.Network{model.Unordered, model.FIFO} {
		m, err := senders(2, 2, network).Compile()
		require.NoError(t, err)
		full, fresh := m.Model(), m.Model()
		check(t, full, everything(1))
		fresh.Initial(func([]uint32) {})
		snapshots[network], err = full.(checker.Snapshotter).Snapshot()
		require.NoError(t, err)
		models[network] = fresh.(checker.Snapshotter)
	}
	assert.ErrorContains(t, models[model.FIFO].Restore(snapshots[model.Unordered]), "not FIFO")
	assert.Error(t, models[model.Unordered].Restore(snapshots[model.FIFO]))
}

// Confluent deliveries may be taken first on a FIFO network, too.
func TestConfluenceOnAFIFONetwork(t *testing.T) {
	fewer := false
	for _, script := range []toyScript{selfishCouriers().inOrder(), busyCouriers().inOrder(), twoCouriers().inOrder()} {
		sys := script.system(model.Budget{})
		sys.Confluent = func(_ *model.GlobalState[courier, note], e protocol.Envelope[note]) bool {
			return e.Message.Kind == noteBye || e.Message.Kind == noteHere
		}
		// Confluence keeps no count of messages in flight.
		sys.Properties = slices.DeleteFunc(
			sys.Properties,
			func(p model.Property[courier, note]) bool { return p.Name == "FewInFlight" },
		)
		m, err := sys.Compile()
		require.NoError(t, err)
		all, o := check(t, m.Model(), everything(1)), everything(1)
		o.Reduce = true
		reduced := check(t, m.Model(), o)
		assert.Equal(t, []string{"confluence"}, reduced.Reductions)
		fewer = fewer || reduced.States < all.States
		for i, outcome := range all.Outcomes {
			assert.Equal(t, outcome.Verdict, reduced.Outcomes[i].Verdict, outcome.Property.Name)
		}
	}
	assert.True(t, fewer, "nothing was left out")
}

// To drop the first of two equal messages of a channel is not to drop the last of them, and a trace
// says which one was dropped.
func TestDropsOfEqualMessagesAreToldApart(t *testing.T) {
	sys := senders(1, 3, model.FIFO)
	sys.Info.Budget = model.Budget{Drop: 1}
	sys.Core = repeating{sys.Core}
	sys.Properties = []model.Property[reader, uint8]{never("FirstDropped", 0x12, 0x11), never("LastDropped", 0x11, 0x12)}
	m, err := sys.Compile()
	require.NoError(t, err)
	machine := m.Machine()
	var texts []string
	for _, a := range machine.Enabled() {
		texts = append(texts, a.String())
	}
	assert.Equal(
		t,
		[]string{"deliver 1->0 1", "drop 1->0 1 (from B) (1)", "drop 1->0 2", "drop 1->0 1 (from B) (2)"},
		texts,
	)
	r := check(t, m.Model(), everything(1))
	for _, o := range r.Outcomes[:2] {
		require.Equal(t, checker.Violated, o.Verdict, o.Property.Name)
		trace, err := model.Trace(m, o)
		require.NoError(t, err)
		assert.Len(t, trace.Steps, len(o.Path.Steps))
	}
}

// never is the invariant that the reader does not read these in this order.
func never(name string, read ...uint8) model.Property[reader, uint8] {
	p := seen(name, read...)
	reads := p.Holds
	p.Shape, p.Holds = checker.Always, func(w *model.GlobalState[reader, uint8]) bool { return !reads(w) }
	return p
}

// repeating is a core that sends 1, 2, 1 where the other one sends 1, 2, 3.
type repeating struct {
	protocol.Core[reader, uint8, struct{}]
}

func (r repeating) Step(s reader, in protocol.Input[uint8, struct{}]) (reader, protocol.Output[uint8]) {
	s, out := r.Core.Step(s, in)
	for i := range out.Send {
		out.Send[i].Message = []uint8{0, 1, 2, 1}[out.Send[i].Message]
	}
	return s, out
}
