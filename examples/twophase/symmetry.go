package twophase

import "github.com/canvass-grid/canvass/checker"

var _ checker.Symmetric = (*Model)(nil)

// Canonical implements [checker.Symmetric]: managers are interchangeable. A state has four bits for
// each manager. The canonical state of an orbit has the managers sorted by these bits.
func (m *Model) Canonical(state []uint32) {
	var count [16]uint32
	rms, tm := state[0], state[1]
	for i := range m.managers {
		count[rms>>i&1|rms>>(i+high)&1<<1|tm>>i&1<<2|tm>>(i+sent)&1<<3]++
	}
	rms, tm = 0, tm&decision
	at := uint32(0)
	for kind, n := range count {
		k, run := uint32(kind), (uint32(1)<<n-1)<<at
		at += n
		rms |= run*(k&1) | run*(k>>1&1)<<high
		tm |= run*(k>>2&1) | run*(k>>3)<<sent
	}
	state[0], state[1] = rms, tm
}
