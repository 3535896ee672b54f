package mutants

// orphans are mutants of what representatives, and the CAN, do when an owner fails.
var orphans = []Mutant{
	{
		Name: "lost-with-its-owner", File: "reptask/adopt.go",
		Old:   "\t\tr.Bond = Seeking\n\t\tn.note(EventOrphan, r.Attempt())",
		New:   "\t\tn.forget(r.Attempt())",
		Why:   "a representative forgets the job of an owner that failed",
		Model: "reptask/owner-crash", Property: "AllDone",
	},
	{
		Name: "adopt-unrepeated", File: "reptask/timer.go",
		Old:   "if m, open := r.reportMessage(); open && !more(r.Owner, m) {",
		New:   "if m, open := r.reportMessage(); open && r.Bond == Bound && !more(r.Owner, m) {",
		Why:   "a dropped Adopt is never resent: the job finds no owner",
		Model: "reptask/owner-crash-drop", Property: "Survives",
	},
	{
		Name: "next-before-forgotten", File: "reptask/owner.go",
		Old: "\t\t\to.Next, o.NextBy = m.Target, m.By\n\t\t}\n\t\tn.part(o)",
		New: "\t\t\to.Next, o.NextBy = m.Target, m.By\n\t\t}\n\t\tn.send(from, Message{Kind: Settled, Attempt: " +
			"m.Attempt})\n\t\tn.goOn(o)",
		Why:   "the next attempt begins while the representative of the last may bring that to another owner",
		Model: "reptask/owner-crash-move", Property: "CancelledStays",
	},
	{
		Name: "cancelled-before-forgotten", File: "reptask/owner.go",
		Old: "if mine && o.State == JobRevoking {\n\t\tn.part(o)\n",
		New: "if mine && o.State == JobRevoking {\n\t\tn.send(from, Message{Kind: Settled, Attempt: " +
			"m.Attempt})\n\t\tn.close(o, JobCancelled)\n",
		Why:   "a client is notified that its job is cancelled, and another owner takes the result",
		Model: "reptask/owner-crash-cancel", Property: "OneResult",
	},
	{
		Name: "result-not-brought", File: "reptask/adopt.go",
		Old:   "case m.Done:\n\t\tn.onResult(from, m)",
		New:   "case false:\n\t\tn.onResult(from, m)",
		Why:   "a job runs again although the client may already have its result, if its representative fails too",
		Model: "reptask/owner-crash-two", Property: "OneResult",
	},
	{
		Name: "epoch-not-carried-on", File: "reptask/owner.go",
		Old:   "n.Epoch = max(n.Epoch, o.Epoch) + 1",
		New:   "n.Epoch++",
		Why:   "the next owner grants an attempt under a finished attempt's number",
		Model: "reptask/move-crash", Property: "AllDone",
	},
	{
		Name: "no-last-call", File: "reptask/adopt.go",
		Old:   "\t\tr.Bond = Asking\n\t\tn.send(r.Owner, r.adoptMessage())",
		New:   "\t\tr.Bond = Seeking",
		Why:   "an owner that was silent for a lease, and lives, is replaced",
		Model: "reptask/limit-false-suspicion", Property: "OneResult",
	},
	{
		Name: "settled-by-the-former", File: "reptask/representative.go",
		Old: "\tcase r.Owner != from:\n\t\tn.Ignore(from, \"another node owns it\")\n",
		New: "",
		Why: "a failed owner's message makes an attempt forgotten, and the job is lost with it if the next owner " +
			"fails too",
		Script: "settled_late",
	},
	{
		Name: "orphan-unsought", File: "peer/job.go",
		Old:   "if e.Name != TaskLayer.String()+\":\"+reptask.EventOrphan {",
		New:   "if e.Name == TaskLayer.String()+\":\"+reptask.EventOrphan {",
		Why:   "no node looks for the new owner of a failed owner's zone",
		Model: "peer/job-abroad-crash", Property: "NobodyReserved",
	},
}
