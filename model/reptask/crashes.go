package reptask

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// crashes are runs in which a node crashes, and perhaps rejoins.
func crashes() []scenario {
	any := []request{asks("A", 1, 2, reptask.OverNone, "BC")}
	return []scenario{
		{
			name: "spare-crash", doc: "a job of two on three nodes; any node may crash",
			clusters: trio(), jobs: any, budget: failed, witnesses: "Regrants Recovers Stops Adopts",
		},
		{
			name: "spare-crash-drop", doc: "a job of two on three nodes; a crash; one message dropped",
			clusters: trio(), jobs: any, budget: model.Budget{Crash: 1, Drop: 1},
			witnesses: "Regrants Recovers Stops Adopts",
		},
		{
			name: "spare-crash-dup", doc: "a job of two on three nodes; a crash; one message duplicated",
			clusters: trio(), jobs: any, budget: model.Budget{Crash: 1, Duplicate: 1},
			witnesses: "Regrants Recovers Stops Adopts",
		},
		{
			name: "spare-crash-mixed", doc: "a job of two on three nodes; a crash; one dropped, one duplicated",
			clusters: trio(), jobs: any, budget: model.Budget{Crash: 1, Drop: 1, Duplicate: 1},
			witnesses: "Regrants Recovers Stops Adopts",
		},
		{
			name: "stay-crash-dup", doc: "a job of two, represented at B; A or C may crash; one duplicated",
			clusters: trio(), jobs: []request{asks("A", 2, 2, reptask.OverNone, "B")},
			budget: model.Budget{Crash: 1, Duplicate: 1}, crashers: "AC", witnesses: "Regrants Recovers Stops",
		},
		{
			name: "owner-crash", doc: "a job that its owner does not run; the owner may crash",
			clusters: apart(), jobs: any, budget: failed, crashers: "A", witnesses: "Adopts Again",
		},
		{
			name: "owner-crash-drop", doc: "the owner of a job may crash; one message dropped",
			clusters: apart(), jobs: any, budget: model.Budget{Crash: 1, Drop: 1}, crashers: "A",
			witnesses: "Adopts Again",
		},
		{
			name: "owner-crash-dup", doc: "the owner of a job may crash; one message duplicated",
			clusters: apart(), jobs: any, budget: model.Budget{Crash: 1, Duplicate: 1}, crashers: "A",
			witnesses: "Adopts Again",
		},
		{
			name: "owner-crash-rejoin", doc: "the owner of a job may crash and rejoin",
			clusters: apart(), jobs: any, budget: model.Budget{Crash: 1, Restart: 1}, crashers: "A", rejoins: true,
			witnesses: "Adopts Again",
		},
		{
			name: "owner-crash-cancel", doc: "the owner of a cancelled job may crash",
			clusters: apart(), jobs: any, cancels: "A", budget: failed, crashers: "A", hopeless: true,
			witnesses: "Adopts Again Withdrawn", deepUnder: "repeat",
		},
		{
			name: "adopter-crash-cancel", doc: "the owner of a cancelled job may crash, and its representative B too",
			clusters: apart(), jobs: any, cancels: "A", budget: model.Budget{Crash: 2}, crashers: "AB", hopeless: true,
			tight: true, witnesses: "Adopts Withdrawn", deepUnder: "repeat",
		},
		{
			name: "owner-crash-move", doc: "the owner of a job may crash; the job is to move",
			clusters: apart(), jobs: any, moves: []moving{{"A", "B", "C"}}, budget: failed, crashers: "A",
			witnesses: "Adopts Again Moves",
		},
		{
			name: "owner-crash-two", doc: "the owner of a job may crash, and another node too",
			clusters: []string{"A", "BCD", "BCD", "BCD"}, jobs: any, budget: model.Budget{Crash: 2}, tight: true,
			witnesses: "Adopts Again Recovers", deepUnder: "repeat",
		},
		{
			name: "remote-crash", doc: "a job that its representative does not run; a host may crash",
			clusters: []string{"BCDE", "B", "C", "D", "E"}, jobs: []request{asks("A", 1, 2, reptask.OverNone, "A")},
			budget: failed, crashers: "BCDE", witnesses: "Regrants Recovers Stops",
		},
		{
			name: "trio-crash", doc: "two jobs of two on three nodes; any node may crash",
			clusters: trio(),
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "AB"), asks("C", 2, 2, reptask.OverNone, "CB")},
			budget:   failed, witnesses: "Kills Regrants Recovers Stops", deepUnder: "repeat",
		},
		{
			name: "trio-crash-drop", doc: "two jobs of two on three nodes; a crash; one message dropped",
			clusters: trio(),
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "AB"), asks("C", 2, 2, reptask.OverNone, "CB")},
			budget:   model.Budget{Crash: 1, Drop: 1}, witnesses: "Kills Regrants Recovers Stops",
		},
		{
			name: "trio-crash-dup", doc: "two jobs of two on three nodes; a crash; one message duplicated",
			clusters: trio(),
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "AB"), asks("C", 2, 2, reptask.OverNone, "CB")},
			budget:   model.Budget{Crash: 1, Duplicate: 1}, witnesses: "Kills Regrants Recovers Stops", deep: true,
		},
		{
			name: "trio-crash-mixed", doc: "two jobs of two on three nodes; a crash; one dropped, one duplicated",
			clusters: trio(),
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "AB"), asks("C", 2, 2, reptask.OverNone, "CB")},
			budget:   model.Budget{Crash: 1, Drop: 1, Duplicate: 1}, witnesses: "Kills Regrants Recovers Stops",
			safety: true, deep: true,
		},
		{
			name: "trio-crash-rejoin", doc: "two jobs of two on three nodes; any node may crash and rejoin",
			clusters: trio(),
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "AB"), asks("C", 2, 2, reptask.OverNone, "CB")},
			budget:   model.Budget{Crash: 1, Restart: 1}, witnesses: "Kills Regrants Recovers Stops", rejoins: true,
			deepUnder: "repeat",
		},
		{
			name: "chain-crash", doc: "two jobs of two that both need B; any node may crash",
			clusters: chain(), jobs: cross(), budget: failed, tight: true, witnesses: "Kills Refused",
		},
		{
			name: "chain-crash-mixed", doc: "two jobs of two that need B; a crash; one dropped, one duplicated",
			clusters: chain(), jobs: cross(), budget: model.Budget{Crash: 1, Drop: 1, Duplicate: 1}, tight: true,
			witnesses: "Kills Refused",
		},
		{
			name: "pair-crash", doc: "two jobs of two on two nodes; any node may crash",
			clusters: pair(), jobs: both(), budget: failed, tight: true, witnesses: "Kills Refused",
		},
		{
			name: "move-crash", doc: "an idle job moves; any node may crash",
			clusters: trio(), jobs: any, moves: []moving{{"A", "B", "C"}}, budget: failed,
			witnesses: "Moves Regrants Recovers", vast: true,
		},
		{
			name: "move-crash-drop", doc: "an idle job moves; any node may crash; one message dropped",
			clusters: trio(), jobs: any, moves: []moving{{"A", "B", "C"}}, budget: model.Budget{Crash: 1, Drop: 1},
			witnesses: "Moves Regrants Recovers", deep: true,
		},
		{
			name: "move-crash-dup", doc: "an idle job moves; any node may crash; one message duplicated",
			clusters: trio(), jobs: any, moves: []moving{{"A", "B", "C"}}, budget: model.Budget{Crash: 1, Duplicate: 1},
			witnesses: "Moves Regrants Recovers", deep: true,
		},
		{
			name: "cancel-crash", doc: "a client cancels a job; any node may crash",
			clusters: trio(), jobs: any, cancels: "A", budget: failed, hopeless: true,
			witnesses: "Withdrawn Stops Adopts", deepUnder: "repeat",
		},
		{
			name: "mutual-suspicion", doc: "A and B represent each other's jobs; two false suspicions",
			clusters: pair(),
			jobs:     []request{asks("A", 1, 1, reptask.OverNone, "BA"), asks("B", 2, 1, reptask.OverNone, "AB")},
			budget:   model.Budget{Suspect: 2},
		},
		{
			name: "spare-crash-rejoin", doc: "a job of two on three nodes; any node may crash and rejoin",
			clusters: trio(), jobs: any, budget: model.Budget{Crash: 1, Restart: 1}, rejoins: true,
			witnesses: "Regrants Recovers Stops Adopts",
		},
	}
}

