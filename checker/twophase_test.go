package checker_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
)

// twoPhase is the two-phase commit of Gray and Lamport, after the TLA+ module TwoPhase: n resource
// managers, one transaction manager, and a set of messages from which nothing is removed.
//
// Words of a state: the managers' states, two bits each; the transaction manager's state and the
// set of managers it knows to be prepared; the messages sent.
//
// With ids set, every word is replaced by the id that an interner gives it, so that the numeric
// values of words depend on the order in which workers find them.
type twoPhase struct {
	n   int
	ids *checker.Interner[uint32]
}

const (
	rmWorking = iota
	rmPrepared
	rmCommitted
	rmAborted
)

const (
	tmInit = iota
	tmCommitted
	tmAborted
)

const (
	classTMCommit = iota
	classTMAbort
	classTMRcvPrepared
	classRMPrepare
	classRMChooseToAbort
	classRMRcvCommit
	classRMRcvAbort
)

const (
	msgCommit = 1 << iota
	msgAbort
	msgPrepared // the first of n
)

func newTwoPhase(n int) *twoPhase { return &twoPhase{n: n} }

func newInternedTwoPhase(n int) *twoPhase {
	return &twoPhase{n: n, ids: checker.NewInterner[uint32]()}
}

func (m *twoPhase) Width() int { return 3 }

func (m *twoPhase) Initial(add func([]uint32)) {
	add([]uint32{m.encode(0), m.encode(0), m.encode(0)})
}

func (m *twoPhase) Properties() []checker.Property {
	return []checker.Property{
		{Name: "consistent", Shape: checker.Always},
		{Name: "commits", Shape: checker.Sometimes},
		{Name: "aborts", Shape: checker.Sometimes},
		{Name: "never three prepared and two aborted", Shape: checker.Always},
	}
}

func (m *twoPhase) Classes() []checker.Class {
	return []checker.Class{
		{Name: "TMCommit"}, {Name: "TMAbort"}, {Name: "TMRcvPrepared"}, {Name: "RMPrepare"},
		{Name: "RMChooseToAbort"}, {Name: "RMRcvCommitMsg"}, {Name: "RMRcvAbortMsg"},
	}
}

func (m *twoPhase) NewWorker() checker.Worker { return &twoPhaseWorker{twoPhase: m} }

func (m *twoPhase) encode(word uint32) uint32 {
	if m.ids == nil {
		return word
	}
	key := [4]byte{byte(word), byte(word >> 8), byte(word >> 16), byte(word >> 24)}
	id, _ := m.ids.Intern(key[:], word)
	return id
}

func (m *twoPhase) decode(word uint32) uint32 {
	if m.ids == nil {
		return word
	}
	return m.ids.Value(word)
}

// count is the number of managers in a state.
func (m *twoPhase) count(rms uint32, state uint32) int {
	sum := 0
	for i := range m.n {
		if rms>>(2*i)&3 == state {
			sum++
		}
	}
	return sum
}

// show renders a state by its meaning.
func (m *twoPhase) show(s []uint32) string {
	return fmt.Sprintf("%x/%x/%x", m.decode(s[0]), m.decode(s[1]), m.decode(s[2]))
}

type twoPhaseWorker struct {
	*twoPhase
	out *checker.Successors
}

func (w *twoPhaseWorker) emit(class int, rms, tm, msgs uint32) {
	s := w.out.Add(class)
	s[0], s[1], s[2] = w.encode(rms), w.encode(tm), w.encode(msgs)
}

func (w *twoPhaseWorker) Expand(state []uint32, out *checker.Successors) {
	w.out = out
	rms, tm, msgs := w.decode(state[0]), w.decode(state[1]), w.decode(state[2])
	all := uint32(1)<<w.n - 1
	if tm&3 == tmInit {
		if tm>>2 == all {
			w.emit(classTMCommit, rms, tm&^3|tmCommitted, msgs|msgCommit)
		}
		w.emit(classTMAbort, rms, tm&^3|tmAborted, msgs|msgAbort)
	}
	for i := range w.n {
		w.expandManager(i, rms, tm, msgs)
	}
}

func (w *twoPhaseWorker) expandManager(i int, rms, tm, msgs uint32) {
	prepared := uint32(msgPrepared) << i
	if tm&3 == tmInit && msgs&prepared != 0 {
		w.emit(classTMRcvPrepared, rms, tm|4<<i, msgs)
	}
	others := rms &^ (3 << (2 * i))
	if rms>>(2*i)&3 == rmWorking {
		w.emit(classRMPrepare, others|rmPrepared<<(2*i), tm, msgs|prepared)
		w.emit(classRMChooseToAbort, others|rmAborted<<(2*i), tm, msgs)
	}
	if msgs&msgCommit != 0 {
		w.emit(classRMRcvCommit, others|rmCommitted<<(2*i), tm, msgs)
	}
	if msgs&msgAbort != 0 {
		w.emit(classRMRcvAbort, others|rmAborted<<(2*i), tm, msgs)
	}
}

func (w *twoPhaseWorker) Holds(property int, state []uint32) bool {
	rms := w.decode(state[0])
	switch property {
	case 0:
		return w.count(rms, rmCommitted) == 0 || w.count(rms, rmAborted) == 0
	case 1:
		return w.count(rms, rmCommitted) == w.n
	case 2:
		return w.count(rms, rmAborted) == w.n
	default:
		return w.count(rms, rmPrepared) < 3 || w.count(rms, rmAborted) < 2
	}
}

func (w *twoPhaseWorker) Triggers(int, []uint32) bool { return false }
func (w *twoPhaseWorker) Quiescent([]uint32) bool     { return false }
func (w *twoPhaseWorker) QuiescentEnd([]uint32) bool  { return true }
