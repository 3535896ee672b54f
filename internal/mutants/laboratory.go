package mutants

// decisions are mistakes in policies and in their measurement.
var decisions = []Tested{
	{
		Name: "fcfs-ideal-ignores-capability", File: "scheduler/central/fit.go",
		Old: "closed = min(closed, nodes)", New: "closed = 1",
		Why:  "a job waits for an older one although that can never run in the cluster",
		Test: "TestQueuesByHand",
	}, {
		Name: "easy-shadow-from-actual", File: "scheduler/central/easy.go",
		Old: "free, shadow = free+r.nodes, r.end", New: "free, shadow = free+r.nodes, q.records[r.job].EndMicros",
		Why:  "the reservation of the head uses the real ends of jobs instead of the requested times",
		Test: "TestPoliciesAreAsRunSlowly",
	}, {
		Name: "easy-extra-not-consumed", File: "scheduler/central/easy.go",
		Old: "h.extra -= nodes", New: "h.extra -= 0",
		Why:  "two jobs take the same nodes beside the reservation, and together they delay the head",
		Test: "TestEasyTakesWhatTheHeadLeavesOnce",
	}, {
		Name: "easy-backfills-late", File: "scheduler/central/easy.go",
		Old: "short := estimate <= h.shadow-q.now", New: "short := estimate <= h.shadow-q.now+1_000_000",
		Why:  "a job that ends after the reservation has begun is taken for a short one",
		Test: "TestEasyTakesWhatTheHeadLeavesOnce",
	}, {
		Name: "conservative-no-compression", File: "scheduler/central/conservative.go",
		Old: "\t\tq.compress()\n", New: "",
		Why:  "after an early end, reservations stay where they are and nodes are idle",
		Test: "TestConservativeIsAsSearchedByBruteForce",
	}, {
		Name: "least-loaded-ignores-job", File: "scheduler/central/queues.go",
		Old: "uint64(e.demand[c]+int64(nodes))", New: "uint64(e.demand[c])",
		Why:  "the job itself is not part of the demand of the clusters that are compared",
		Test: "TestLeastLoaded",
	}, {
		Name: "bsld-without-bound", File: "scheduler/metric/measure.go",
		Old: "max(j.run(), shortMicros)", New: "max(j.run(), 1)",
		Why:  "jobs of a second dominate all means of slowdowns",
		Test: "TestFiveJobsByHand",
	}, {
		Name: "percentile-rounds-down", File: "scheduler/metric/measure.go",
		Old: "(len(sorted)*percent + 99) / 100", New: "len(sorted) * percent / 100",
		Why:  "the rank of a percentile is one too small",
		Test: "TestPercentileIsNearestRank",
	},
}

// inputs are mistakes in the inputs of policies: jobs and clusters.
var inputs = []Tested{
	{
		Name: "window-off-by-one", File: "scheduler/workload/window.go",
		Old: "range len(s.Jobs) - n + 1", New: "range len(s.Jobs) - n",
		Why:  "the last window of a log is never the densest",
		Test: "TestTheLastWindowIsDensest",
	}, {
		Name: "compress-scales-runs", File: "scheduler/workload/scale.go",
		Old:  "\t\tj.SubmitMicros = first + after\n",
		New:  "\t\tj.SubmitMicros = first + after\n\t\tj.RunMicros, _ = scaled(j.RunMicros, num, den)\n",
		Why:  "run times shrink with the times between submissions, so the load stays the same",
		Test: "TestCompressIsExact",
	}, {
		Name: "load-ignores-size", File: "scheduler/workload/scale.go",
		Old: "nodes.SetInt64(int64(jobs[i].Nodes))", New: "nodes.SetInt64(1)",
		Why:  "parallel jobs count as serial ones, so that a load of 0.8 is far more",
		Test: "TestLoadIsExact",
	}, {
		Name: "overlap-no-wrap", File: "scheduler/platform/clustering.go",
		Old: "twice[i] = first + i%c.Nodes", New: "twice[i] = first + min(i, c.Nodes-1)",
		Why:  "the last nodes of a cluster advertise themselves several times",
		Test: "TestOverlapWraps",
	}, {
		Name: "disjoint-drops-remainder", File: "scheduler/platform/clustering.go",
		Old: "i*n < c.Nodes", New: "(i+1)*n <= c.Nodes",
		Why:  "nodes that fill no group are lost",
		Test: "TestDisjointKeepsTheNodes",
	},
}

