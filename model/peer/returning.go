package peer

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// returning are runs in which a node crashes in the middle of a job, restarts from its persisted
// bytes, and joins again.
func returning() []scenario {
	back := model.Budget{Crash: 1, Restart: 1}
	atA, atB := job{entry: "A", size: 2, at: 2}, job{entry: "A", size: 2, at: 6}
	anew := []ask{{"B", submit(2, job{size: 1, at: 6})}}
	return []scenario{
		{
			name: "restart-owner", doc: "B, owner and representative of a job, crashes, rejoins and gets a job again",
			nodes: 2, jobs: []job{atB}, crashers: "B", budget: back, returns: "B", again: anew, tight: true,
			sees: []string{"Accepted", "Shrunk", "Rejoined", "AcceptedAnew"},
		},
		{
			name: "restart-apart", doc: "A represents a job; B, its owner, crashes, rejoins and gets a job again",
			nodes: 2, jobs: []job{atB}, apart: true, crashers: "B", budget: back, returns: "B", again: anew, tight: true,
			sees: []string{"Accepted", "Adopted", "Rejoined", "AcceptedAnew"},
		},
		{
			name: "restart-host", doc: "B, which runs a task of a job of A, crashes and rejoins",
			nodes: 2, jobs: []job{atA}, crashers: "B", budget: back, returns: "B", tight: true,
			sees: []string{"Accepted", "Shrunk", "Rejoined"},
		},
		{
			name: "restart-rep", doc: "A, entry and representative of a job of B, crashes and rejoins",
			nodes: 2, jobs: []job{atB}, apart: true, crashers: "A", budget: back, returns: "A", tight: true,
			sees: []string{"Accepted", "Shrunk", "Rejoined"},
		},
		{
			name: "restart-twice", doc: "B crashes twice and rejoins each time; it gets a job in each life",
			nodes: 3, singles: "ABC", jobs: []job{{entry: "B", size: 1, at: 6}}, crashers: "B",
			budget: model.Budget{Crash: 2, Restart: 2}, returns: "B", tight: true,
			sees: []string{"Accepted", "Rejoined"},
		},
	}
}

// asking are runs in which clients ask for more than a job.
func asking() []scenario {
	pair := []job{{entry: "A", size: 2, at: 6}}
	far := []job{{entry: "A", size: 2, at: 10}}
	first := reptask.Job{Submitted: 1, Owner: id('B'), Number: 1}
	move := peer.Command{Kind: peer.CommandMove, Job: first, Target: id('A')}
	ofB := peer.Command{Kind: peer.CommandCancel, Ticket: 1, Contact: id('B')}
	return []scenario{
		{
			name: "hops", doc: "a job makes two hops to its owner, as many as HopLimit allows",
			nodes: 3, jobs: far, hops: 3, sees: []string{"Accepted"}, live: true,
		},
		{
			name: "hops-few", doc: "a job reaches HopLimit at its owner, and an event reports it lost",
			nodes: 3, jobs: far, hops: 2, sees: []string{"Lost"},
		},
		{
			name: "job-cancel", doc: "a job for two may be cancelled at B, its owner, at any time",
			nodes: 3, jobs: pair, asks: []ask{{"B", peer.Command{Kind: peer.CommandCancel, Ticket: 1}}}, tight: true,
			sees: []string{"Accepted", "Cancelled"}, live: true,
		},
		{
			name: "job-cancel-adopted", doc: "a job whose owner B may crash is cancelled at the node that owns it then",
			nodes: 3, singles: "B", jobs: pair, crashers: "B", budget: model.Budget{Crash: 1}, tight: true,
			asks: []ask{{"A", ofB}, {"C", ofB}}, sees: []string{"Accepted", "Adopted", "AdoptedCancelled"}, live: true,
		},
		{
			name: "job-move", doc: "B, which represents a job, is to move it to A while it is idle",
			nodes: 3, jobs: pair, asks: []ask{{"B", move}}, sees: []string{"Accepted", "Moved"}, live: true,
		},
		{
			name: "job-measure", doc: "A measures its cluster again while a job runs: C may be too far by now",
			nodes: 3, jobs: pair, latency: []uint32{1000}, sees: []string{"Accepted", "Shrunk"}, tight: true,
			asks: []ask{{"A", peer.Command{Kind: peer.CommandMeasure}}}, live: true,
		},
		{
			name: "job-near", doc: "A finds its cluster while a job comes to it",
			nodes: 2, singles: "AB", jobs: []job{{entry: "B", size: 2, at: 2}}, tight: true,
			asks: []ask{{"A", peer.Command{Kind: peer.CommandNear, Near: []protocol.NodeID{id('B')}}}},
			sees: []string{"Accepted", "NobodyCould"}, live: true,
		},
		{
			name: "join-leave", doc: "B joins and wants to leave at once, perhaps before it has a zone",
			nodes: 2, joiners: "B", jobs: []job{{entry: "A", size: 1, at: 2}}, leavers: "B",
			sees: []string{"Accepted", "Left"},
		},
		{
			name: "join-submit", doc: "a job is submitted at B, which joins; it may have no zone yet",
			nodes: 2, joiners: "B", jobs: []job{{entry: "B", size: 1, at: 2}}, sees: []string{"Accepted", "Lost"},
		},
		{
			name: "join-virtual", doc: "B joins at a drawn place of a virtual dimension; a job for it may come before its zone",
			nodes: 2, joiners: "B", virtual: true, jobs: []job{{entry: "A", size: 1, at: 6}}, sees: []string{"Accepted", "Lost"},
		},
		{
			name: "hand-over", doc: "B leaves and hands a job that it should own to a neighbour; no clusters",
			nodes: 3, singles: "ABC", jobs: []job{{entry: "A", size: 1, at: 6}}, leavers: "B", quiet: true, hands: true, hops: 4,
			sees: []string{"Accepted", "Left"},
		},
		{
			name: "hand-over-up", doc: "B leaves and hands a job of C to a neighbour; no clusters",
			nodes: 3, singles: "ABC", jobs: []job{{entry: "C", size: 1, at: 6}}, leavers: "B", quiet: true, hands: true,
			hops: 4, sees: []string{"Accepted", "Left"},
		},
		{
			name: "hand-back", doc: "B leaves, and its only neighbour sends it a job",
			nodes: 2, singles: "AB", jobs: []job{{entry: "A", size: 1, at: 6}}, leavers: "B", quiet: true, hands: true, hops: 4,
			sees: []string{"Accepted", "Left"},
		},
		{
			name: "full", doc: "an owner has room for one job and gets two",
			nodes: 2, jobs: []job{{entry: "A", size: 2, at: 6}, {entry: "A", size: 2, at: 6}}, room: 1,
			sees: []string{"Accepted", "BothAccepted", "Lost"},
		},
		{
			name: "swap", doc: "A is in a cluster with B and in one with C; B leaves, and A advertises the other",
			nodes: 3, pairs: true, nears: []string{"B", "", "A"}, leavers: "B",
			sees: []string{"Left", "Shrunk"},
		},
		{
			name: "adopted-again", doc: "a job is adopted and then needs another representative",
			nodes: 3, singles: "ABC", jobs: []job{{entry: "C", size: 1, at: 6}}, apart: true, crashers: "AB",
			budget: model.Budget{Crash: 2}, sees: []string{"Accepted", "Adopted", "SecondAttempt", "AdoptedElsewhere"},
		},
	}
}
