package refine

import "github.com/canvass-grid/canvass/model"

// faulty is a system whose properties depend on its faults: what presumes that nobody fails is asked only then.
type faulty struct {
	model.Checkable
	scenario scenario
}

var _ model.Safe = faulty{}

func newFaulty(s scenario) (model.Checkable, error) {
	c, err := s.corrected().Compile()
	if err != nil {
		return nil, err
	}
	return faulty{c, s}, nil
}

// With returns the same scenario under another budget.
func (f faulty) With(b model.Budget) (model.Checkable, error) {
	f.scenario.budget = b
	return newFaulty(f.scenario)
}

// Safety returns the scenario without its liveness properties.
func (f faulty) Safety() model.Checkable { return f.Checkable.(model.Safe).Safety() }

// failures reports whether somebody may fail, or be taken for failed.
func (s *scenario) failures() bool { return s.budget.Crash > 0 || s.budget.Suspect > 0 }

// findsAll reports whether each head must find all that are near: neither bound bites, nobody fails, and no
// measurement is given up before its time.
func (s *scenario) findsAll() bool { return s.whole && !s.failures() && s.budget.Spurious == 0 }

// deniesForGood reports whether who is in M clusters stays in them.
func (s *scenario) deniesForGood() bool { return s.later == "" && s.drifting == "" && !s.failures() }
