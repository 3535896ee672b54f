package drivetest

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// effects are those of a node in a network. Timers and measurements end when the test says so.
type effects[S, M, C any] struct{ process *Process[S, M, C] }

// Persist replaces what is on the disk.
func (f effects[S, M, C]) Persist(state []byte) { f.process.Disk = slices.Clone(state) }

// Send puts an envelope on its way.
func (f effects[S, M, C]) Send(e protocol.Envelope[M]) {
	w := f.process.network
	w.Note("send", "%v->%v %v", e.From, e.To, w.message(e.Message))
	w.InFlight = append(w.InFlight, e)
}

// Cancel does nothing.
func (f effects[S, M, C]) Cancel(protocol.Timer) {}

// Set does nothing.
func (f effects[S, M, C]) Set(protocol.SetTimer) {}

// Measure does nothing.
func (f effects[S, M, C]) Measure(protocol.NodeID) {}

// Choose asks the test.
func (f effects[S, M, C]) Choose(n uint32) uint32 {
	if f.process.network.Choose == nil {
		return 0
	}
	return f.process.network.Choose(n)
}

// Event counts an event, logs it and shows it to the test.
func (f effects[S, M, C]) Event(e protocol.Event) {
	w := f.process.network
	w.Events[e.Name]++
	line := e.String()
	if w.EventText != nil {
		line = w.EventText(e)
	}
	if line != "" {
		w.Note("event", "%s", line)
	}
	if w.OnEvent != nil {
		w.OnEvent(f.process, e)
	}
}
