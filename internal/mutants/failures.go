package mutants

// failures are mutants of the reaction to the failure of a peer.
var failures = []Mutant{
	{
		Name: "failed-no-bury", File: "can/failure.go",
		Old:   "n.markDead(id)\n\tn.asParticipant().orphan(id)",
		New:   "n.asParticipant().orphan(id)",
		Why:   "the zone of a failed node is never taken over",
		Model: "can/row3/crash", Property: "NoGap",
	},
	{
		Name: "failed-no-orphan", File: "can/failure.go",
		Old:   "n.markDead(id)\n\tn.asParticipant().orphan(id)",
		New:   "n.markDead(id)",
		Why:   "a promise to a failed proposer is never void",
		Model: "can/row2/stale-update", Property: "NobodyBusy",
	},
	{
		Name: "failed-counts-as-yes", File: "can/failure.go",
		Old:   "n.asProposer().decide(false)",
		New:   "n.asProposer().decide(true)",
		Why:   "a round is committed without the promise of a participant that failed",
		Model: "can/row3/leave-crash", Property: "NoGap",
	},
	{
		Name: "orphan-no-query", File: "can/failure.go",
		Old:   "p.Proposer == id && p.Kind == Split && p.Subject != n.Self.ID && !p.Orphan",
		New:   "false && p.Proposer == id",
		Why:   "a neighbour takes over a whole zone although a joiner received a part of it",
		Model: "can/row2/join-crash-rejoin", Property: "NoOverlap",
	},
	{
		Name: "orphan-joiner-asks-itself", File: "can/failure.go",
		Old:   "p.Kind == Split && p.Subject != n.Self.ID && !p.Orphan",
		New:   "p.Kind == Split && !p.Orphan",
		Why:   "a joiner whose owner failed asks itself how the round ended",
		Model: "can/row2/join-crash-rejoin", Property: "NoOverlap",
	},
	{
		Name: "query-no-orphan", File: "can/failure.go",
		Old:   "n.markDead(m.Proposer)\n\tn.orphan(m.Proposer)",
		New:   "n.markDead(m.Proposer)",
		Why:   "a joiner answers that it is no member and then executes a late Commit",
		Model: "can/row2/join-crash-rejoin", Property: "NoOverlap",
	},
	{
		Name: "query-no-answer", File: "can/failure.go",
		Old:   "\tn.send(from, a)\n",
		New:   "\t_ = from\n",
		Why:   "a joiner does not say how the round ended",
		Model: "can/row2/join-crash-rejoin", Property: "NobodyBusy",
	},
	{
		Name: "answer-no-learn", File: "can/failure.go",
		Old:   "\tn.giveUp()\n\tn.learn(m.Records)",
		New:   "\tn.giveUp()",
		Why:   "a node asks whether the split took place and ignores the answer",
		Model: "can/row2/join-crash-rejoin", Property: "NoOverlap",
	},
	{
		Name: "no-bury-gone", File: "can/commit.go",
		Old:   "n.markDead(m.Gone)",
		New:   "",
		Why:   "a node that left stays a neighbour",
		Model: "can/square/leave-crash", Property: "NoGap",
	},
	{
		Name: "execute-not-dead", File: "can/commit.go",
		Old:   "n.Known = table(n.Known).merge(r) // even if",
		New:   "if n.IsDead(r.ID) {\n\t\t\tcontinue\n\t\t}\n\t\tn.Known = table(n.Known).merge(r) // even if",
		Why:   "a taker that failed leaves a hole of the shape that it had before",
		Model: "can/tee/leave-crash", Property: "NoGap",
	},
	{
		Name: "retry-leave-first", File: "can/join.go",
		Old: "\tcase duty:\n\t\tn.asProposer().takeOver(failed)\n" +
			"\tcase n.Phase == Member && n.Leave:\n\t\tn.asProposer().leave()\n",
		New: "\tcase n.Phase == Member && n.Leave:\n\t\tn.asProposer().leave()\n" +
			"\tcase duty:\n\t\tn.asProposer().takeOver(failed)\n",
		Why:   "a node that wants to leave never gets out beside a hole that it should fill",
		Model: "can/row3/leave-crash", Property: "NoGap",
	},
	{
		Name: "duty-any-hole", File: "can/failure.go",
		Old:   "if _, ok := extended(s.Self, hole); ok {",
		New:   "{",
		Why:   "a node waits before a hole that others fill and never fills its own",
		Model: "can/square/leave-crash", Property: "NoGap",
	},
	{
		Name: "watch-not-direct", File: "can/timer.go",
		Old:   "slices.Concat(table(s.Direct()).ids(), ",
		New:   "slices.Concat(",
		Why:   "no node detects the failure of a neighbour",
		Model: "can/row3/crash", Property: "NoGap",
	},
	{
		Name: "watch-not-waiting", File: "can/timer.go",
		Old:   "s.Change.Waiting, s.Change.Later)",
		New:   "s.Change.Later)",
		Why:   "a proposer does not detect the failure of a participant",
		Model: "can/row3/leave-crash", Property: "NobodyBusy",
	},
	{
		Name: "watch-not-proposer", File: "can/timer.go",
		Old:   "\t\t\tids = append(ids, p.Proposer)\n",
		New:   "",
		Why:   "a participant does not detect the failure of its proposer",
		Model: "can/row3/leave-crash", Property: "NobodyBusy",
	},
	{
		Name: "timers-fired-not-again", File: "can/timer.go",
		Old:   "return fired || alive\n",
		New:   "_ = fired\n\t\treturn alive\n",
		Why:   "a timer that fired is not set again",
		Model: "can/row3/leave-crash", Property: "NoGap",
	},
	{
		Name: "restart-same-incarnation", File: "can/join.go",
		Old:   "n.start(id.Incarnation + 1)",
		New:   "n.start(id.Incarnation)",
		Why:   "a restarted node is mistaken for its failed incarnation",
		Model: "can/row3/crash-rejoin", Property: "NoGap",
	},
	{
		Name: "holes-not-told", File: "can/update.go",
		Old: "Neighbours: table(n.Known).adjacentTo(n.Self.Zone), Dead", New: "Neighbours: n.Direct(), Dead",
		Why: "others forget the hole beside this node, whose border then looks open to them, and close no hole of their " +
			"own",
		Model: "can/row6/crash-crash-takers", Property: "NoGap",
	},
	{
		Name: "hole-not-heard-of", File: "can/update.go",
		Old: "!overlapsAny(r.Zone, sure) && !(direct && n.IsDead(r.ID)) {", New: "!overlapsAny(r.Zone, sure) && !(direct " +
			"|| n.IsDead(r.ID)) {",
		Why:   "a hole that comes near when another is closed is never known",
		Model: "can/row5/crash-crash-crash", Property: "NoGap",
	},
	{
		Name: "leaver-silent", File: "can/timer.go",
		Old:   "if s.Phase == Member || s.Phase == Leaving {",
		New:   "if s.Phase == Member {",
		Why:   "a leaver sends no signs of life while it waits for acknowledgements",
		Model: "can/row2/leave", Property: "TimersKept",
	},
	{
		Name: "orphan-asked-late", File: "can/failure.go",
		Old:   "p.Orphan = true\n\t\tn.send(p.Subject, Query{Proposer: p.Proposer, Round: p.Round})",
		New:   "p.Orphan = true",
		Why:   "a joiner is asked only when a timer fires",
		Model: "can/row2/join-crash-rejoin", Property: "MessagesFit",
	},
}
