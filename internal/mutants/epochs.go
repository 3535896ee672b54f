package mutants

// epochs are mutants of the distinction between old and new updates, and of the remains of a round
// whose proposer failed.
var epochs = []Mutant{
	{
		Name: "epoch-not-compared", File: "can/update.go",
		Old:    " || n.Known[i].Epoch > m.Self.Epoch",
		New:    "",
		Why:    "an update from before a round undoes what the round changed",
		Script: "stale_epoch",
	},
	{
		Name: "epoch-not-told", File: "can/propose.go",
		Old:    "n.Change.Commit.withEpoch(from, m.Epoch+1)",
		New:    "n.Change.Commit.withEpoch(from, m.Epoch)",
		Why:    "a Commit does not say in which epoch the participants will be",
		Script: "late_update_of_the_dead",
	},
	{
		Name: "yes-unheard", File: "can/propose.go",
		Old: "yes := m.Yes && !n.hasMissedRound(from, m.Epoch)",
		New: "yes := m.Yes",
		Why: "a round relies on the promise of a node that has failed: its taker is informed of nothing, and if the " +
			"node that was granted a zone fails as well, no node is left that knows",
		Model: "can/row5/leave-crash-crash", Property: "NoGap",
	},
	{
		Name: "epoch-not-begun", File: "can/commit.go",
		Old:   "n.Self.Epoch++",
		New:   "",
		Why:   "updates of a node are refused after its first round",
		Model: "can/row5/leave-leave-stale", Property: "ViewsAgree",
	},
	{
		Name: "epoch-not-kept", File: "can/record.go",
		Old:    "epoch := max(t[i].Epoch, r.Epoch)",
		New:    "epoch := r.Epoch",
		Why:    "an older report of a node's epoch replaces a newer one",
		Script: "hole_out_of_reach",
	},
	{
		Name: "give-up-same-epoch", File: "can/failure.go",
		Old:    "n.release()\n\tn.Self.Epoch++",
		New:    "n.release()",
		Why:    "nodes that executed a round refuse the updates of a node that gave it up",
		Script: "granted_elsewhere",
	},
	{
		Name: "update-in-round", File: "can/update.go",
		Old:   "if n.Change.Stage == Stable {",
		New:   "if true {",
		Why:   "an update reports a split that its joiner does not know and may never receive",
		Model: "can/row2/join-owner-crash-early", Property: "Granted",
	},
	{
		Name: "refuse-in-round", File: "can/propose.go",
		Old:    "if n.mayReport() {",
		New:    "if n.Phase == Member {",
		Why:    "a NO reports a split that its joiner does not know and may never receive",
		Script: "refuse_in_round",
	},
	{
		Name: "takeover-tells-nothing", File: "can/commit.go",
		Old: "if m.Kind == Takeover && n.mayReport() {",
		New: "if false {",
		Why: "a taker has no node beyond the neighbours of its new zone until these send an update, and they " +
			"may crash first",
		Model: "can/row4/crash-crash", Property: "NoGap",
	},
	{
		Name: "settle-behind-hole", File: "can/step.go",
		Old:    "return touches(n.Self.Zone, r.Zone) || touchesAny(r.Zone, direct)",
		New:    "return touches(n.Self.Zone, r.Zone) || !overlapsAny(r.Zone, direct) && touchesAny(r.Zone, direct)",
		Why:    "the other takers of a hole forget a node that has taken its share",
		Script: "two_holes_at_a_corner",
	},
	{
		Name: "update-from-afar", File: "can/update.go",
		Old:    "table(m.Neighbours).version(n.Self.ID) < n.Self.Version",
		New:    "false",
		Why:    "an old update restores a forgotten node where others are by now",
		Script: "update_from_afar",
	},
	{
		Name: "update-not-across", File: "can/state.go",
		Old:   " || touchesAny(r.Zone, holes)",
		New:   "",
		Why:   "two nodes with a hole between them never meet if only the failed node was a neighbour of both",
		Model: "can/outward/crash-crash", Property: "NeighboursKnow",
	},
	{
		Name: "across-not-heard", File: "can/update.go",
		Old:   " && !n.isAcross(m):",
		New:   ":",
		Why:   "updates of an unknown node across a hole are refused: it cannot know this node's present zone",
		Model: "can/outward/crash-crash", Property: "NeighboursKnow",
	},
	{
		Name: "across-before-hole", File: "can/update.go",
		Old:    "slices.Contains(m.Dead, r.ID) && ",
		New:    "",
		Why:    "an update from before the hole restores a node where others are by now",
		Script: "update_from_afar",
	},
	{
		Name: "across-open-holes", File: "can/update.go",
		Old:    " || slices.ContainsFunc(m.Neighbours, between)",
		New:    "",
		Why:    "a node that takes a hole early never finds the nodes across it",
		Script: "taken_before_told",
	},
	{
		Name: "no-op-not-told", File: "can/state.go",
		Old: " || s.Change.Commit.Kind == NoOp",
		New: "",
		Why: "a node that waits for the end of a cancelled round does not introduce a taker to its neighbours, and may " +
			"crash next",
		Model: "can/outward/leave-crash-crash-drop", Property: "NeighboursKnow",
	},
	{
		Name: "no-supersede", File: "can/commit.go",
		Old: "n.supersede(m.Changed)",
		New: "",
		Why: "a failed node seems to be where others are by now if its taker crashed before reporting, and no round " +
			"starts any more",
		Model: "can/outward/leave-crash-crash", Property: "ViewsAgree",
	},
	{
		Name: "told-not-superseded", File: "can/update.go",
		Old: "n.supersede(n.presentRecords(reported))",
		New: "",
		Why: "a node across a hole is remembered with the zone that it had before it admitted a joiner, and no round " +
			"starts any more",
		Script: "joined_behind_taker",
	},
	{
		Name: "supersede-holes", File: "can/commit.go",
		Old:    "return direct || n.IsDead(r.ID) || changed",
		New:    "return direct || changed",
		Why:    "a hole is forgotten once a taker has a part of it, although the rest is still open",
		Script: "two_holes_shared",
	},
	{
		Name: "closed-behind-taker", File: "can/step.go",
		Old:    "if touches(r.Zone, hole.Zone) && ",
		New:    "if _, beside := r.Zone.Abuts(hole.Zone); beside && ",
		Why:    "a hole is forgotten where a taker's zone hides it, although its rest borders on that taker",
		Script: "two_holes_shared",
	},
	{
		Name: "no-reclaim", File: "can/update.go",
		Old:    "n.reclaim(from, m.Neighbours)",
		New:    "",
		Why:    "takers that a crashed leaver did not inform refuse each other forever",
		Script: "granted_elsewhere",
	},
}
