package peer

import "slices"

// Early timeouts are normal on a slow network: an answer comes after it was asked for again. So
// each scenario is checked with one premature timeout, too.

// manyEarly are scenarios whose premature timeouts lead to too many states for the default run:
// their models are deep.
var manyEarly = []string{
	"job-leave", "job-owner-leave", "job-nobody", "job-crash", "job-measure", "job-cancel-adopted", "restart-apart",
	"predict", "predict-leave", "predict-drift",
}

// timeless are those in which no timer runs, so that none can be early.
var timeless = []string{"hops-few", "search", "search-back", "search-nobody", "search-limit", "search-room"}

// vastEarly are those of which no end was seen: each was searched, breadth first, to 2 to 27
// million states without a violation.
var vastEarly = []string{
	"spare-leave", "jobs-leave", "job-leave-drop", "job-leave-dup", "job-leave-crash", "job-apart-crash",
	"search-join-leave", "predict-join",
}

// early returns the scenarios with one premature timeout.
func early(of []scenario) []scenario {
	var all []scenario
	for _, s := range of {
		if len(s.expect) > 0 || slices.Contains(timeless, s.name) || slices.Contains(vastEarly, s.name) {
			continue
		}
		s.deep = s.deep || slices.Contains(manyEarly, s.name)
		s.live = s.live && s.name != "job-leave" // 9 million states, whose cycles take minutes
		s.name, s.doc = s.name+"-early", s.doc+"; one premature timeout"
		s.budget.Spurious = 1
		all = append(all, s)
	}
	return all
}
