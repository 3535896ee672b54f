package tested

// copies are mistakes in what the custodians of a job keep: its record, its inputs, its outputs.
var copies = []Mutant{
	{
		Name: "promised-without-inputs", File: "daemon/node/custody.go",
		Old:  "r != nil && !rs.lacksInputs(rs.keepingOf(r))",
		New:  "r != nil && rs.keepingOf(r) != nil",
		Why:  "a job is accepted whose inputs are still on their way to a custodian that has restarted",
		Test: "TestACustodianPromisesWhenItHasTheInputs",
	}, {
		Name: "later-answer-of-nobody", File: "daemon/rpc/exchange.go",
		Old:  "\t\tif q.ring != nil {\n",
		New:  "\t\t{\n",
		Why:  "a job is accepted half a second after it was handed in, while its inputs are still on their way",
		Test: "TestAnAnswerThatComesLaterIsWaitedFor",
	}, {
		Name: "hides-nodes-that-run", File: "daemon/node/members.go",
		Old:  " && (!d.Told || m.dead(id))",
		New:  "",
		Why:  "a daemon believes another one that a node has left which runs, and lists it no more",
		Test: "TestANodeThatHasLeft",
	}, {
		Name: "damaged-copy-stays", File: "daemon/blobs/store.go",
		Old:  "got, digest), os.Remove(s.name(digest)))",
		New:  "got, digest))",
		Why:  "a damaged copy of an input fails each attempt at its host, although others have good copies",
		Test: "TestADamagedContentIsRemoved",
	}, {
		Name: "taker-unasked", File: "daemon/node/audit.go",
		Old:  "\ta.askTaker(k)\n",
		New:  "",
		Why:  "a job stays accepted at one custodian whose taker was fenced before it took the job",
		Test: "TestFencedWhileItTakesJobs", Where: "sim/daemon",
	}, {
		Name: "missed-outputs-untold", File: "daemon/node/files.go",
		Old:  "\t\ttold.Miss(m.Path, m.Err.Error())\n",
		New:  "\t\t_ = m\n",
		Why:  "a job has succeeded whose output the daemon could not read",
		Test: "TestSpoiledOutputs", Where: "sim/daemon",
	}, {
		Name: "unkept-outputs-told-as-kept", File: "daemon/node/contents.go",
		Old:  "\t\tif slices.Contains(unkept, i) {\n",
		New:  "\t\tif false {\n",
		Why:  "the record of a job has an output that no custodian could copy, and which all of them look for",
		Test: "TestSpoiledOutputs", Where: "sim/daemon",
	}, {
		Name: "outputs-swept-while-copied", File: "daemon/node/files.go",
		Old:  "\t\t\tall[f.Digest] = true\n",
		New:  "\t\t\t_ = f\n",
		Why:  "the sweep takes outputs away that a record does not name yet, since others are still copied",
		Test: "TestOutputsAreWantedWhileTheyAreCopied",
	},
}
