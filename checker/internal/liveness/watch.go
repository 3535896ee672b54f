package liveness

// watch ends a decision that must not go on. Every loop over states looks at it, so that none can
// outlast a deadline.
type watch struct {
	turns  int
	steady func() bool // reports whether to go on; called from time to time
}

// halted is the value with which look panics, to leave the loops.
type halted struct{}

// look is called in every turn of a loop.
func (w *watch) look() {
	if w.turns++; w.turns&(1<<14-1) == 0 && !w.steady() {
		panic(halted{})
	}
}

// until does something unless it must not go on. It reports whether it has come to its end.
func (w *watch) until(steady func() bool, do func()) (done bool) {
	w.steady = steady
	defer func() {
		if done {
			return
		}
		if problem := recover(); problem != nil && problem != (halted{}) {
			panic(problem)
		}
	}()
	do()
	return true
}