// ends are crashes together with the other ends of an attempt: refusals, moves, cancellations.
func ends() []scenario {
	any := []request{asks("A", 1, 2, reptask.OverNone, "BC")}
	return []scenario{
		{
			name: "refuse-crash", doc: "B and D refuse a job; C represents it and may crash",
			clusters: []string{"A", "B", "CE", "D", "CE"}, jobs: []request{asks("A", 1, 2, reptask.OverNone, "BCD")},
			budget: failed, crashers: "C", tight: true, witnesses: "Regrants Refused", vast: true,
		},
		{
			name: "refuse-crash-two", doc: "B refuses a job and represents another; it may crash before C refuses",
			clusters: []string{"A", "B", "C", "DE", "DE"},
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "BCD"), asks("A", 2, 1, reptask.OverNone, "BD")},
			budget:   failed, crashers: "B", witnesses: "Regrants", vast: true,
		},
		{
			name: "refuse-move", doc: "a job moves to C, which refuses it; then B may refuse it, too",
			clusters: []string{"AD", "B", "C", "AD"}, jobs: []request{asks("A", 1, 2, reptask.OverNone, "AB")},
			moves: []moving{{"A", "A", "C"}}, budget: failed, crashers: "D", tight: true,
			witnesses: "Moves Regrants Refused", vast: true,
		},
		{
			name: "shared-crash", doc: "two jobs with one representative; any node may crash",
			clusters: trio(),
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "B"), asks("C", 2, 2, reptask.OverNone, "B")},
			budget:   failed, tight: true, witnesses: "Kills Refused", deep: true, vast: true,
		},
		{
			name: "shared-crash-pair", doc: "two jobs with one representative on two nodes; any node may crash",
			clusters: []string{"", "BC", "BC"},
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "B"), asks("A", 2, 2, reptask.OverNone, "B")},
			budget:   failed, crashers: "BC", tight: true, witnesses: "Kills Refused Stops", vast: true,
		},
		{
			name: "cancel-two-crash", doc: "a client cancels one of two jobs; their owner may crash, and C",
			clusters: []string{"A", "BC", "BC"},
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "BC"), asks("A", 2, 1, reptask.OverNone, "CB")},
			cancels:  "A", budget: model.Budget{Crash: 2}, crashers: "AC", tight: true, hopeless: true,
			witnesses: "Adopts Withdrawn Stops", deepUnder: "drop", vast: true,
		},
		{
			name: "cancel-move-crash", doc: "a job is to move, and its client cancels it; any node may crash",
			clusters: []string{"A", "BC", "BC"}, jobs: any, cancels: "A", moves: []moving{{"A", "B", "C"}},
			budget: failed, hopeless: true, tight: true, witnesses: "Moves Withdrawn Adopts", vast: true,
		},
		{
			name: "remote-cancel-crash", doc: "a job that its representative does not run is cancelled; a crash",
			clusters: []string{"", "CD", "C", "D"}, jobs: []request{asks("A", 1, 2, reptask.OverNone, "B")},
			cancels: "A", budget: failed, hopeless: true, tight: true, witnesses: "Withdrawn Stops", vast: true,
		},
		{
			name: "owner-crash-moves", doc: "the owner of a job may crash, and C; two commands to move the job",
			clusters: []string{"A", "BCD", "BCD", "BCD"}, jobs: any, moves: []moving{{"A", "B", "C"}, {"A", "B", "D"}},
			budget: model.Budget{Crash: 2}, crashers: "AC", tight: true, witnesses: "Adopts Moves Regrants",
			deepUnder: "drop", vast: true,
		},
	}
}

