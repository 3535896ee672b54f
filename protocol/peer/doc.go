// Package peer is one node of the grid whole: a member of the CAN (package can), a head and a
// client of clusters (package refine), and an owner, a representative and a host of tasks (package
// reptask). The three cores run as they are; this one passes inputs to the core that they are for,
// and what the cores want done to the driver.
//
// Sources: Jackson (2015), chapters 4 to 6; Kim, section 2.1 (a job is owned by the node to which
// it is routed).
//
// # What the layers have to do with each other
//
//   - Clusters for tasks (follow.go). The job-ready cluster that the node advertises is the one in
//     which it dispatches dependents; of a node without one it is the node alone. It changes in the
//     very step in which the cluster does.
//   - Routing of jobs (job.go). A job goes from neighbour to neighbour to the node whose zone holds
//     its requirement; that node owns it, and grants it to itself first and then to its neighbours.
//   - Owners that fail (job.go). The representative of an orphan looks for the node whose zone
//     holds the requirement now, by the way that jobs take; that node answers for the job from then
//     on, and there the client finds it. Under Config.Apart owners have neighbours represent their
//     jobs where they can: otherwise both are often one node, and a job is lost with it.
//   - Joining (step.go). A node that joins takes no tasks before it knows its place. The node that
//     admits it may think of it earlier, and asks again. Mutant task-before-place.
//   - Leaving (follow.go). A node leaves its clusters at once, gives back what it has not begun,
//     ends what runs, and is in the CAN until no task, role or open job of it is left: a node that
//     is not in the CAN has no business with tasks. Mutant leave-at-once of package mutants shows
//     what happens otherwise.
//   - One life. All layers have the same identity; they start, crash and come back together.
//
// # Guarantees
//
// Those of its layers, and, checked by package model/peer, which says what each means: MembersOnly,
// NoOverlap, OneTask, ResultsEarned, PassedOn, OneLife, ClusterFollows in every state; MapWhole,
// ClustersAlive, ClustersAgree, JobsEnd, NobodyReserved, LeftClean at rest; JobsSettle where it is
// checked.
//
// # Assumptions, and what is not modelled
//
// Those of the layers; failure detection is accurate for all of them. A job on its way to its owner
// is in one message, which is not repeated: its client, who was not told that it is owned, submits
// it anew if it wants to, and then it may run twice. From then on the layer of tasks answers for
// it. An orphan's way is tried again until there is an owner. What is near is predicted elsewhere
// and comes in with CommandNear.
//
// # What a caller does
//
// Make a state with [New], step it with Start and persist what that asks for, give CommandCreate to
// the first node and CommandJoin to the others, CommandNear to those that may run parallel jobs,
// CommandMeasure where latencies may have changed, from time to time as CommandMove what
// reptask.Balance proposes to its tasks, and obey each Output as package protocol says. The process
// of a task is a timer: see package reptask.
package peer
