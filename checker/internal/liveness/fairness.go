package liveness

// fairTracker collects what a set of states and transitions, all of which a run passes forever,
// implies for the classes marked Fair or Strong. The run is weakly fair to a class if the class is
// disabled in one of the states or taken in one of the transitions. It is strongly fair to a class
// if the class is disabled in all of the states or taken in one of the transitions.
//
// For weak fairness it is enough to check all states and inner transitions of a component together:
// a run can pass all of them again and again, and a run that passes only some satisfies no class
// that this one does not. For strong fairness that is not so: a fair run may avoid the states where
// a class is enabled (refine.go).
type fairTracker struct {
	kinds   []Fairness // by class
	weak    []int      // the classes that are weakly fair and not strongly
	met     []bool     // by class: disabled or taken if it is weak, taken if it is strong
	due     []bool     // by strong class: enabled somewhere
	unmet   int        // how many classes are still to be met,
	owed    int        // and how many of these are strong
	enabled []uint32   // by class: the last turn in which it was found enabled
	turn    uint32
}

// Fairness is the fairness assumption for a class.
type Fairness uint8

const (
	unfair Fairness = iota
	WeaklyFair
	StronglyFair
)

func newFairTracker(kinds []Fairness) *fairTracker {
	f := &fairTracker{
		kinds:   kinds,
		met:     make([]bool, len(kinds)),
		due:     make([]bool, len(kinds)),
		enabled: make([]uint32, len(kinds)),
	}
	for class, kind := range kinds {
		if kind == WeaklyFair {
			f.weak = append(f.weak, class)
		}
	}
	f.reset()
	return f
}

// reset starts with a new set.
func (f *fairTracker) reset() {
	clear(f.met)
	clear(f.due)
	f.unmet, f.owed = len(f.weak), 0
}

// satisfied reports whether the set is fair to every class.
func (f *fairTracker) satisfied() bool { return f.unmet == 0 }

// mendable reports whether the set is fair to every class that is only weakly fair. If it is not,
// no part of it is fair either.
func (f *fairTracker) mendable() bool { return f.unmet == f.owed }

// needs reports whether a class is still to be met.
func (f *fairTracker) needs(class int) bool {
	switch f.kinds[class] {
	case WeaklyFair:
		return !f.met[class]
	case StronglyFair:
		return f.due[class] && !f.met[class]
	}
	return false
}

// meet records that a class is taken, or that a weak one is disabled.
func (f *fairTracker) meet(class int) {
	if f.needs(class) {
		f.unmet--
		if f.kinds[class] == StronglyFair {
			f.owed--
		}
	}
	f.met[class] = true
}

// visit records the classes that are disabled in a state, if they are weak, and the enabled ones,
// if they are strong.
func (f *fairTracker) visit(g *Graph, state uint32) {
	f.look(g, state)
	for _, class := range f.weak {
		if f.enabled[class] != f.turn {
			f.meet(class)
		}
	}
	for _, class := range g.enabled(state) {
		if f.kinds[class] != StronglyFair || f.due[class] {
			continue
		}
		f.due[class] = true
		if !f.met[class] {
			f.unmet++
			f.owed++
		}
	}
}

// look records the classes that are enabled in a state.
func (f *fairTracker) look(g *Graph, state uint32) {
	if f.turn++; f.turn == 0 {
		clear(f.enabled)
		f.turn = 1
	}
	for _, class := range g.enabled(state) {
		f.enabled[class] = f.turn
	}
}

// pass records a state and those of its transitions whose target is inside. It reports whether
// there is any.
func (f *fairTracker) pass(g *Graph, state uint32, inside func(uint32) bool) bool {
	f.visit(g, state)
	targets, classes := g.edges(state)
	any := false
	for i, target := range targets {
		if inside(target) && !g.marks.Finite[classes[i]] {
			any = true
			f.meet(int(classes[i]))
		}
	}
	return any
}

// useful reports whether a state itself meets a class that is still to be met.
func (f *fairTracker) useful(g *Graph, state uint32) bool {
	f.look(g, state)
	for _, class := range f.weak {
		if f.needs(class) && f.enabled[class] != f.turn {
			return true
		}
	}
	return false
}

// owes reports whether a strongly fair class that is still to be met is enabled in a state.
func (f *fairTracker) owes(g *Graph, state uint32) bool {
	for _, class := range g.enabled(state) {
		if f.kinds[class] == StronglyFair && f.needs(int(class)) {
			return true
		}
	}
	return false
}
