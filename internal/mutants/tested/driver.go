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
		Name: "later-life-unasked", File: "daemon/node/audit.go",
		Old:  "case life.Incarnation == 0, n.dead(life):",
		New:  "case life.Incarnation == 0:",
		Why:  "a job waits for a daemon that has come back and was lost before it spoke of it",
		Test: "TestLostAgain", Where: "sim/daemon",
	}, {
		Name: "end-seen-early", File: "daemon/node/views.go",
		Old:  "return c, c.End == 0 || c.Settled",
		New:  "return c, true",
		Why:  "a user hears of an end that is on one disk only, and the job runs again",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "ended-jobs-ask-on", File: "daemon/node/audit.go",
		Old:  "\t\t\tn.inspectCustodians(k)\n",
		New:  "\t\t\t_ = k\n",
		Why:  "custodians of jobs that have ended ask for one that was lost, three times a second, for good",
		Test: "TestQuiet", Where: "sim/daemon",
	}, {
		Name: "fewer-at-once", File: "daemon/node/entry.go",
		Old:  "waits := fewer && ",
		New:  "waits := false && fewer && ",
		Why:  "a job is kept by two, since the third was silent for some seconds: it needs both of them later",
		Test: "TestNotFewer", Where: "sim/daemon",
	}, {
		Name: "silent-custodian-again", File: "daemon/node/entry.go",
		Old:  "\tnext.silent = silent\n",
		New:  "",
		Why:  "of two nodes that are out of reach one after the other is to keep a job, again and again",
		Test: "TestSilentCustodians", Where: "sim/daemon",
	}, {
		Name: "fewer-custodians", File: "daemon/node/entry.go",
		Old:  "if len(custodians) >= len(k.record.Custodians) {",
		New:  "if len(custodians) > 0 {",
		Why:  "a job is kept by two, since the third was down for a moment: it needs both of them later",
		Test: "TestNotReplaced", Where: "sim/daemon",
	}, {
		Name: "custodians-in-pairs", File: "daemon/node/entry.go",
		Old:  "fmt.Fprintf(h, \"%d/%s\", a, id)",
		New:  "fmt.Fprintf(h, \"%s/%d\", id, a)",
		Why:  "the same few pairs of nodes keep all jobs",
		Test: "TestCustodiansAreSpread", Where: "daemon/node",
	}, {
		Name: "dead-custodian-stays", File: "daemon/node/custody.go",
		Old:  "if s.Over || n.replacesDead(k) {",
		New:  "if s.Over {",
		Why:  "a job is taken whose third custodian is known to be dead: it rests on two, and one more loss is too many",
		Test: "TestReplaced", Where: "sim/daemon",
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
		Old:  "r.Open = !n.cores",
		New:  "_ = n.cores",
		Why:  "a map stays in two parts that do not know each other, and nobody can join",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "removed-comes-back", File: "daemon/node/custody.go",
		Old:  "case r == nil && n.hasForgotten(fresh.Custody):",
		New:  "case false:",
		Why:  "a job that a user has removed is there again, since a custodian was down that asks about it",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "forgotten-cannot-be-removed", File: "daemon/node/do.go",
		Old:  "errors.Is(err, errForgotten)",
		New:  "false",
		Why:  "a job cannot be removed at custodians that did not learn that the first one has removed it",
		Test: "TestRemovedAgain", Where: "sim/daemon",
	}, {
		Name: "never-catches-up", File: "daemon/node/custody.go",
		Old:  "\tn.catchUp(resting)\n",
		New:  "",
		Why:  "a daemon that was down keeps jobs for days that users have removed",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "ended-not-mourned", File: "daemon/node/custody.go",
		Old:  "\tn.mourn(k) // of a job that has ended",
		New:  "\t// of a job that has ended",
		Why:  "a job that has ended cannot be removed once its first custodian has died",
		Test: "TestRemovedWithoutTheFirst", Where: "sim/daemon",
	}, {
		Name: "copies-for-former-lives", File: "daemon/node/environment.go",
		Old:  "\t\tto.Incarnation = 0 ",
		New:  "\t\t",
		Why:  "a custodian sends a record to a former life of another one, three times a second, for good",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "led-again-forgotten", File: "daemon/node/submit.go",
		Old:  "if k.announced > 0 && k.announced",
		New:  "if false && k.announced",
		Why:  "a job waits forever whose pause was over while its daemon did not decide about it for a moment",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "one-custodian-counts-as-all", File: "daemon/node/calls.go",
		Old:  "if !slices.Contains(q.lack, a) {",
		New:  "if true {",
		Why:  "a job counts as unknown when one of its custodians has said so three times, and the others are slow",
		Test: "TestAJobIsUnknownWhenMostCustodiansSaySo",
	}, {
		Name: "given-up-attempt-fails", File: "daemon/node/decide.go",
		Old:  "return slices.ContainsFunc(statuses, ended) &&",
		New:  "return false && slices.ContainsFunc(statuses, ended) &&",
		Why:  "a job fails whose submission was given up at the moment at which its attempt got the permit",
		Test: "TestAnAttemptThatTheGridEndsHasNotFailed",
	}, {
		Name: "awaits-the-unheard", File: "daemon/node/audit.go",
		Old:  "\t\t\tn.inquire(a) //",
		New:  "\t\t\t//",
		Why:  "a job waits forever for a machine that was lost before this custodian heard of it",
		Test: "TestFound", Where: "sim/daemon",
	}, {
		Name: "unlisted-without-its-entry", File: "daemon/node/views.go",
		Old:  "\t\t\treturn a == n.self.Address\n",
		New:  "\t\t\treturn a == n.self.Address && a == r.Custodians[0]\n",
		Why:  "a job that has ended is in no list when the daemon that took it is gone for good",
		Test: "TestAJobIsListedByTheFirstThatIsThere",
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
		Name: "choice-late", File: "protocol/drive/node.go",
		Old: "\t\tin, asked = protocol.Input[M, C]{Kind: protocol.Chosen, Choice: choice}, out.Choose > 0\n\t}\n}\n",
		New: "\t\tanswer := late[n] // to a question of an earlier input\n" +
			"\t\tif delete(late, n); out.Choose > 0 {\n" +
			"\t\t\tlate[n] = protocol.Input[M, C]{Kind: protocol.Chosen, Choice: choice}\n\t\t}\n" +
			"\t\tin, asked = answer.(protocol.Input[M, C])\n\t}\n}\n\nvar late = map[any]any{}\n",
		Why:  "the answer to a question comes after the next input, which finds the core in the middle of something",
		Test: "TestAQuestionIsAnsweredFirst", Where: "daemon/driver",
	}, {
		Name: "to-itself-at-once", File: "daemon/driver/core.go",
		Old:  "\t\ti.loop.post(input{kind: protocol.Deliver, core: i.id, from: e.From, to: e.To, payload: payload})\n",
		New:  "\t\ti.loop.feed(input{kind: protocol.Deliver, core: i.id, from: e.From, to: e.To, payload: payload})\n",
		Why:  "a message of a node to itself is taken in the middle of the step that sends it",
		Test: "TestAMessageToItselfIsALaterInput",
	}, {
		Name: "to-itself-over-the-network", File: "daemon/driver/core.go",
		Old:  "if e.To == e.From {",
		New:  "if false {",
		Why:  "a node never receives what it sends to itself: no connection leads there",
		Test: "TestAMessageToItselfIsALaterInput",
	}, {
		Name: "counts-from-answer", File: "daemon/driver/loop.go",
		Old: "\tl.now = max(now, l.now)\n",
		New: "\tlast := l.urgent.pending[named{}].round // set before the last turn\n" +
			"\tfor n, a := range l.urgent.pending {\n\t\tif a.round > last {\n" +
			"\t\t\tl.urgent.set(n, a.at+max(0, now-l.now))\n\t\t}\n\t}\n" +
			"\tl.urgent.pending[named{}] = alarm{round: l.urgent.last}\n" +
			"\tl.now = max(now, l.now)\n",
		Why:  "a lease counts from the turn that follows its request, which may be that of the answer: others count less",
		Test: "TestALeaseCountsFromItsRequest",
	}, {
		Name: "holds-back-heartbeats", File: "daemon/driver/effect.go",
		Old:  "if e.held && l.ending > 0 {",
		New:  "if l.ending > 0 {",
		Why:  "a node is silent while a process ends, and is falsely suspected",
		Test: "TestHeartbeatsGoOn",
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
		Name: "wide-jobs-keep-turns", File: "daemon/node/submit.go",
		Old:  "\tn.yield(k)\n",
		New:  "",
		Why:  "jobs that no cluster can hold keep all others of their daemon from running",
		Test: "TestTurns", Where: "cmd/canvass/daemon",
	}, {
		Name: "no-turns", File: "daemon/node/turn.go",
		Old:  "len(n.window.taken) < limit",
		New:  "limit > 0",
		Why:  "each job that waits costs messages all the time, however many there are",
		Test: "TestTurns", Where: "cmd/canvass/daemon",
	}, {
		Name: "lives-as-nobody", File: "daemon/node/node.go",
		Old:  "if n.self.Incarnation == 0 || n.self != n.lease.Self() {",
		New:  "if false {",
		Why:  "a daemon runs on whose core has ignored its identity",
		Test: "TestAnIdentityThatCannotBeUsedEndsTheDaemon",
	},
}
