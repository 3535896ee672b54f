package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/internal/cores"
	"github.com/canvass-grid/canvass/protocol"
)

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

	View any // what System.View returned for State; nil unless live

	live bool // up and not ended
	id   protocol.NodeID
}

// encodeSlot appends the canonical bytes of a slot.
func (c *compiled[S, M, C]) encodeSlot(dst []byte, s *Slot[S]) []byte {
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

// maxChoices bounds Output.Choose: each choice is an action of its own.
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
