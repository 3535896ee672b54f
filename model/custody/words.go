package custody

import "github.com/canvass-grid/canvass/traces"

// Words explain the terms, messages, timers and events of protocol/custody to readers of a page.
func Words() []traces.Term {
	var all []traces.Term
	for _, group := range []struct {
		kind  string
		words [][2]string
	}{
		{traces.IdeaTerm, [][2]string{
			{"custodian", "a node that keeps the record of the job on its disk"},
			{"view", "the custodians that keep the record together; its number says which one is its primary"},
			{"primary", "the custodian that decides: its announcements are on the disks of all members of its view"},
			{"leader", "the first custodian of the list that may run; it forms the next view"},
			{"try", "one submission of the job to the grid; one attempt of a try may get the permit"},
			{"permit", "the consent that an attempt may start; it ends when all hosts are closed, or with an outcome"},
			{"certificate", "the proof that an incarnation of a node has ended"},
		}},
		{traces.MessageTerm, [][2]string{
			{"Hello", "the sender is in no view that works, and has promised this view"},
			{"Prepare", "the leader asks for the promise to take part in no older view"},
			{"Promise", "the sender promises that, and this is its newest record with its view and number"},
			{"Copy", "the primary sends the record with its view and number, to be stored"},
			{"Copied", "the sender has stored the record of this view and number"},
		}},
		{traces.CommandTerm, [][2]string{{"accept", "the client hands the job in"}}},
		{traces.TimerTerm, [][2]string{
			{"resend", "unanswered messages are sent again"},
			{"permit", "an attempt asks for the permit"},
			{"closed", "a host says that nothing of an attempt runs there"},
			{"outcome", "an attempt deposits its outcome"},
			{"over", "the task layer has given the try up"},
			{"dead", "a certificate of death arrives"},
			{"end", "the client cancels"},
			{"forget", "the record is no longer wanted"},
			{"forgotten", "another custodian has forgotten the job"},
			{"ends", "nothing of an attempt runs any more at a host"},
		}},
		{traces.EventTerm, [][2]string{
			{"leads", "this custodian is the primary of the view"},
			{"accepted", "all custodians have the job"},
			{"submit", "the job is submitted to the grid, as this try"},
			{"permitted", "the attempt may start"},
			{"refused", "the attempt may not start, or its outcome does not count"},
			{"closed", "the host counts as closed"},
			{"cancel", "the job is to end without another attempt"},
			{"ended", "the job has ended, and how"},
			{"yields", "this custodian is primary no longer"},
			{"elsewhere", "the command is for another custodian"},
			{"later", "the command must be given again"},
			{"forgotten", "the record is forgotten here"},
			{"ends", "nothing of the attempt runs any more at the host"},
			{"ignore", "the input changed nothing, and why"},
		}},
		{traces.StateTerm, [][2]string{
			{"promised", "the number of the view before which the custodian takes part in none"},
			{"yielded", "the custodian has promised a view to another one since it stored its own"},
			{"stored", "which members have stored the latest record"},
			{"announced", "the record as the primary last announced it"},
			{"over", "the job is forgotten here"},
		}},
	} {
		for _, w := range group.words {
			all = append(all, traces.Term{Kind: group.kind, Word: w[0], Meaning: w[1]})
		}
	}
	return all
}
