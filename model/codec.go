package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/cores"
	"github.com/canvass-grid/canvass/protocol"
)

// codec encodes the parts of a system's states: slots and messages as bytes, and the rest of the
// budget as a word. It ends a check if a part does not survive that.
type codec[S, M, C any] struct {
	*System[S, M, C]          // of a worker: guarded
	n                int      // nodes
	sampled          *sampled // encodings that were damaged
}

func (c *codec[S, M, C]) Width() int {
	width := c.n
	for _, there := range []bool{c.Monitor != nil, c.limited()} {
		if there {
			width++
		}
	}
	return width
}

// limited reports whether the budget has faults to count.
func (c *codec[S, M, C]) limited() bool { return c.Info.Budget.packed() != 0 }

// The positions of the monitor's state and of the budget in a vector, if it has them.
func (c *codec[S, M, C]) monitorAt() int { return c.n }
func (c *codec[S, M, C]) budgetAt() int  { return c.Width() - 1 }

// broken ends a check or a replay because the core or the system breaks its contract. The check
// reports a run that leads there.
func (c *codec[S, M, C]) broken(format string, args ...any) {
	panic(c.contractError(format, args...))
}

func (c *codec[S, M, C]) contractError(format string, args ...any) *checker.ContractError {
	return &checker.ContractError{Problem: "model " + c.Info.Name + ": " + fmt.Sprintf(format, args...)}
}

// name returns the name of the node with this index.
func (c *codec[S, M, C]) name(node int) string { return c.Nodes[node].Name }

// script returns the commands of a node's present incarnation that are not yet given.
func (c *codec[S, M, C]) script(node int, s *Slot[S]) []C {
	lives := c.Nodes[node].Commands
	if s.Life >= len(lives) || s.Issued >= len(lives[s.Life]) {
		return nil
	}
	return lives[s.Life][s.Issued:]
}

// encodeSlot appends the canonical bytes of a slot.
func (c *codec[S, M, C]) encodeSlot(dst []byte, s *Slot[S]) []byte {
	dst = protocol.AppendBool(dst, s.Up)
	dst = protocol.AppendUint(dst, uint64(s.Choose))
	dst = protocol.AppendUint(dst, uint64(s.Life))
	dst = protocol.AppendUint(dst, uint64(s.Issued))
	dst = protocol.AppendUint(dst, uint64(len(s.Persisted)))
	dst = append(dst, s.Persisted...)
	dst = protocol.AppendUint(dst, uint64(len(s.Timers)))
	for _, t := range s.Timers {
		dst = protocol.AppendUint(dst, uint64(t.Kind))
		dst = protocol.AppendNodeID(dst, t.Peer)
	}
	dst = protocol.AppendUint(dst, uint64(len(s.Measuring)))
	for _, id := range s.Measuring {
		dst = protocol.AppendNodeID(dst, id)
	}
	if s.Up {
		dst = c.Core.AppendState(dst, s.State)
	}
	return dst
}

