package twophase

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/canvass-grid/canvass/checker"
)

// Expand implements [checker.Worker].
func (m *Model) Expand(state []uint32, out *checker.Successors) {
	rms, tm := state[0], state[1]
	add := func(class int, rms, tm uint32) {
		next := out.Add(class)
		next[0], next[1] = rms, tm
	}
	if tm&decision == 0 {
		if tm&m.all == m.all {
			add(tmCommit, rms, tm|commit)
		}
		add(tmAbort, rms, tm|abort)
		for set := tm >> sent & m.all; set != 0; set &= set - 1 {
			add(tmRcvPrepared, rms, tm|set&-set)
		}
	}
	for set := m.all &^ (rms | rms>>high); set != 0; set &= set - 1 {
		one := set & -set
		add(rmPrepare, rms|one, tm|one<<sent)
		add(rmChooseToAbort, rms|one|one<<high, tm)
	}
	if tm&commit != 0 {
		for set := m.all; set != 0; set &= set - 1 {
			one := set & -set
			add(rmRcvCommit, rms&^one|one<<high, tm)
		}
	}
	if tm&abort != 0 {
		for set := m.all; set != 0; set &= set - 1 {
			one := set & -set
			add(rmRcvAbort, rms|one|one<<high, tm)
		}
	}
}

// Holds implements [checker.Worker].
func (m *Model) Holds(property int, state []uint32) bool {
	committed, aborted := state[0]>>high&^state[0], state[0]>>high&state[0]
	switch property {
	case consistent:
		return committed == 0 || aborted == 0
	case commits:
		return committed == m.all
	}
	return aborted == m.all
}

// Triggers implements [checker.Worker]. There are no such properties.
func (m *Model) Triggers(int, []uint32) bool { return false }

// Quiescent implements [checker.Worker]. Messages are never consumed, so no state is quiescent.
func (m *Model) Quiescent([]uint32) bool { return false }

// QuiescentEnd implements [checker.Worker]. There is always something to receive again.
func (m *Model) QuiescentEnd([]uint32) bool { return false }

// Text describes a state: a letter for each manager (w, p, c or a), the decision, and how many
// managers are known to be prepared.
func (m *Model) Text(state []uint32) string {
	var b strings.Builder
	for i := range m.managers {
		b.WriteByte("wpca"[state[0]>>i&1|state[0]>>(high+i)&1<<1])
	}
	decided := [...]string{"undecided", "commit", "abort"}[state[1]>>30]
	return fmt.Sprintf("%s %s %d known", b.String(), decided, bits.OnesCount32(state[1]&m.all))
}
