package peer

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Models returns the closed systems, each of them fresh.
func Models() []model.Checkable {
	var all []model.Checkable
	timely := slices.Concat(scenarios(), orphaned(), returning(), asking(), searching(), predicting())
	for _, s := range slices.Concat(timely, early(timely)) {
		m, err := s.system().Compile()
		if err != nil {
			panic(err)
		}
		all = append(all, m)
	}
	return all
}

// witness is a property of the table of witnesses.
func witness(name string) model.Property[peer.State, peer.Message] {
	for _, w := range witnesses {
		if w.name == name {
			return property(
				checker.Sometimes,
				w.name,
				w.doc,
				func(g *globalState) bool { return past(g).seen&w.bit != 0 },
			)
		}
	}
	panic("no witness " + name)
}

func scenarios() []scenario {
	pair := []job{{entry: "A", size: 2, at: 6}}
	spare := []job{{entry: "A", size: 2, spare: true, at: 6}}
	return []scenario{
		{
			name: "job", doc: "a job for two is routed to its owner and runs in a cluster of three",
			nodes: 3, jobs: pair, sees: []string{"Accepted"}, live: true,
		},
		{
			name: "job-leave", doc: "a job for two; C, a member of the cluster, leaves",
			nodes: 3, jobs: pair, leavers: "C", sees: []string{"Accepted", "Left", "RanOut", "Recalled"}, live: true,
		},
		{
			name: "spare-leave", doc: "a job for two with a spare dependent; C leaves",
			nodes: 3, jobs: spare, leavers: "C", sees: []string{"Accepted", "Left", "Recalled", "RanOut"}, deep: true,
			live: true,
		},
		{
			name: "job-join", doc: "B joins where a job is submitted, and is to represent it",
			nodes: 2, joiners: "B", jobs: []job{{entry: "A", size: 1, at: 2}}, apart: true, sees: []string{"Accepted"},
			live: true,
		},
		{
			name: "job-owner-leave", doc: "a job for two; B, its owner and representative, leaves",
			nodes: 3, jobs: pair, leavers: "B", sees: []string{"Accepted", "Left", "SecondAttempt"}, quiet: true,
		},
		{
			name: "job-abroad", doc: "a job whose owner is in no cluster; a neighbour represents it",
			nodes: 3, singles: "B", jobs: pair, sees: []string{"Accepted", "SecondAttempt"}, live: true,
		},
		{
			name: "job-nobody", doc: "a job for more nodes than any cluster has; C leaves",
			nodes: 3, jobs: []job{{entry: "A", size: 4, at: 6}}, leavers: "C", sees: []string{"NobodyCould", "Left"},
			tight: true, live: true,
		},
		{
			name: "job-crash", doc: "a job for two; A or C, neither owner nor representative, may crash",
			nodes: 3, jobs: pair, crashers: "AC", budget: model.Budget{Crash: 1},
			sees: []string{"Accepted", "SecondAttempt", "Shrunk"}, tight: true,
		},
		{
			name: "job-owner-crash", doc: "a job for two; B, its owner and representative, may crash",
			nodes: 3, jobs: pair, crashers: "B", budget: model.Budget{Crash: 1}, sees: []string{"Accepted", "Shrunk"},
			tight: true,
		},
		{
			name: "jobs-leave", doc: "two jobs for the same two nodes; C leaves",
			nodes: 3, jobs: []job{{entry: "A", size: 2, at: 6}, {entry: "C", size: 2, at: 2}}, leavers: "C",
			sees: []string{"BothAccepted", "Left"}, tight: true, deep: true,
		},
		{
			name: "job-drop", doc: "a job for two; one message dropped, perhaps the job itself",
			nodes: 3, jobs: pair, budget: model.Budget{Drop: 1}, sees: []string{"Accepted"}, tight: true,
		},
		{
			name: "job-dup", doc: "a job for two; one message duplicated, perhaps the job itself",
			nodes: 3, jobs: pair, budget: model.Budget{Duplicate: 1}, sees: []string{"Accepted", "BothAccepted"},
		},
		{
			name: "job-leave-drop", doc: "a job for two; C leaves; one message dropped",
			nodes: 3, jobs: pair, leavers: "C", budget: model.Budget{Drop: 1}, sees: []string{"Accepted", "Left"},
			tight: true, deep: true,
		},
		{
			name: "job-leave-dup", doc: "a job for two; C leaves; one message duplicated",
			nodes: 3, jobs: pair, leavers: "C", budget: model.Budget{Duplicate: 1}, sees: []string{"Accepted", "Left"},
			deep: true,
		},
		{
			name: "job-leave-crash", doc: "a job for two; C leaves and may crash on the way",
			nodes: 3, jobs: pair, leavers: "C", crashers: "C", budget: model.Budget{Crash: 1},
			sees: []string{"Accepted", "Left", "SecondAttempt"}, tight: true, deep: true,
		},
	}
}

// orphaned are runs in which a job finds another owner.
func orphaned() []scenario {
	pair := []job{{entry: "A", size: 2, at: 6}}
	return []scenario{
		{
			name: "job-abroad-crash", doc: "a neighbour represents the job; its owner B may crash",
			nodes: 3, singles: "B", jobs: pair, crashers: "B", budget: model.Budget{Crash: 1},
			sees: []string{"Accepted", "Adopted"}, live: true,
		},
		{
			name: "job-apart-crash", doc: "another node represents the job; its owner B, a member, may crash",
			nodes: 3, jobs: pair, apart: true, crashers: "B", budget: model.Budget{Crash: 1},
			sees: []string{"Accepted", "Adopted", "Shrunk"}, live: true,
		},
	}
}
