package tested

// records are mistakes in what a daemon keeps of jobs and of their processes.
var records = []Mutant{
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
