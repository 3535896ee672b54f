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
		Model: "can/row5/leave-leave", Property: "Cancels",
	},
	{
		Name: "propose-older-again", File: "can/propose.go",
		Old:   "if m.Round <= p.Round {",
		New:   "if m.Round == p.Round {",
		Why:   "an old Propose that comes late takes the promise to the present round away",
		Model: "can/row2/stale-update", Property: "Granted",
	},
	{
		Name: "commit-without-promise", File: "can/commit.go",
		Old:   "n.ignore(from, \"no such promise\")\n\t\treturn",
		New:   "n.ignore(from, \"no such promise\")",
		Why:   "a Commit is executed again, or by a node that the round has let go",
		Model: "can/row2/stale-update", Property: "NoOverlap",
	},
	{
		Name: "commit-any-proposer", File: "can/commit.go",
		Old:   "n.Promise.Proposer != from || n.Promise.Round != m.Round",
		New:   "n.Promise.Round != m.Round",
		Why:   "the promise to one proposer lets another's Commit in",
		Model: "can/row2/join-crash-rejoin", Property: "NoOverlap",
	},
	{
		Name: "ack-only-with-promise", File: "can/commit.go",
		Old:   "\tn.send(from, CommitOK{Round: m.Round})\n\tif n.Promise.Proposer != from || n.Promise.Round != m.Round {\n\t\tn.ignore(from, \"no such promise\")\n\t\treturn\n\t}\n\tn.Promise = Promise{}\n\tn.event(EventExecute",
		New:   "\tif n.Promise.Proposer != from || n.Promise.Round != m.Round {\n\t\tn.ignore(from, \"no such promise\")\n\t\treturn\n\t}\n\tn.send(from, CommitOK{Round: m.Round})\n\tn.Promise = Promise{}\n\tn.event(EventExecute",
		Why:   "a NO-OP to a node that said NO is never acknowledged",
		Model: "can/row2/leave-leave", Property: "NobodyBusy",
	},
	{
		Name: "proposeok-no-release", File: "can/propose.go",
		Old:   "\tcase m.Yes:\n\t\tn.send(from, Release{Round: m.Round})\n",
		New:   "",
		Why:   "a promise to a round that is over is never called void",
		Model: "can/row3/leave-crash", Property: "NobodyBusy",
	},
	{
		Name: "proposeok-releases-later", File: "can/propose.go",
		Old:   "(i >= 0 || slices.Contains(n.Change.Later, from))",
		New:   "i >= 0",
		Why:   "a YES that is repeated is released although the outcome is on its way",
		Model: "can/row3/leave-crash-faulty", Property: "NoGap",
	},
	{
		Name: "release-keeps-promise", File: "can/propose.go",
		Old:   "\tn.Promise = Promise{}\n",
		New:   "",
		Why:   "a promise that is void is kept",
		Model: "can/tee/join-leave", Property: "Answered",
	},
	{
		Name: "no-resend-yes", File: "can/commit.go",
		Old:   "n.send(p.Proposer, ProposeOK{Round: p.Round, Yes: true})",
		New:   "",
		Why:   "a promise to a round that is over is never found out",
		Model: "can/row3/leave-crash", Property: "NobodyBusy",
	},
	{
		Name: "clone-waiting", File: "can/state.go",
		Old:   "\ts.Change.Waiting = slices.Clone(s.Change.Waiting)\n",
		New:   "",
		Why:   "a step changes a list of the state that it was given",
		Model: "can/row2/join", Property: "NobodyBusy",
	},
}
