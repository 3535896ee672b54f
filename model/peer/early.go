package peer

// soon are the models that are checked with one premature timeout, too. Early timeouts are normal
// on a slow network: an answer comes after it was asked for again.
var soon = []string{
	"job", "job-join", "job-abroad", "job-owner-crash", "job-drop", "job-dup", "job-abroad-crash",
	"restart-owner", "restart-host", "restart-rep", "job-move", "job-near", "join-leave",
}

// soonDeep are those whose premature timeouts lead to many states.
var soonDeep = []string{
	"job-leave", "job-owner-leave", "job-nobody", "job-crash", "job-measure", "restart-apart",
}

// early returns the scenarios of these names with one premature timeout.
func early(of []scenario, names []string, deep bool) []scenario {
	var all []scenario
	for _, name := range names {
		s := called(of, name)
		s.name, s.doc = s.name+"-early", s.doc+"; one premature timeout"
		s.budget.Spurious, s.deep, s.live = 1, deep, s.live && !deep
		all = append(all, s)
	}
	return all
}

// called returns the scenario of a name.
func called(of []scenario, name string) scenario {
	for _, s := range of {
		if s.name == name {
			return s
		}
	}
	panic("no scenario " + name)
}
