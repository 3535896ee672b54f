package refine

import "github.com/canvass-grid/canvass/model"

// compile makes the scenario a system, the properties of which depend on its faults: what presumes
// that nobody fails is asked only then.
func compile(s scenario) (model.Checkable, error) {
	return model.ForBudget(s.budget, func(b model.Budget) (model.Checkable, error) {
		under := s
		under.budget = b
		return under.corrected().Compile()
	})
}

// failures reports whether somebody may fail, or be taken for failed.
func (s *scenario) failures() bool { return s.budget.Crash > 0 || s.budget.Suspect > 0 }

// findsAll reports whether each head must find all that are near: neither bound bites, nobody
// fails, and no measurement is given up before its time.
func (s *scenario) findsAll() bool { return s.whole && !s.failures() && s.budget.Spurious == 0 }

// deniesForGood reports whether who is in M clusters stays in them.
func (s *scenario) deniesForGood() bool { return s.later == "" && s.drifting == "" && !s.failures() }
