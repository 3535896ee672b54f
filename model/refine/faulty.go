package refine

import "github.com/canvass-grid/canvass/model"

// compile builds the system of the scenario. Its properties depend on its faults: some hold only
// without crashes.
func compile(s scenario) (model.Checkable, error) {
	return model.ForBudget(s.budget, func(b model.Budget) (model.Checkable, error) {
		under := s
		under.budget = b
		return under.corrected().Compile()
	})
}

// failures reports whether a node may crash or be falsely suspected.
func (s *scenario) failures() bool { return s.budget.Crash > 0 || s.budget.Suspect > 0 }

// findsAll reports whether each head must find all candidates that are near: neither bound matters,
// no node crashes, and no measurement is given up early.
func (s *scenario) findsAll() bool { return s.whole && !s.failures() && s.budget.Spurious == 0 }

// deniesForGood reports whether a client that is in M clusters stays in them.
func (s *scenario) deniesForGood() bool { return s.later == "" && s.drifting == "" && !s.failures() }

// measuresRight reports whether every measurement of a running node shows the latency that the
// scenario says.
func (s *scenario) measuresRight() bool {
	return s.drifting == "" && s.budget.Spurious == 0 && s.budget.Suspect == 0
}