// decodeSlot is the inverse of encodeSlot.
func (c *codec[S, M, C]) decodeSlot(key []byte) (*Slot[S], error) {
	r := protocol.NewReader(key)
	const most = 1<<32 - 1
	s := &Slot[S]{Up: r.Bool(), Choose: uint32(r.Uint(most)), Life: int(r.Uint(most)), Issued: int(r.Uint(most))}
	if n := r.Uint(uint64(len(key))); n > 0 {
		s.Persisted = slices.Clone(r.Bytes(int(n)))
	}
	for range r.Uint(protocol.MaxItems) {
		if !r.OK() {
			break
		}
		s.Timers = append(s.Timers, protocol.Timer{Kind: protocol.TimerKind(r.Uint(most)), Peer: r.NodeID()})
	}
	s.Measuring = protocol.List(r, r.NodeID)
	if s.Up && r.OK() {
		state, err := c.Core.DecodeState(r.Bytes(r.Left()))
		if err != nil {
			return nil, err
		}
		s.State = state
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	return s, nil
}

// envelopeKey is the encoding of a message with its receiver and its sender.
func (c *codec[S, M, C]) envelopeKey(e protocol.Envelope[M]) []byte {
	return c.appendEnvelope(nil, e)
}

func (c *codec[S, M, C]) appendEnvelope(dst []byte, e protocol.Envelope[M]) []byte {
	return c.Core.AppendMessage(protocol.AppendNodeID(protocol.AppendNodeID(dst, e.To), e.From), e.Message)
}

func (c *codec[S, M, C]) decodeEnvelope(key []byte) (*envelope[M], error) {
	r := protocol.NewReader(key)
	e := protocol.Envelope[M]{To: r.NodeID(), From: r.NodeID()}
	if !r.OK() || int(e.To.Address) >= c.n || int(e.From.Address) >= c.n {
		return nil, errTable
	}
	m, err := c.Core.DecodeMessage(r.Bytes(r.Left()))
	e.Message = m
	return &envelope[M]{Envelope: e, from: int(e.From.Address), to: int(e.To.Address)}, err
}

func (c *codec[S, M, C]) brokenState(function string) {
	c.broken("%s changes the state that it is given; "+
		"copy slices and maps before changing their elements", function)
}

// A state vector holds the rest of the budget as a number in a mixed radix. The digit of a fault is
// its rest, and its radix is one more than the budget allows. The last fault has the highest digit.

// stride returns what one fault of this kind counts in that number.
func (c *codec[S, M, C]) stride(f fault) uint32 {
	whole, stride := c.Info.Budget.packed(), uint32(1)
	for lower := range f {
		stride *= uint32(whole>>(4*lower)&maxBudget) + 1
	}
	return stride
}

// word returns the number of a packed budget.
func (c *codec[S, M, C]) word(left packed) uint32 {
	word := uint32(0)
	for f := range faults {
		word += uint32(left>>(4*f)&maxBudget) * c.stride(f)
	}
	return word
}

// leftOf returns the packed budget of a number.
func (c *codec[S, M, C]) leftOf(word uint32) packed {
	whole, left := c.Info.Budget.packed(), packed(0)
	for f := range faults {
		radix := uint32(whole>>(4*f)&maxBudget) + 1
		left |= packed(word%radix) << (4 * f)
		word /= radix
	}
	return left
}

// Slot is a node with all that its driver holds for it.
type Slot[S any] struct {
	Up        bool
	State     S
	Timers    []protocol.Timer  // pending, sorted
	Choose    uint32            // n > 0: a choice among n is owed
	Measuring []protocol.NodeID // measurements under way, sorted
	Persisted []byte
	Life      int // restarts so far
	Issued    int // commands given in this incarnation

	View any // result of System.View for State; nil unless live

	live bool // up and not ended
	id   protocol.NodeID
}

// maxChoices bounds Output.Choose: each choice is a separate action.
const maxChoices = 1 << 16

// impossible describes an output that no driver can carry out, or a model cannot, or returns "".
func impossible[M any](out *protocol.Output[M]) string {
	if out.Choose > maxChoices {
		return fmt.Sprintf("it asks for a choice among %d; at most %d are possible", out.Choose, maxChoices)
	}
	return cores.Impossible(out)
}

// obey applies an output to a slot, without its messages and events.
func obey[S, M any](s *Slot[S], out protocol.Output[M]) {
	if out.Persist != nil {
		s.Persisted = out.Persist
	}
	s.Choose = out.Choose
	timers := slices.Clone(s.Timers)
	for _, t := range out.Cancel {
		timers = slices.DeleteFunc(timers, func(p protocol.Timer) bool { return p == t })
	}
	for _, set := range out.Set {
		i, pending := slices.BinarySearchFunc(timers, set.Timer, compareTimers)
		if !pending {
			timers = slices.Insert(timers, i, set.Timer)
		}
	}
	s.Timers = timers
	s.Measuring = slices.Clone(s.Measuring)
	for _, id := range out.Measure {
		if i, underWay := slices.BinarySearchFunc(s.Measuring, id, protocol.NodeID.Compare); !underWay {
			s.Measuring = slices.Insert(s.Measuring, i, id)
		}
	}
}

func compareTimers(a, b protocol.Timer) int {
	if c := cmp.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	return a.Peer.Compare(b.Peer)
}