// engines are mistakes in the fast engine, which the cores do not make.
var engines = []Tested{
	{
		Name: "over-rounds-down", File: "protocol/reptask/over.go",
		Old: "(product+uint64(OverNone)-1)/uint64(OverNone)", New: "product/uint64(OverNone)",
		Why:  "a job of one node with 1.5-fold over-provisioning has no spare",
		Test: "TestOver",
	}, {
		Name: "dlb-twice", File: "scheduler/parallel/balance.go",
		Old:  "\tb.jobs[job].moves[c.By] = true\n",
		New:  "\tb.jobs[job].moves[c.By] = b.counts.DLBMoves+b.counts.QBMoves > 1\n",
		Why:  "the first job that moves may do so again",
		Test: "TestEnginesAgree", Where: "sim/grid",
	}, {
		Name: "kill-by-arrival", File: "scheduler/parallel/host.go",
		Old: "case h.held == isReady && head < h.holder:", New: "case h.held == isReady && head < 0:",
		Why:  "the task that was ready first keeps its node, and an older one waits",
		Test: "TestEnginesAgree", Where: "sim/grid",
	}, {
		Name: "residue-stale-forever", File: "scheduler/parallel/wake.go",
		Old: "\te.news.number++\n", New: "",
		Why:  "a node's view of a queue is never renewed",
		Test: "TestEnginesAgree", Where: "sim/grid",
	}, {
		Name: "running-task-not-ahead", File: "scheduler/parallel/host.go",
		Old: "case h.held == running || h.held != free", New: "case h.held != running && h.held != free",
		Why:  "the queue position of a task does not count the running task",
		Test: "TestEnginesAgree", Where: "sim/grid",
	}, {
		Name: "bound-of-qb-too-tight", File: "scheduler/parallel/balance.go",
		Old: "uint64(shortest)*uint64(of) < sum", New: "(uint64(shortest)+1)*uint64(of) < sum",
		Why:  "a site in which only the job's own tasks make queues long is not shown to QB",
		Test: "TestEnginesAgree", Where: "sim/grid",
	}, {
		Name: "sleeps-while-its-job-waits-longer", File: "scheduler/parallel/host.go",
		Old: "\t\tif by > 0 {\n", New: "\t\tif by > 1 {\n",
		Why:  "a node is not woken when its job comes to wait longer, and does not move it in time",
		Test: "TestEnginesAgree", Where: "sim/grid",
	}, {
		Name: "sleeps-over-own-tasks", File: "scheduler/parallel/wake.go",
		Old: "free, longest = l.free+l.single, l.longest", New: "free, longest = l.free, l.longest",
		Why:  "a node is not woken for a cluster in which only tasks of its job take the free nodes",
		Test: "TestEnginesAgree", Where: "sim/grid",
	},
}

// predictions are mistakes in the prediction of near nodes.
var predictions = []Tested{
	{
		Name: "dtm-second-join-skipped", File: "protocol/dtm/join.go",
		Old: "case j.joins < simulatedJoins:", New: "case j.joins < simulatedJoins-1:",
		Why:  "a host takes the first place that it finds, and is more often predicted to be far from its own cluster",
		Test: "TestClustersAtSites", Where: "scheduler/latency",
	}, {
		Name: "approximate-below-diameter", File: "protocol/dtm/approximate.go",
		Old: "if far[q] <= diameter {", New: "if far[q] < diameter {",
		Why:  "nodes at the very diameter are not candidates, though a cluster may have them",
		Test: "TestApproximateAgainstAllSets",
	}, {
		Name: "approximate-old-label", File: "protocol/dtm/approximate.go",
		Old: "cmp.Compare(x.far, y.far)", New: "cmp.Compare(y.far, x.far)",
		Why:  "the label of a host that an earlier report named hides the present one",
		Test: "TestApproximateOfOldLabels",
	}, {
		Name: "subset-by-age", File: "protocol/dtm/approximate.go",
		Old: "cmp.Compare(draw(a), draw(b))", New: "cmp.Compare(draw(a)-draw(a), draw(b)-draw(b))",
		Why:  "all heads of a large set solicit the same few nodes",
		Test: "TestSubset",
	}, {
		Name: "near-unpredicted", File: "protocol/peer/predict.go",
		Old: "!slices.Contains(predicted, id) })", New: "!slices.Contains(predicted, id) && len(ids) == 0 })",
		Why:  "nodes become candidates that are not predicted to be near",
		Test: "TestNearNodesArePredicted",
	}, {
		Name: "silent-for-good", File: "protocol/peer/follow.go",
		Old: "if slices.Contains(near, id) {", New: "if len(near) == 0 {",
		Why:  "two nodes that did not hear each other for a lease never run a job together again",
		Test: "TestSilentMembersComeBack",
	}, {
		Name: "regains-the-absent", File: "protocol/peer/follow.go",
		Old: "if slices.Contains(near, id) {", New: "if len(near) > 0 {",
		Why:  "jobs are given to members that sent no sign of life",
		Test: "TestSilentMembersComeBack",
	},
}
