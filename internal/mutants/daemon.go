package mutants

// The rules of a driver and of the code that it drives, as in the table of docs/mutants.md.
const (
	durableFirst  = "The messages of a step leave after its bytes are durable."
	inOrder       = "The effects of steps are carried out in the order of the steps."
	timersAsSet   = "A timer fires once each time that it is set, and not after it was cancelled."
	answeredFirst = "A question of a core is answered before any other input."
	thisLife      = "A message reaches the life that it names, or none."
	laterInput    = "A message of a node to itself is a later input, never a step within a step."
	killedFirst   = "A process has ended before its node says so, and only messages about tasks wait for that."
	ownExit       = "The run timer fires only for the attempt whose task runs."
	safeFirst     = "A task finishes after its outcome is safe."
	overIsOver    = "A fenced incarnation ends, and takes no further input."
	certified     = "A node is suspected only with a certificate of its death."
	leaseTime     = "A lease counts from its request, by a clock that goes on during suspend, and its expiry goes first."
	noDelay       = "Leases do not wait behind other messages."
	noneMissing   = "The messages of one sender arrive without gaps."
	usable        = "A daemon ends if its core does not accept the identity of its last life."
	custodianHas  = "A custodian acknowledges what is on its disk."
)

// records are mistakes in the records of jobs and of their processes.
var records = []Tested{
	{
		Name: "key-forgets-the-other-job", File: "daemon/jobs/index.go",
		Old:  "return o == r })\n\tif len(x.byKey[r.Key]) == 0 {",
		New:  "return true })\n\tif len(x.byKey[r.Key]) == 0 {",
		Why:  "two daemons took a job under one key; when one of them is removed, the next submission is a third job",
		Test: "TestAKeyNamesTheJobThatIsLeft",
	}, {
		Name: "live-jobs-stay-ended", File: "daemon/jobs/table.go",
		Old:  "\tt.drop(r)\n\t*r = *fresh\n\tt.add(r)\n",
		New:  "\t*r = *fresh\n",
		Why:  "a newer copy of a job says that it goes on, and no list of open jobs has it",
		Test: "TestTheIndexesAreThoseOfATableReadAnew",
	}, {
		Name: "empty-sweeps-not-in-a-row", File: "daemon/runner/leftover_linux.go",
		Old:  "\t\t\tempty = 0\n",
		New:  "\t\t\tempty--\n",
		Why:  "a tree that forks between sweeps counts as ended, and a second attempt runs beside it",
		Test: "TestATreeHasEndedWhenLooksInARowAreEmpty", Rule: killedFirst,
	}, {
		Name: "stamp-by-number", File: "daemon/jobs/record.go",
		Old:  "return s.View > t.View || s.View == t.View && s.Number > t.Number",
		New:  "return s.Number > t.Number || s.Number == t.Number && s.View > t.View",
		Why:  "a copy of a former view, with more changes, replaces what the present primary has decided",
		Test: "TestACopyOfALaterViewIsNewer",
	}, {
		Name: "batch-keeps-one-of-a-kind", File: "daemon/driver/core.go",
		Old:  "return w.Core == i.id })",
		New:  "return w.Core.Kind == i.id.Kind })",
		Why:  "of two cores of one kind that persist in a batch one forgets what it has announced, if the node crashes",
		Test: "TestCoresOfAKindKeepApart", Rule: durableFirst,
	}, {
		Name: "removed-with-its-siblings", File: "daemon/driver/timers.go",
		Old:  "n.core == core",
		New:  "n.core.Kind == core.Kind",
		Why:  "a core that ends takes the timers of all others of its kind with it, which then wait for good",
		Test: "TestCoresOfAKindKeepApart", Rule: timersAsSet,
	},
}

