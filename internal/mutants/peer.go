package mutants

// peers are mutants of the node that puts the layers together, and of what a layer does for the
// others.
var peers = []Mutant{
	{
		Name: "task-before-place", File: "peer/step.go",
		Old:   "if !n.placed() {",
		New:   "if false {",
		Why:   "a node that joins takes a task before it knows its place, and may never have one",
		Model: "peer/job-join", Property: "MembersOnly",
	},
	{
		Name: "leave-at-once", File: "peer/follow.go",
		Old: "n.Can.Phase == can.Member && n.Tasks.Drained()", New: "n.Can.Phase == can.Member",
		Why:   "a node leaves the CAN while its tasks are ready or running",
		Model: "peer/job-leave", Property: "MembersOnly",
	},
	{
		Name: "tasks-not-told-of-leave", File: "peer/follow.go",
		Old: "	n.tasks(reptask.Input{Kind: protocol.Command, Command: reptask.Command{Kind: " +
			"reptask.CommandLeave}})\n", New: "",
		Why:   "a node that leaves its clusters still accepts tasks, and never leaves the CAN",
		Model: "peer/job-leave", Property: "LeaveWhole",
	},
	{
		Name: "cluster-not-followed", File: "peer/follow.go",
		Old:   "if slices.Equal(cluster, membersOf(&before.Refine)) {",
		New:   "if slices.Equal(cluster, cluster) {",
		Why:   "the task layer never learns the cluster that was found",
		Model: "peer/job", Property: "ClustersAgree",
	},
	{
		Name: "owner-while-leaving", File: "peer/job.go",
		Old: "case here && !n.Leaving:", New: "case here:",
		Why:   "a node that wants to leave keeps a job that it cannot take",
		Model: "peer/job-owner-leave", Property: "PassedOn",
	},
	{
		Name: "owner-alone", File: "peer/search.go",
		Old: "others = others[:min(len(others), maxCandidates-1)]", New: "others = others[:0]",
		Why:   "a job whose owner is in no cluster is granted to no other node",
		Model: "peer/job-abroad", Property: "JobsEnd",
	},
	{
		Name: "timers-of-one-name", File: "peer/layer.go",
		Old: "return protocol.TimerKind(of)<<layerBits | k", New: "return k",
		Why:   "two layers use the same timer",
		Model: "peer/job", Property: "TimersKept",
	},
	{
		Name: "leaver-keeps-vote", File: "reptask/leave.go",
		Old: "	n.handBack()\n	n.recall()\n", New: "	n.handBack()\n",
		Why:   "a leaving node cannot withdraw its vote",
		Model: "peer/job-leave", Property: "Recalled",
	},
	{
		Name: "leaver-keeps-task", File: "reptask/host.go",
		Old: "	n.note(EventRequeue, m.Attempt)\n	n.handBack()\n", New: "	n.note(EventRequeue, m.Attempt)\n",
		Why:    "a leaving node gets its vote back, keeps the task, and votes for it again",
		Script: "leave_with_vote",
	},
	{
		Name: "leaver-takes-tasks", File: "reptask/host.go",
		Old: " && !n.Leaving\n	if !possible", New: "\n	if !possible",
		Why:   "a leaving node accepts delayed tasks, even after it has left",
		Model: "peer/job-leave", Property: "MembersOnly",
	},
	{
		Name: "owner-taken-for-capable", File: "peer/search.go",
		Old: "case !goal.Satisfied(&n.Can.Self.Coord):", New: "case false:",
		Why:   "the owner of a requirement represents the job although its own resources are too small",
		Model: "peer/search", Property: "CapableOnly",
	},
	{
		Name: "seek-stops-at-owner", File: "peer/job.go",
		Old: "		n.search(j)\n", New: "		n.tell(j, Nobody)\n",
		Why:   "the owner reports that nobody can run a job that it cannot run itself",
		Model: "peer/search", Property: "HonestRefusal",
	},
	{
		Name: "seek-forgets-visited", File: "match/search.go",
		Old: " && !s.visited(p.ID) {", New: " {",
		Why:   "a search visits nodes again and again",
		Model: "peer/search", Property: Panic, // no decoder accepts such a search
	},
	{
		Name: "seek-tells-too-early", File: "match/search.go",
		Old: "	case next.last() >= 0:\n", New: "	case false:\n",
		Why:   "a search ends in the first dead end",
		Model: "peer/search-back", Property: "HonestRefusal",
	},
	{
		Name: "seek-past-hole", File: "peer/search.go",
		Old: "if n.Can.IsDead(r.ID) && r.Zone.Overlaps(goal.Region) {", New: "if r.ID.IsNobody() {",
		Why:   "a search reports that nobody can run a job, but did not ask the nodes behind a hole",
		Model: "peer/search-crash", Property: "HonestRefusal",
	},
	{
		Name: "refused-not-sought", File: "peer/step.go",
		Old: "	n.searchOn()\n", New: "",
		Why:   "a job that owner and neighbours refuse is not searched for",
		Model: "peer/search-refused", Property: "Matched",
	},
	{
		Name: "predicted-forever", File: "peer/predict.go",
		Old:   "if len(drop) > 0 {",
		New:   "if false {",
		Why:   "nodes stay candidates that are no longer predicted to be near",
		Model: "peer/predict-leave", Property: "PredictedOnly",
	},
	{
		Name: "predicted-once", File: "peer/predict.go",
		Old:   "n.Tree.Phase != dtm.Member || sameView(before, n.Tree)",
		New:   "n.Tree.Phase != dtm.Member || len(before.Links) > 0",
		Why:   "only the first view of the tree counts, and what neighbours report later does not",
		Model: "peer/predict", Property: "PredictedAll",
	},
	{
		Name: "predicted-in-halves", File: "peer/predict.go",
		Old:   "2*int64(cfg.Refine.DiameterMicros)",
		New:   "int64(cfg.Refine.DiameterMicros/16)",
		Why:   "the diameter is compared in another unit than lengths",
		Model: "peer/predict", Property: "PredictedAll",
	},
	{
		Name: "gone-before-the-tree", File: "peer/follow.go",
		Old:   "if n.Tree != nil && n.Tree.Phase != dtm.Departed {",
		New:   "if false {",
		Why:   "a node is gone before its children in the tree have their new places: they must take it for failed",
		Model: "peer/predict-leave", Property: "LeaveWhole",
	},
	{
		Name: "tree-not-left", File: "peer/follow.go",
		Old:   "if n.Tree != nil {",
		New:   "if false {",
		Why:   "a node that leaves is still predicted to be near, and never leaves the CAN",
		Model: "peer/predict-leave", Property: "LeaveWhole",
	},
	{
		Name: "tree-unmeasured", File: "peer/step.go",
		Old:   "if n.Tree != nil && n.Tree.Measures(in.From) {",
		New:   "if false {",
		Why:   "no measurement reaches the tree, and no node finds its place",
		Model: "peer/predict", Property: "Clustered",
	},
	{
		Name: "peer-search-ends-at-a-full-owner", File: "peer/search.go",
		Old:   "\t\treturn\n\t}\n\tj.Search.Unsure = j.Search.Unsure || able\n\tn.onward(j)",
		New:   "\t\treturn\n\t}\n\tj.Search.Unsure = j.Search.Unsure || able && !room\n\tn.onward(j)",
		Why:   "a client is notified that nobody can run its job, since the node that can owns as many jobs as it may",
		Model: "peer/search-room", Property: "HonestRefusal",
	},
	{
		Name: "peer-search-goes-back-to-the-dead", File: "peer/search.go",
		Old:   "case outcome == match.Onward && !n.Can.IsDead(to):",
		New:   "case outcome == match.Onward:",
		Why:   "a search is lost on its way back, and its client waits for good",
		Model: "peer/search-crash-back", Property: "SentToTheLiving",
	},
}
