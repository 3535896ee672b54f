package checker

// fairness gathers what a set of states and transitions, all of which a run passes for ever, says about
// the classes marked Fair. The run is fair to a class if the class is disabled in one of the states or
// taken in one of the transitions.
//
// For a whole component it is enough to ask this of all its states and inner transitions together: a
// run can pass all of them again and again, and one that passes only some satisfies no class that this
// one does not.
type fairness struct {
	classes []int  // those marked Fair
	fair    []bool // by class
	met     []bool // by class
	unmet   int
	enabled []uint32 // by class: the last turn in which it was found enabled
	turn    uint32
}

func newFairness(classes []Class) *fairness {
	f := &fairness{
		fair:    make([]bool, len(classes)),
		met:     make([]bool, len(classes)),
		enabled: make([]uint32, len(classes)),
	}
	for i, c := range classes {
		f.fair[i] = c.Fair
		if c.Fair {
			f.classes = append(f.classes, i)
		}
	}
	f.reset()
	return f
}

// reset starts with a new set.
func (f *fairness) reset() {
	clear(f.met)
	f.unmet = len(f.classes)
}

// satisfied reports whether the set is fair to every class.
func (f *fairness) satisfied() bool { return f.unmet == 0 }

// needs reports whether a class is still to be met.
func (f *fairness) needs(class int) bool { return f.fair[class] && !f.met[class] }

// meet records that a class is disabled or taken.
func (f *fairness) meet(class int) {
	if f.needs(class) {
		f.met[class] = true
		f.unmet--
	}
}

// rest records the classes that are disabled in a state.
func (f *fairness) rest(g *graph, state uint32) {
	f.look(g, state)
	for _, class := range f.classes {
		if f.enabled[class] != f.turn {
			f.meet(class)
		}
	}
}

// look notes the classes that are enabled in a state.
func (f *fairness) look(g *graph, state uint32) {
	if f.turn++; f.turn == 0 {
		clear(f.enabled)
		f.turn = 1
	}
	for _, class := range g.enabled(state) {
		f.enabled[class] = f.turn
	}
}

// pass records a state and those of its transitions whose target is inside. It reports whether there is
// any.
func (f *fairness) pass(g *graph, state uint32, inside func(uint32) bool) bool {
	f.rest(g, state)
	targets, classes := g.edges(state)
	any := false
	for i, target := range targets {
		if inside(target) {
			any = true
			f.meet(int(classes[i]))
		}
	}
	return any
}

// useful reports whether a state itself meets a class that is still to be met.
func (f *fairness) useful(g *graph, state uint32) bool {
	f.look(g, state)
	for _, class := range f.classes {
		if f.needs(class) && f.enabled[class] != f.turn {
			return true
		}
	}
	return false
}