// copies are mistakes in the copies that the custodians of a job keep: its record, its inputs, its
// outputs.
var copies = []Tested{
	{
		Name: "promised-without-inputs", File: "daemon/node/custody.go",
		Old:  "r != nil && !rs.lacksInputs(rs.keptJobOf(r))",
		New:  "r != nil && rs.keptJobOf(r) != nil",
		Why:  "a job is accepted whose inputs are still on their way to a custodian that has restarted",
		Test: "TestACustodianPromisesWhenItHasTheInputs",
	}, {
		Name: "later-answer-of-nobody", File: "daemon/rpc/exchange.go",
		Old:  "\t\tif q.ring != nil {\n",
		New:  "\t\t{\n",
		Why:  "a job is accepted half a second after it was submitted, while its inputs are still on their way",
		Test: "TestAnAnswerThatComesLaterIsWaitedFor",
	}, {
		Name: "hides-nodes-that-run", File: "daemon/member/members.go",
		Old:  " && (!d.Told || m.IsDead(id))",
		New:  "",
		Why:  "a daemon trusts a false report that a node has left, and no longer lists the node",
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
		Name: "missed-outputs-untold", File: "daemon/tasks/folders.go",
		Old:  "\t\ttold.Miss(m.Path, m.Err.Error())\n",
		New:  "\t\t_ = m\n",
		Why:  "a job has succeeded whose output the daemon could not read",
		Test: "TestSpoiledOutputs", Where: "sim/daemon",
	}, {
		Name: "unkept-outputs-told-as-kept", File: "daemon/node/gather.go",
		Old:  "\t\tif slices.Contains(unkept, i) {\n",
		New:  "\t\tif false {\n",
		Why:  "the record of a job has an output that no custodian could copy, and which all of them look for",
		Test: "TestSpoiledOutputs", Where: "sim/daemon",
	}, {
		Name: "outputs-swept-while-copied", File: "daemon/node/copies.go",
		Old:  "\t\t\tall[f.Digest] = true\n",
		New:  "\t\t\t_ = f\n",
		Why:  "the sweep removes outputs whose record is still incomplete because other outputs are being copied",
		Test: "TestOutputsAreWantedWhileTheyAreCopied",
	},
}

// custodians are mistakes in the custodians of jobs that no model notices.
var custodians = []Tested{
	{
		Name: "custody-promise-unpersisted", File: "protocol/custody/view.go",
		Old:  "\tn.stored = true\n\tn.Primary.pause()\n",
		New:  "\tn.Primary.pause()\n",
		Why:  "a leader that comes back asks for a view again, and takes an old promise of it: another permit may be out",
		Test: "TestScripts",
	},
}

// lifetimes are mistakes in the leases that no model notices.
var lifetimes = []Tested{
	{
		Name: "lease-own-former-life", File: "protocol/lease/witness.go",
		Old:  "g.Holder.Address != asks.Address",
		New:  "g.Holder != asks",
		Why:  "a node tries to enter the grid through its own former incarnation",
		Test: "TestAFormerLifeIsNoContact",
	}, {
		Name: "lease-refused-newcomer-stays", File: "protocol/lease/holder.go",
		Old:  "\t\tif n.count(final) > 0 {",
		New:  "\t\tif n.count(final) > 1 {",
		Why:  "an incarnation asks witnesses forever that will never grant it a lease",
		Test: "TestARefusedNewcomer",
	}, {
		Name: "lease-refusal-is-final", File: "protocol/lease/holder.go",
		Old:  "a.Kind == Refusal && !a.Reason.isFinal() {",
		New:  "a.Kind == Refusal && !n.isFinal(a.Reason) {",
		Why:  "a holder loses its lease although the witness that it does not ask again would grant it by then",
		Test: "TestARefusalIsNotTheLastWord",
	}, {
		Name: "lease-generation-unpersisted", File: "protocol/lease/witness.go",
		Old:  "\tw.Generation, w.Founder = generation, founder\n\tn.durable = true\n",
		New:  "\tw.Generation, w.Founder = generation, founder\n",
		Why:  "a witness that comes back grants nothing until its grace is over, so that leases run out",
		Test: "TestAWitnessThatComesBack",
	}, {
		Name: "lease-behind-condemns", File: "protocol/lease/witness.go",
		Old:  "\tif !over && !granted && !n.Witness.Grace && !n.Witness.Behind {",
		New:  "\tif !over && !granted && !n.Witness.Grace {",
		Why:  "a witness condemns lives of a generation that it has not entered yet, and they lose it for good",
		Test: "TestAWitnessThatIsBehind",
	},
}