// cordons are runs in which a node takes no tasks, for a time or for good. The others keep it in
// their clusters.
func cordons() []scenario {
	return []scenario{
		{
			name: "cordon-host", doc: "a job of two on three nodes; C, which may host it, is cordoned; one message dropped",
			clusters: trio(), jobs: []request{asks("A", 1, 2, reptask.OverNone, "BC")}, cordons: "C",
			budget: model.Budget{Drop: 1},
		},
		{
			name: "cordon-serial", doc: "a job of one task; B, which would run it, is cordoned; one message duplicated",
			clusters: trio(), jobs: []request{asks("A", 1, 1, reptask.OverNone, "BC")}, cordons: "B",
			budget: model.Budget{Duplicate: 1}, witnesses: "Regrants",
		},
		{
			name: "cordon-kill", doc: "two jobs of two on three nodes; B, which has a vote outstanding, is cordoned for a time",
			clusters: trio(), jobs: cross(), cordons: "B", uncordons: "B", witnesses: "Kills",
		},
		{
			name: "cordon-crash", doc: "a job of two on three nodes; C is cordoned for a time, and B may crash",
			clusters: trio(), jobs: []request{asks("A", 1, 2, reptask.OverNone, "BC")}, cordons: "C", uncordons: "C",
			budget: failed, crashers: "B", tight: true,
		},
	}
}

// leaving are runs in which a node leaves. The others keep it in their clusters.
func leaving() []scenario {
	any := []request{asks("A", 1, 2, reptask.OverNone, "BC")}
	return []scenario{
		{
			name: "leave", doc: "a job of two on three nodes; B represents it and leaves",
			clusters: trio(), jobs: any, leaves: "B", witnesses: "Regrants", vast: true,
		},
		{
			name: "leave-host", doc: "a job of two on three nodes; C, which may host it, leaves",
			clusters: trio(), jobs: any, leaves: "C", vast: true,
		},
		{
			name: "leave-kill", doc: "two jobs of two on three nodes; B, which has a vote outstanding, leaves",
			clusters: trio(), jobs: cross(), leaves: "B", witnesses: "Kills", vast: true,
		},
		{
			name: "leave-heir-crash", doc: "the owner of a job may crash; the node that is to own it next leaves",
			clusters: []string{"A", "BCD", "BCD", "BCD"}, jobs: any, leaves: "C", budget: failed, crashers: "A",
			witnesses: "Adopts Again", vast: true,
		},
		{
			name: "leave-heir-crash-dup", doc: "the next owner leaves; one message duplicated",
			clusters: []string{"A", "BCD", "BCD", "BCD"}, jobs: any, leaves: "C",
			budget: model.Budget{Crash: 1, Duplicate: 1}, crashers: "A", witnesses: "Adopts Again",
		},
	}
}
