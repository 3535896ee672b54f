package mutants

// promises are mutants of a participant: what it promises and when the promise ends.
var promises = []Mutant{
	{
		Name: "promise-to-any", File: "can/propose.go",
		Old:   "case n.Busy():\n",
		New:   "case false:\n",
		Why:   "a node in one round promises to another",
		Model: "can/row2/leave-leave", Property: "NoConflict",
	},
	{
		Name: "promise-while-changing", File: "can/propose.go",
		Old:   "case n.Busy():\n",
		New:   "case !n.Promise.Proposer.IsNobody():\n",
		Why:   "two proposers promise to each other and both commit",
		Model: "can/row2/leave-leave", Property: "NoConflict",
	},
	{
		Name: "promise-twice", File: "can/propose.go",
		Old:   "case n.Busy():\n",
		New:   "case n.Change.Stage != Stable:\n",
		Why:   "a node promises to two proposers at once",
		Model: "can/row2/join-owner-crash-drop", Property: "NoOverlap",
	},
	{
		Name: "stale-yes", File: "can/propose.go",
		Old:   "case m.Version != n.Self.Version:",
		New:   "case false:",
		Why:   "a node promises to a proposer that knows an old version of its zone",
		Model: "can/row5/leave-leave-stale", Property: "ViewsFit",
	},
	{
		Name: "propose-older-again", File: "can/propose.go",
		Old:   "if m.Round <= p.Round {",
		New:   "if m.Round == p.Round {",
		Why:   "a delayed old Propose replaces the promise to the current round",
		Model: "can/row2/stale-update", Property: "Granted",
	},
	{
		Name: "commit-without-promise", File: "can/commit.go",
		Old:   "if n.Promise.Proposer == from && n.Promise.Round == m.Round {",
		New:   "if true {",
		Why:   "a Commit is executed twice, or by a node that was released from the round",
		Model: "can/row2/stale-update", Property: "NoOverlap",
	},
	{
		Name: "commit-any-proposer", File: "can/commit.go",
		Old:   "n.Promise.Proposer == from && n.Promise.Round == m.Round",
		New:   "n.Promise.Round == m.Round",
		Why:   "the promise to one proposer admits another proposer's Commit",
		Model: "can/row2/join-crash-rejoin", Property: "NoOverlap",
	},
	{
		Name: "ack-only-with-promise", File: "can/commit.go",
		Old:   "n.ignore(from, \"no such promise\")\n",
		New:   "n.ignore(from, \"no such promise\")\n\t\treturn\n",
		Why:   "a NO-OP to a node that said NO is never acknowledged",
		Model: "can/row2/leave-leave", Property: "NobodyBusy",
	},
	{
		Name: "proposeok-no-release", File: "can/propose.go",
		Old: "case m.Yes: // the promise is void: the round is over, or nothing came of it\n\t\tn.send(from, " +
			"Release{Round: m.Round})",
		New:   "case m.Yes:",
		Why:   "a promise to a finished round is never released",
		Model: "can/row3/leave-crash", Property: "NobodyBusy",
	},
	{
		Name: "proposeok-releases-later", File: "can/propose.go",
		Old:   "(i >= 0 || slices.Contains(n.Change.Later, from))",
		New:   "i >= 0",
		Why:   "a duplicated YES is released although the outcome is in flight",
		Model: "can/row3/leave-crash-faulty", Property: "NoGap",
	},
	{
		Name: "release-keeps-promise", File: "can/propose.go",
		Old:   "\tn.Promise = Promise{}\n",
		New:   "",
		Why:   "a released promise is kept",
		Model: "can/tee/join-leave", Property: "Answered",
	},
	{
		Name: "no-resend-yes", File: "can/commit.go",
		Old:   "n.sendYes(p.Proposer, p.Round)",
		New:   "",
		Why:   "a promise to a finished round is never detected",
		Model: "can/row3/leave-crash-faulty", Property: "NobodyBusy",
	},
	{
		Name: "clone-waiting", File: "can/state.go",
		Old:   "\ts.Change.Waiting = slices.Clone(s.Change.Waiting)\n",
		New:   "",
		Why:   "a step changes a list of the state that it was given; what is left in it names nobody, and is sent a message",
		Model: "can/row2/join", Property: Panic,
	},
	{
		Name: "release-not-announced", File: "can/propose.go",
		Old:   "n.event(EventRelease, n.Promise.Proposer, n.Promise.Round, n.Promise.Kind.String())\n\t",
		New:   "",
		Why:   "a promise ends without an event",
		Model: "can/row3/leave-crash", Property: "EventsTrue",
	},
}
