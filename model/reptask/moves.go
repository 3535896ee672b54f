package reptask

import "github.com/canvass-grid/canvass/protocol/reptask"

// moves are runs in which both algorithms want to move one job.
func moves() []scenario {
	alone := []request{asks("A", 1, 2, reptask.OverNone, "B")}
	return []scenario{
		{
			name: "move-once", doc: "queue balancing is to move a job that dynamic load balancing has moved",
			clusters: pair(), jobs: alone, moves: []moving{{"A", "B", "A"}}, queued: []moving{{"A", "A", "B"}},
			witnesses: "Moves", deepUnder: "repeat",
		},
		{
			name: "move-queued", doc: "dynamic load balancing is to move a job that queue balancing has moved",
			clusters: pair(), jobs: alone, moves: []moving{{"A", "A", "B"}}, queued: []moving{{"A", "B", "A"}},
			witnesses: "Queues", deepUnder: "repeat",
		},
		{
			name: "move-each", doc: "each algorithm moves a job once, and queue balancing is to do so again",
			clusters: pair(), jobs: alone, each: true, vast: true,
			moves: []moving{{"A", "B", "A"}}, queued: []moving{{"A", "A", "B"}, {"A", "B", "A"}},
			witnesses: "Moves Queues MovesTwice",
		},
	}
}

// balances are runs in which the core decides which job moves, and where. Its neighbours report a
// drawn load at each turn.
func balances() []scenario {
	serial := []request{
		asks("A", 1, 1, reptask.OverNone, "A"), asks("A", 2, 1, reptask.OverNone, "A"),
		asks("A", 3, 1, reptask.OverNone, "A"), asks("A", 4, 1, reptask.OverNone, "A"),
	}
	wide := append(serial[:3:3], asks("A", 4, 2, reptask.OverNone, "A"))
	return []scenario{
		{
			name: "balance", doc: "four serial jobs at A, to which other nodes report their loads",
			clusters: []string{"A", "B", "C"}, jobs: serial, witnesses: "Moves Queues",
			turns: []turn{
				{{'B', 4, 7, 1, "B1"}, {'C', 5, 7, 9, "C1"}},    // B is the smaller; QB alone may choose it
				{{'B', 3, 7, 9, "B0"}, {'C', 4, 8, 9, "C0"}},    // neither is capable
				{{'A', 4, 7, 5, "A0"}, {'B', 4, 7, 5, "B2"}},    // A is the node itself, B's queue too long
				{{'B', 5, 7, 9, "B0"}, {'C', 4, 7, 1, "C0"}},    // C is the smaller
				{{'B', 5, 7, 1, "B0"}, {'C', 4, 7, 9, "C0"}},    // any value in the virtual dimension
				{{'B', 9, 7, 9, "B0"}, {'C', 4, 7, 1, "C0 B1"}}, // neither is smaller
			},
		},
		{
			name: "balance-wide", doc: "a job of two behind three serial jobs; its own task waits at a node of another site",
			clusters: []string{"AB", "B", "BC"}, jobs: wide, witnesses: "Moves",
			turns: []turn{
				{{'C', 4, 7, 1, "C1 B1"}}, // for a job of two, C is too busy
				{{'C', 4, 7, 1, "B1 C0"}}, // its own task is not in its way
				{{'C', 4, 7, 1, "C2 B0"}},
			},
		},
		{
			name: "balance-kth", doc: "the same; the second best queue position counts",
			clusters: []string{"AB", "B", "BC"}, jobs: wide, witnesses: "Moves Queues", kth: true,
			turns: []turn{
				{{'C', 4, 7, 1, "C2 B1"}},
				{{'C', 4, 7, 1, "C1 B1"}},
				{{'B', 4, 7, 1, "B0"}, {'C', 4, 7, 1, "C0 B0"}},
			},
		},
	}
}
