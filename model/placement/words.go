package placement

import (
	"slices"

	"github.com/canvass-grid/canvass/traces"
)

// Words explain the terms, commands, timers and events of protocol/placement to readers of a page.
func Words() []traces.Term {
	return slices.Concat(terms(traces.IdeaTerm, ideas), terms(traces.TimerTerm, timers), terms(traces.EventTerm, events),
		terms(traces.StateTerm, states))
}

func terms(kind string, pairs [][2]string) (all []traces.Term) {
	for _, p := range pairs {
		all = append(all, traces.Term{Kind: kind, Word: p[0], Meaning: p[1]})
	}
	return all
}

var ideas = [][2]string{
	{"submission", "a job in the grid, under the ticket of the node that decides about it"},
	{"turn", "the right of a job to wait in the grid; a node has a limited number"},
	{"line", "the jobs that wait for a turn"},
	{"owner", "the node of the grid that has a submission"},
	{"permit", "the consent of the custodians to an attempt"},
}

var timers = [][2]string{
	{"rest", "the pause of a job ends"},
	{"patience", "the grid has named no owner of a submission for a long time"},
	{"ask", "the owner of a submission is asked whether it still has it"},
	{"decide about job", "the node decides about the job from now on, and the job waits for an attempt"},
	{"yield job", "another custodian decides about the job"},
	{"hold job", "the user holds the job"},
	{"release job", "the user releases the job"},
	{"attempt closes of job", "the attempt ends without an outcome, and another try follows"},
	{"outcome of job", "the attempt ends with an outcome, and so does the job"},
	{"owner found for ticket", "the search ends at a node that takes the submission"},
	{"no owner found for ticket", "the search ends, and no node takes the submission"},
	{"owner reports ticket", "the owner of the submission reports itself"},
	{"nothing more of ticket", "the submission comes to nothing, and nobody says so"},
	{"permit refused to ticket", "an attempt of the submission has no permit, and its owner ends it"},
	{"owner cancels ticket", "the owner cancels the submission that was revoked"},
	{"permit granted to ticket", "an attempt of the submission has the permit"},
	{"owner lacks ticket", "the owner answers that it does not have the submission"},
	{"report again of ticket", "a report about the submission arrives a second time"},
	{"owner dies", "the owner of submissions has died, and the node learns of it"},
}

var events = [][2]string{
	{"submit", "the driver submits the job with this ticket"},
	{"revoke", "the driver asks the owner to cancel the submission"},
	{"ask", "the driver asks the owner whether it has the submission"},
	{"wait", "the job waits for its turn"},
	{"rest", "the job pauses, and why"},
	{"ignore", "the input changed nothing, and why"},
}

var states = [][2]string{
	{"turns", "how many jobs may wait in the grid at once"},
	{"ticket", "the latest ticket, or that of a job"},
	{"round", "grows with each job that comes back from a search in vain; earlier rounds go first"},
	{"waiting", "the job waits for its turn"},
	{"placed", "the job has a turn: the grid looks for an owner, or has one"},
	{"resting", "the job pauses"},
	{"running", "an attempt of the job has the permit"},
	{"stopped", "the job wants no attempt"},
	{"searches", "how many searches were in vain"},
	{"led", "the node decides about the job"},
	{"lacks", "the owner is about to answer that it does not have this ticket"},
	{"stale", "the kind and the ticket of a report that may arrive again"},
}
