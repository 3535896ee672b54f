package peer

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/space"
)

// searching are runs in which neither the owner of a requirement nor its neighbours can run the
// job. The zones of A to D stand side by side, in the order D, C, A, B. Those of A to F in
// search-back lie so that a search comes into a dead end, and goes back.
func searching() []scenario {
	row := []space.Point{{5, 0}, {6, 6}, {4, 0}, {2, 0}}
	maze := []space.Point{{3, 7}, {3, 3}, {3, 4}, {3, 2}, {6, 7}, {6, 1}}
	far, none := job{entry: "C", size: 1, up: 5}, job{entry: "A", size: 1, up: 7}
	base := func(name, doc string, sees ...string) scenario {
		return scenario{
			name: name, doc: doc, nodes: len(row), singles: "ABCDEF", jobs: []job{far}, match: &matching{at: row},
			tight: true, sees: append(sees, "Searched"),
		}
	}
	found := base("search", "D owns the requirement of a job that only B can run, three zones away", "Found", "Accepted")
	found.live = true
	back := base("search-back", "a search comes into a dead end, goes back, and finds E", "Found", "Accepted")
	back.nodes, back.match.at, back.jobs = len(maze), maze, []job{{entry: "C", size: 1, at: 4, up: 2}}
	nobody := base("search-nobody", "only B can run one job, and nobody the other", "Found", "ToldNobody", "Accepted")
	nobody.jobs = []job{far, none}
	limit := base("search-limit", "a search may visit three nodes; the fourth could run the job", "ToldLimited")
	limit.match.seek = 3
	refused := base("search-refused", "the owner A and its neighbours have no cluster; D and E, far away, have one",
		"Found", "NobodyCould", "SecondAttempt", "Accepted")
	refused.nodes, refused.match.at, refused.singles = 5, nil, "ABC"
	refused.jobs = []job{{entry: "B", size: 2, at: 2}}
	join := base("search-join", "B, the only node that can run a job, joins", "Found", "ToldNobody", "Accepted")
	join.joiners = "B"
	leave := base("search-leave", "C, which the search comes through, leaves", "Found", "Left", "Accepted")
	leave.leavers, leave.quiet = "C", true
	root := base("search-owner-leave", "D, where the search begins, leaves", "Found", "Left", "Accepted")
	root.leavers, root.quiet = "D", true
	crash := base("search-crash", "A, which the search comes through, may crash", "Found", "ToldUndecided", "Accepted")
	crash.crashers, crash.budget = "A", model.Budget{Crash: 1}
	cut := base("search-crash-back", "nobody can run a job; A, through which the search comes back, may crash",
		"ToldNobody", "ToldUndecided")
	cut.jobs, cut.crashers, cut.budget = []job{{entry: "C", size: 1, up: 7}}, "A", model.Budget{Crash: 1}
	room := base("search-room", "two jobs that only B can run, and a node owns one job at a time",
		"Found", "ToldUndecided", "Accepted")
	room.jobs, room.room = []job{far, {entry: "D", size: 1, up: 5}}, 1
	both := base("search-join-leave", "two jobs; B, the only node that can run one, joins, and C leaves",
		"Found", "ToldNobody", "Left", "Accepted")
	both.jobs, both.joiners, both.leavers, both.quiet, both.deep = nobody.jobs, "B", "C", true, true
	return []scenario{found, back, nobody, limit, refused, join, leave, root, crash, cut, room, both, unsearched(base)}
}

// unsearched is the paper's way, in which the owner and its neighbours are all that is asked.
func unsearched(base func(name, doc string, sees ...string) scenario) scenario {
	s := base("limit-no-search", "as search, but jobs are not searched for")
	s.match.seek = -1
	s.expect = []model.Expectation{{
		Property: "Matched", Violated: true,
		Why: "section 4.2 takes the owner of a requirement for capable: neither it nor a neighbour can run the job",
	}}
	return s
}

// searches lists the properties of searches.
func (o oracle) searches(s *scenario) []model.Property[peer.State, peer.Message] {
	all := []model.Property[peer.State, peer.Message]{
		property(checker.Always, "HonestRefusal", "a client is notified that nobody can run its job only if nobody can",
			flying(o.honest)),
		property(checker.Always, "SeekEnds", "a search visits a node at most once, and at most as many as it may",
			flying(o.ends)),
		o.ofNode("CapableOnly"),
	}
	if !s.quiet && s.budget.Drop+s.budget.Crash == 0 && s.match.seek <= 0 {
		all = append(all, property(checker.Quiescent, "Matched",
			"when quiescent, a job that a node can run was represented", o.matched))
	}
	return all
}

// somebody reports whether a node can run the job and was in the grid when the search began.
func (o oracle) somebody(g *globalState, number uint32) bool {
	young := uint16(0)
	for _, t := range past(g).tickets {
		if t.number == number {
			young = t.young
		}
	}
	spec := o.jobs[number-1].spec()
	for s := range live(g) {
		if young&(1<<s.ID().Address) == 0 && Able(&o.config, s, &spec) {
			return true
		}
	}
	return false
}

// flying checks a property of single messages on all that are in flight.
func flying(holds func(*globalState, protocol.Envelope[peer.Message]) bool) func(*globalState) bool {
	return func(g *globalState) bool {
		all := true
		g.InFlight(func(e protocol.Envelope[peer.Message]) { all = all && holds(g, e) })
		return all
	}
}

func (o oracle) honest(g *globalState, e protocol.Envelope[peer.Message]) bool {
	m, ok := e.Message.(peer.Unmatched)
	return !ok || m.Why != peer.Nobody || !o.somebody(g, m.Ticket)
}

// ends checks a search by its visits. It is on its way to the node that it visited last.
func (o oracle) ends(_ *globalState, e protocol.Envelope[peer.Message]) bool {
	j, ok := e.Message.(peer.Job)
	if !ok || !j.Search.On() {
		return true
	}
	return SeekEnds(&o.config, &j.Search) && j.Search.At() == e.To
}

func (o oracle) matched(g *globalState) bool {
	for i, tickets := range o.tickets {
		for _, number := range tickets[:min(g.Slots[i].Issued, len(tickets))] {
			if number > 0 && !past(g).settled(number) && o.somebody(g, number) {
				return false
			}
		}
	}
	return true
}

// settled reports whether a job was represented, or its client was notified that it may submit it
// again.
func (h *history) settled(number uint32) bool {
	for _, t := range h.tickets {
		if t.number == number && (t.represented || t.undecided) {
			return true
		}
	}
	return false
}
