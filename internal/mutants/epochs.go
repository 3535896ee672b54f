package mutants

// epochs are mutants of what tells old news from new, and of what remains of a round whose proposer failed.
var epochs = []Mutant{
	{
		Name: "epoch-not-compared", File: "can/update.go",
		Old:   " || n.Known[i].Epoch > m.Self.Epoch",
		New:   "",
		Why:   "an update from before a round takes away what the round brought",
		Model: "can/outward/leave-crash-early", Property: "NeighboursKnow",
	},
	{
		Name: "epoch-not-told", File: "can/propose.go",
		Old:   "n.Change.Commit.dated(from, m.Epoch+1)",
		New:   "n.Change.Commit.dated(from, m.Epoch)",
		Why:   "a Commit does not say in which epoch the participants will be",
		Model: "can/outward/leave-crash-early", Property: "NeighboursKnow",
	},
	{
		Name: "epoch-not-begun", File: "can/commit.go",
		Old:   "n.Self.Epoch++",
		New:   "",
		Why:   "a node's news is refused after the first round that it took part in",
		Model: "can/row5/leave-leave-stale", Property: "ViewsAgree",
	},
	{
		Name: "epoch-not-kept", File: "can/record.go",
		Old:    "epoch := max(t[i].Epoch, r.Epoch)",
		New:    "epoch := r.Epoch",
		Why:    "what somebody else says of a node's epoch counts, although it is older",
		Script: "hole_out_of_reach",
	},
	{
		Name: "give-up-same-epoch", File: "can/failure.go",
		Old:    "n.release()\n\tn.Self.Epoch++",
		New:    "n.release()",
		Why:    "the news of a node that gave a round up is refused by those who executed it",
		Script: "granted_elsewhere",
	},
	{
		Name: "update-in-round", File: "can/update.go",
		Old:   "if n.Change.Stage == Stable {",
		New:   "if true {",
		Why:   "an update tells of a split that the joiner does not know of and may never get",
		Model: "can/row2/join-owner-crash-early", Property: "Granted",
	},
	{
		Name: "refuse-in-round", File: "can/propose.go",
		Old:    "if n.tellable() {",
		New:    "if n.Phase == Member {",
		Why:    "a NO tells of a split that the joiner does not know of and may never get",
		Script: "refuse_in_round",
	},
	{
		Name: "takeover-tells-nothing", File: "can/commit.go",
		Old:   "if m.Command == Takeover && n.tellable() {",
		New:   "if false {",
		Why:   "who took a zone over knows nobody beyond the neighbours of that zone until they send an update, and they may fail first",
		Model: "can/row4/crash-crash", Property: "NoGap",
	},
	{
		Name: "settle-behind-hole", File: "can/step.go",
		Old:    "return touches(n.Self.Zone, r.Zone) || touchesAny(r.Zone, direct)",
		New:    "return touches(n.Self.Zone, r.Zone) || !overlapsAny(r.Zone, direct) && touchesAny(r.Zone, direct)",
		Why:    "who has taken its share of a hole is forgotten by those who have yet to take theirs",
		Script: "two_holes_at_a_corner",
	},
	{
		Name: "update-from-afar", File: "can/update.go",
		Old:    "table(m.Neighbours).version(n.Self.ID) < n.Self.Version",
		New:    "false",
		Why:    "an old update puts a node that was forgotten back where others are",
		Script: "update_from_afar",
	},
	{
		Name: "closed-behind-taker", File: "can/step.go",
		Old:    "if touches(r.Zone, hole.Zone) && ",
		New:    "if _, beside := r.Zone.Abuts(hole.Zone); beside && ",
		Why:    "a hole is forgotten where it is hidden by who has taken its share, though what is left is beside that node",
		Script: "two_holes_shared",
	},
	{
		Name: "no-reclaim", File: "can/update.go",
		Old:    "n.reclaim(from, m.Neighbours)",
		New:    "",
		Why:    "takers that were not told by a leaver that failed refuse each other for ever",
		Script: "granted_elsewhere",
	},
}
