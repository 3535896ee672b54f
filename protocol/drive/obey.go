package drive

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// obey carries out an output in the order of its fields, and returns the answer to its question. An
// effect may stop the node; nothing follows then.
func (n *Node[S, M, C]) obey(out protocol.Output[M]) (choice uint32) {
	if out.Persist != nil { // 1
		n.effects.Persist(out.Persist)
	}
	each(&n.running, out.Send, n.effects.Send) // 2
	each(&n.running, out.Cancel, n.cancel)     // 3, first these,
	each(&n.running, out.Set, n.set)           // 3, then these
	each(&n.running, out.Measure, n.measure)   // 4
	if n.running && out.Choose > 0 {           // 5
		choice = n.choose(out.Choose)
	}
	each(&n.running, out.Events, n.effects.Event) // 6
	return choice
}

// each carries out effects of one kind while the node runs.
func each[T any](running *bool, list []T, effect func(T)) {
	for i := 0; i < len(list) && *running; i++ {
		effect(list[i])
	}
}

func (n *Node[S, M, C]) cancel(t protocol.Timer) {
	if i := slices.Index(n.pending, t); i >= 0 {
		n.pending = slices.Delete(n.pending, i, i+1)
	}
	n.effects.Cancel(t)
}

func (n *Node[S, M, C]) set(t protocol.SetTimer) {
	if !slices.Contains(n.pending, t.Timer) {
		n.pending = append(n.pending, t.Timer)
	}
	n.effects.Set(t)
}

func (n *Node[S, M, C]) measure(peer protocol.NodeID) {
	if !slices.Contains(n.measuring, peer) {
		n.measuring = append(n.measuring, peer)
	}
	n.effects.Measure(peer)
}

func (n *Node[S, M, C]) choose(bound uint32) uint32 {
	choice := n.effects.Choose(bound)
	if choice >= bound {
		panic("drive: a choice is not below its bound")
	}
	return choice
}
