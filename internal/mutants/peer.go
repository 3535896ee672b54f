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
		Name: "owner-alone", File: "peer/job.go",
		Old: "	for _, r := range n.Can.Direct() {\n		candidates", New: "	for _, r := range n.Can.Direct()[:0] " +
			"{\n		candidates",
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
		Old: "n.Leaving || len(n.Tasks) >= n.cfg.TaskLimit {", New: "len(n.Tasks) >= n.cfg.TaskLimit {",
		Why:   "a leaving node accepts delayed tasks, even after it has left",
		Model: "peer/job-leave", Property: "MembersOnly",
	},
}
