package tested

// driver are mistakes in the duties of a driver, and in what a daemon keeps of a job.
var driver = []Mutant{
	{
		Name: "decides-without-a-lease", File: "daemon/node/custody.go",
		Old:  "\tif !n.restored {\n\t\treturn nil, errLater\n\t}\n\tr := n.table.Named(name)\n",
		New:  "\tr := n.table.Named(name)\n",
		Why:  "a life that may count as dead decides about jobs, beside the one that is the primary by then",
		Test: "TestNothingIsDecidedWithoutALease",
	}, {
		Name: "late-name-replaces", File: "daemon/node/custody.go",
		Old:  "\t\tif !fresh.Custody.Replaces(old.Custody) {",
		New:  "\t\tif false {",
		Why:  "a job that got other custodians is dropped when an old one speaks of its former name, and its user waits",
		Test: "TestALateNameReplacesNone",
	}, {
		Name: "stopped-tasks-fail", File: "daemon/node/lease.go",
		Old:  "n.extended > 0 && n.clock() >= n.extended",
		New:  "false",
		Why:  "a daemon that was stopped goes on when its tasks were ended for that, and takes them for failed",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "deadline-comes-late", File: "daemon/node/lease.go",
		Old:  "\t\tn.host.Extend(at)\n",
		New:  "\t\tn.host.Extend(at + time.Minute)\n",
		Why:  "tasks go on when others may count their daemon as dead, which is stopped or hangs",
		Test: "TestStopped", Where: "sim/daemon",
	}, {
		Name: "exit-code-lost", File: "daemon/node/process.go",
		Old:  "Code: uint32(code), Signal",
		New:  "Code: uint32(code &^ 3), Signal",
		Why:  "a job succeeds whose tasks have failed",
		Test: "TestOutcomes", Where: "sim/daemon",
	}, {
		Name: "permits-anything", File: "daemon/node/decide.go",
		Old:  "\tcase k.refused[p.name()]:\n\t\tn.lapse(k, p.jobAttempt)\n\t\treturn false, nil\n",
		New:  "\tcase true:\n\t\treturn true, nil\n",
		Why:  "an attempt runs that the custodians do not know of",
		Test: "TestOutcomes", Where: "sim/daemon",
	}, {
		Name: "leaving-unplaces", File: "daemon/node/submit.go",
		Old:  "n.again(k, \"no node of the grid takes jobs now\") // nodes that leave come back",
		New:  "n.end(k, \"unplaced\", \"no node of the grid is large enough\")",
		Why:  "jobs that wait end when all nodes leave",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "strayed-host-fails", File: "daemon/node/decide.go",
		Old:  "\t\t\treturn true\n\t\t}\n\t}\n\treturn false\n",
		New:  "\t\t\treturn false\n\t\t}\n\t}\n\treturn false\n",
		Why:  "a job fails since it was submitted anew while a host asked which job it was to start",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "torn-map-stays", File: "daemon/node/views.go",
		Old:  "r.Gone = append(r.Gone, neighbour.ID)",
		New:  "_ = neighbour",
		Why:  "a map stays in two parts that do not know each other, and nobody can join",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "forgets-open-clients", File: "daemon/node/submit.go",
		Old:  " && !isOpen(open, number)",
		New:  "",
		Why:  "an owner that has taken many jobs forgets whose an old one is that still waits, and that one waits forever",
		Test: "TestClientsOfOpenJobsAreKept",
	}, {
		Name: "sends-before-persist", File: "daemon/driver/loop.go",
		Old: "\tif len(l.writes) > 0 {",
		New: "\tif err := l.carryOut(); err != nil {\n\t\treturn 0, false, err\n\t}\n" +
			"\tif len(l.writes) > 0 {",
		Why:  "a message leaves before the bytes that it rests on are durable",
		Test: "TestNothingLeavesBeforeTheBatchIsDurable",
	}, {
		Name: "cancel-forgotten", File: "protocol/drive/obey.go",
		Old:  "\t\tn.pending = slices.Delete(n.pending, i, i+1)\n",
		New:  "",
		Why:  "a timer fires that the core has cancelled",
		Test: "TestCancelComesBeforeSet",
	}, {
		Name: "set-before-cancel", File: "protocol/drive/obey.go",
		Old: "\teach(&n.running, out.Cancel, n.cancel)     // 3, first these,\n" +
			"\teach(&n.running, out.Set, n.set)           // 3, then these\n",
		New:  "\teach(&n.running, out.Set, n.set)\n\teach(&n.running, out.Cancel, n.cancel)\n",
		Why:  "a timer that a step sets anew is cancelled by the same step",
		Test: "TestCancelComesBeforeSet",
	}, {
		Name: "stale-timer-fires", File: "daemon/driver/timers.go",
		Old:  "return t.pending[a.named].round == a.round",
		New:  "return t.pending[a.named].round != 0",
		Why:  "a timer that was set again fires at its former time",
		Test: "TestATimerThatIsSetAgainOrCancelledDoesNotFire",
	}, {
		Name: "timer-fires-twice", File: "protocol/drive/node.go",
		Old:  "\tn.pending = slices.Delete(n.pending, i, i+1)\n",
		New:  "",
		Why:  "a timer counts as pending after it has fired, and may fire again",
		Test: "TestTimerFiresOnce",
	}, {
		Name: "delivers-to-former-life", File: "daemon/driver/core.go",
		Old:  "protocol.Envelope[M]{From: from, To: to, Message: m}",
		New:  "protocol.Envelope[M]{From: from, To: i.node.ID(), Message: m}",
		Why:  "a message for another life of the node reaches this one",
		Test: "TestMessagesOfOtherLivesAndOtherLanguagesDoNotReachTheCore",
	}, {
		Name: "missed-without-certificate", File: "daemon/driver/loop.go",
		Old:  "if l.Withhold != nil && l.Withhold(in.core, in.timer) {",
		New:  "if l.Withhold == nil {",
		Why:  "a node is suspected although nobody knows that it has failed",
		Test: "TestATimerThatIsWithheldIsSetAgain",
	}, {
		Name: "expiry-waits-its-turn", File: "daemon/driver/loop.go",
		Old:  "\tif core == l.First {",
		New:  "\tif core == l.First && l.Over == nil {",
		Why:  "a daemon that was stopped acts on other timers before it learns that its lease has run out",
		Test: "TestTheFirstCoreComesFirst",
	}, {
		Name: "goes-on-when-over", File: "daemon/driver/loop.go",
		Old:  "\t\tif l.Over != nil && l.Over() {\n\t\t\tbreak\n\t\t}\n",
		New:  "",
		Why:  "a fenced daemon takes further inputs",
		Test: "TestTheFirstCoreComesFirst",
	}, {
		Name: "gone-before-killed", File: "daemon/driver/effect.go",
		Old:  "if e.held && l.ending > 0 {",
		New:  "if e.held && l.ending > 1 {",
		Why:  "a node says that it does not hold a task whose process still runs",
		Test: "TestAnEndIsAFactBeforeItIsSaid",
	}, {
		Name: "end-after-sends", File: "daemon/driver/core.go",
		Old:  "slices.Insert(i.loop.effects, i.loop.group, effect{kind: endEffect, core: i.id, timer: t})",
		New:  "append(i.loop.effects, effect{kind: endEffect, core: i.id, timer: t})",
		Why:  "what a step says of an ended process leaves before the process is ended",
		Test: "TestAnEndIsAFactBeforeItIsSaid",
	}, {
		Name: "batch-reorders", File: "daemon/driver/effect.go",
		Old:  "\tfor i := range effects {\n\t\te := &effects[i]",
		New:  "\tfor i := range effects {\n\t\te := &effects[len(effects)-1-i]",
		Why:  "messages leave in another order than they were sent",
		Test: "TestNothingLeavesBeforeTheBatchIsDurable",
	}, {
		Name: "holds-back-without-end", File: "daemon/driver/loop.go",
		Old:  "\tl.ending--\n",
		New:  "",
		Why:  "messages wait for a process that has ended long ago",
		Test: "TestAnEndIsAFactBeforeItIsSaid",
	}, {
		Name: "acknowledges-at-write", File: "daemon/jobs/table.go",
		Old:  "\tt.changed[r.ID] = r\n",
		New:  "",
		Why:  "a custodian says that it has a record that a crash forgets",
		Test: "TestOneKeyIsOneJobAlsoAfterARestart",
	}, {
		Name: "older-copy-replaces", File: "daemon/jobs/table.go",
		Old:  "if !fresh.Stamp.After(r.Stamp) {",
		New:  "if false {",
		Why:  "a late copy of a record takes back what came to pass since",
		Test: "TestTheNewestCopyStays",
	}, {
		Name: "outcome-of-another-attempt", File: "daemon/jobs/table.go",
		Old:  "if open == nil || open.By != by || open.Epoch != epoch || open.Statuses != nil ||",
		New:  "if open == nil || open.Statuses != nil ||",
		Why:  "what a former attempt came to ends the one that runs",
		Test: "TestTheRecordFollowsItsCustodians",
	}, {
		Name: "closes-the-open-attempt", File: "daemon/jobs/follow.go",
		Old:  "open != nil && open.Attempt() != c.Attempt {",
		New:  "open != nil {",
		Why:  "an attempt that runs counts as lost each time that its custodians say something",
		Test: "TestTheRecordFollowsItsCustodians",
	}, {
		Name: "answers-for-a-former-life", File: "daemon/node/submit.go",
		Old:  "if !known || j.Owner != n.self {",
		New:  "if !known {",
		Why:  "a host runs another job, since an owner that was restarted numbers its jobs from 1 again",
		Test: "TestALaterLifeDoesNotAnswerForJobsOfAFormerOne",
	}, {
		Name: "ticket-of-a-former-life", File: "daemon/node/submit.go",
		Old:  "if k == nil || t.Entry != n.self {",
		New:  "if k == nil {",
		Why:  "a host runs another job, since a daemon that was restarted numbers its submissions from 1 again",
		Test: "TestALaterLifeDoesNotAnswerForJobsOfAFormerOne",
	}, {
		Name: "lives-as-nobody", File: "daemon/node/node.go",
		Old:  "if n.self.Incarnation == 0 || n.self != n.lease.Self() {",
		New:  "if false {",
		Why:  "a daemon runs on whose core has ignored its identity",
		Test: "TestAnIdentityThatCannotBeUsedEndsTheDaemon",
	},
}
