package checker

import "github.com/canvass-grid/canvass/checker/internal/statelog"

// ledger has the results of a check about the properties of the model.
type ledger struct {
	properties []Property // of the model, and the deadlock check
	classes    []Class
	findings   []finding
	open       []int    // the properties of single states that are undecided
	counts     []uint64 // by class: transitions

	transitions uint64
	audited     uint64 // states in which the functions of the model were tested
	complete    bool   // every reachable state was found and expanded
	workers     []*worker
}

// finding is the result so far about a property.
type finding struct {
	verdict Verdict
	cases   uint64
	trail   trail // empty if there is nothing to show
	path    *Path // of a random walk: instead of the trail
	walk    uint64
	forced  []string // see Outcome.Forced
}

// reopen lists the properties of single states that are still undecided.
func (l *ledger) reopen() {
	l.open = l.open[:0]
	for i, p := range l.properties[:len(l.properties)-1] {
		if !p.Shape.Live() && l.findings[i].verdict == Inconclusive {
			l.open = append(l.open, i)
		}
	}
}

// violated reports whether some property is known to be violated.
func (l *ledger) violated() bool {
	for _, f := range l.findings {
		if f.verdict == Violated {
			return true
		}
	}
	return false
}

// decided reports whether every property is decided.
func (l *ledger) decided() bool {
	for _, f := range l.findings {
		if f.verdict == Inconclusive {
			return false
		}
	}
	return true
}

// evaluate evaluates the undecided properties of single states in a new state.
func (l *ledger) evaluate(w *worker, i uint32, state []uint32) {
	w.state = i
	asked, quiescent := false, false
	for _, p := range l.open {
		switch l.properties[p].Shape {
		case Always:
			if !w.ask(callHolds, p, state) {
				w.note(p, i)
			}
		case Sometimes:
			if w.ask(callHolds, p, state) {
				w.note(p, i)
			}
		case Quiescent:
			if !asked {
				asked, quiescent = true, w.ask(callQuiescent, p, state)
			}
			if !quiescent {
				continue
			}
			w.cases[p]++
			if !w.ask(callHolds, p, state) {
				w.note(p, i)
			}
		}
	}
}

// checkEnd checks whether a state without successors is a deadlock.
func (l *ledger) checkEnd(w *worker, i uint32, state []uint32) {
	dead := len(l.properties) - 1
	w.cases[dead]++
	ends := w.ask(callQuiescentEnd, 0, state)
	if audited(uint64(i)) {
		w.kept = append(w.kept[:0], state...)
		ends = w.twice(callQuiescentEnd, 0, state)
	}
	if !ends {
		w.note(dead, i)
	}
}

// collectExpanded adds up what the workers counted while expanding.
func (l *ledger) collectExpanded() {
	for _, w := range l.workers {
		for class, n := range w.classes {
			l.counts[class] += n
			l.transitions += n
		}
		clear(w.classes)
		l.audited += w.audited
		w.audited = 0
	}
}

// noted takes from the workers what they noted about a property: how many cases it had, and the
// first state that decides it.
func (l *ledger) noted(p int) (cases uint64, first uint32) {
	first = statelog.NoState
	for _, w := range l.workers {
		cases += w.cases[p]
		first = min(first, w.first[p])
		w.cases[p], w.first[p] = 0, statelog.NoState
	}
	return cases, first
}

// discardRound undoes what the workers counted and cached in a round that is given up.
func (l *ledger) discardRound() {
	for _, w := range l.workers {
		clear(w.classes)
		clear(w.cases)
		w.audited = 0
		for p := range w.first {
			w.first[p] = statelog.NoState
		}
		w.recent.Clear()
	}
}

// decideAfterSearch gives the verdicts that follow once every state is known.
func (l *ledger) decideAfterSearch() {
	for i, p := range l.properties {
		f := &l.findings[i]
		switch {
		case f.verdict != Inconclusive || p.Shape.Live():
		case p.Shape == Sometimes:
			f.verdict = Violated
		default:
			f.verdict = Holds
		}
	}
}

// classesThat reports for each class whether it is marked like that.
func (l *ledger) classesThat(marked func(Class) bool) []bool {
	all := make([]bool, len(l.classes))
	for i, c := range l.classes {
		all[i] = marked(c)
	}
	return all
}
