package mutants

// neighbourhoods are mutants of how nodes come to know each other and forget each other.
var neighbourhoods = []Mutant{
	{
		Name: "no-learn-view", File: "can/commit.go",
		Old:   "n.learn(m.View)",
		New:   "",
		Why:   "a joiner does not learn its neighbourhood",
		Model: "can/row2/join-sibling-crash", Property: "NoGap",
	},
	{
		Name: "settle-no-prune", File: "can/step.go",
		Old:   "return touches(n.Self.Zone, r.Zone) || touchesAny(r.Zone, direct)",
		New:   "return true || touches(n.Self.Zone, r.Zone) || touchesAny(r.Zone, direct)",
		Why:   "a node that left the neighbourhood stays known",
		Model: "can/row6/leave-leave", Property: "ViewsAgree",
	},
	{
		Name: "settle-hole-stays", File: "can/step.go",
		Old:   "!n.IsDead(r.ID) || !n.isClosed(r, live)",
		New:   "true || !n.isClosed(r, live)",
		Why:   "a hole that is filled stays open",
		Model: "can/tee/leave-leave", Property: "ViewsAgree",
	},
	{
		Name: "settle-hole-forgotten", File: "can/step.go",
		Old:   "!n.IsDead(r.ID) || !n.isClosed(r, live)",
		New:   "!n.IsDead(r.ID) || false && !n.isClosed(r, live)",
		Why:   "a hole is forgotten before it is filled",
		Model: "can/row3/leave-crash", Property: "NoGap",
	},
	{
		Name: "no-update-timer", File: "can/timer.go",
		Old:   "if s.Phase == Member || s.Phase == Leaving {\n\t\ttimers",
		New:   "\tif false {\n\t\ttimers",
		Why:   "updates are never sent",
		Model: "can/row3/leave-crash", Property: "ViewsAgree",
	},
	{
		Name: "updates-without-neighbours", File: "can/update.go",
		Old:   "Neighbours: table(n.Known).adjacentTo(n.Self.Zone), Dead: n.Dead",
		New:   "Dead: n.Dead",
		Why:   "updates do not name indirect neighbours",
		Model: "can/row2/join", Property: "ViewsAgree",
	},
	{
		Name: "update-no-refresh", File: "can/update.go",
		Old:   "\tn.refresh(reported)\n\tn.discover(reported)",
		New:   "\tn.discover(reported)",
		Why:   "an update's records of known nodes are ignored",
		Model: "can/row3/leave-crash-rejoin", Property: "ViewsAgree",
	},
	{
		Name: "update-no-hear", File: "can/update.go",
		Old:   "\tn.refresh(reported)\n\tn.discover(reported)",
		New:   "\tn.refresh(reported)",
		Why:   "an update's records of unknown nodes are ignored",
		Model: "can/row4/leave-crash", Property: "ViewsAgree",
	},
	{
		Name: "merge-older", File: "can/record.go",
		Old:   "if t[i].Version < r.Version {",
		New:   "if true {",
		Why:   "an old record replaces a newer one",
		Model: "can/tee/join-leave", Property: "Granted",
	},
	{
		Name: "learn-not-dead", File: "can/update.go",
		Old:   "version(r.ID) > 0 || r.ID",
		New:   "version(r.ID) > 0 && !n.IsDead(r.ID) || r.ID",
		Why:   "a hole keeps an outdated shape",
		Model: "can/row2/join-crash-rejoin", Property: "NoOverlap",
	},
	{
		Name: "leaver-remembers", File: "can/step.go",
		Old:   "n.Known = nil\n\t\treturn",
		New:   "return",
		Why:   "a node that has given its zone away remembers its neighbours",
		Model: "can/row2/leave", Property: "ListsKept",
	},
	{
		Name: "update-stale-record", File: "can/update.go",
		Old:   "n.refresh(reported)\n\tn.discover(reported)\n\tn.supersede",
		New:   "n.discover(reported)\n\tn.supersede",
		Why:   "an update of a neighbour does not replace older records",
		Model: "can/row3/join-crash", Property: "NoOldNews",
	},
}
