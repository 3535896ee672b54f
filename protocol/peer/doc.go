// Package peer implements a whole node of the grid: Jackson (2015), chapters 4 to 6, on the overlay
// and the owners of Kim, section 2.1.
//
// A node has three layers, and each is a core: a member of the CAN (package can), a head and client
// of clusters (package refine), and an owner, representative and host of tasks (package reptask).
// With Config.Predicts it is also a host of a tree that predicts latencies (package dtm). This core
// passes each input to the layer that it belongs to, and merges the outputs. It adds the rules that
// connect the layers:
//
//	step.go    tasks wait until the node has a zone
//	predict.go the nodes that the tree predicts to be near are the candidates for the node's cluster
//	follow.go  dependent tasks go to the cluster that the node advertises; leaving, layer by layer
//	job.go     a job travels through the CAN to its owner; so does an orphan, whose owner has failed
//	search.go  which nodes may represent a job; the complete search if no node near can
//	layer.go   timers, messages and events carry the name of their layer
//
// A job is owned by the node whose zone contains the job's requirement. That node grants it to
// those whose resources satisfy the job: itself first, then its direct and then its indirect
// neighbours; with Config.Apart, to the neighbours first, so that owner and representative are two
// nodes and one survives a crash of the other. If the owner fails, the representative sends the job
// through the CAN to the node that has that zone now.
//
// If no such node is near, or all refuse, the job goes on as the token of a complete search
// (package match). Each node that it visits takes the job if it can represent it now. Otherwise the
// entry is notified how the search has ended: no node can, not found within Config.SeekLimit, or
// undecided.
//
// A node that leaves first leaves its clusters and the tree. It returns tasks that have not begun,
// finishes the running one, and leaves the CAN when no task, role or open job of it is left.
//
// docs/protocols/peer.md explains these rules with a diagram and examples.
//
// # Usage
//
// A driver has these duties, in this order. The example of this package runs a grid of one node.
//
//  1. Make one [Config] for all nodes ([DefaultConfig]) and check it with [Config.Validate].
//  2. Make a state with [New] and step it with Start. After a crash, step a new state with Restart
//     instead: all layers get the same new identity.
//  3. Obey each Output in the order that package protocol prescribes. [RunTimer] is the process of
//     the task that runs: see package reptask.
//  4. Give CommandCreate to the first node and CommandJoin to the others.
//  5. Give CommandNear to nodes that may run parallel jobs, and CommandMeasure when latencies may
//     have changed. With Config.Predicts give CommandTree instead, as package dtm says of its
//     CommandJoin; CommandNear then only names nodes that may have free places again. If the
//     task layer has dropped members that run from the cluster (State.Tasks), name them again: two
//     nodes may have been cut off from each other for a time.
//  6. Submit jobs with CommandSubmit, and again if EventLost says that a job found no owner, or
//     EventUnmatched that a search ended undecided. From time to time give as CommandMove what
//     reptask.Balance proposes for State.Tasks, and as CommandQueues what the members of the
//     node's cluster report of their queues. Matchmaking of your own may bring a job to its owner:
//     give it there as CommandOwn.
//  7. Give CommandCordon when the machine cannot run tasks, and CommandUncordon when it can again.
//  8. Give CommandLeave and run the node until [State.Gone].
//
// # Guarantees
//
// Each layer guarantees what its own package says. The models of package model/peer check these
// properties within the bounds and fault budgets that each verdict states. In every state:
//
//   - MembersOnly: a node that owns, represents or hosts anything has a place in the CAN.
//   - NoOverlap: zones of live nodes never overlap.
//   - OneTask: no node runs two tasks, and no job runs in two attempts.
//   - ResultsEarned: an accepted result is that of an attempt in which exactly k nodes ran to the
//     end.
//   - PassedOn: a member that cannot own a job passes it on.
//   - OneLife: all layers of a node have the same identity.
//   - ClusterFollows: a node dispatches only within the cluster that it advertises.
//   - CapableOnly: a node represents only jobs that its coordinate satisfies.
//   - PredictedOnly: with Config.Predicts, candidates for a cluster are nodes that the tree
//     predicts to be within the diameter.
//   - SeekEnds: a search visits each node at most once, and at most Config.SeekLimit nodes.
//   - HonestRefusal: a client is notified that no node can run its job only if no node that stays
//     and was on the map at the beginning of the search can.
//
// When the system is quiescent (nothing in flight, and no timer would change anything):
//
//   - MapWhole: the zones of the live nodes cover the space.
//   - ClustersAlive: all members of every cluster run, and none of them is leaving.
//   - ClustersAgree: the task layer of a node has the cluster that the node advertises.
//   - JobsEnd: no job is open.
//   - NobodyReserved: no node hosts or represents a task.
//   - LeftClean: a node that was to leave has left.
//   - PredictedAll: with Config.Predicts, latencies of a tree and clusters that are large enough,
//     all nodes of the tree that are within the diameter of a node are its candidates.
//   - Matched: a job that such a node can run was represented, unless a message of it was lost or
//     its client was notified that the search ended undecided.
//
// JobsSettle: once faults end, every job that has an owner ends.
//
// # Assumptions
//
//   - The assumptions of the layers hold, and failure detection is accurate for all of them. The
//     limit models of the layers show the failures otherwise: model/can, refine/limit-suspicion,
//     reptask/limit-false-suspicion and its kin.
//   - A job on its way to its owner is one message, which is not resent. If it is dropped, the
//     client receives no Owned and submits the job again. If it was only delayed, the job may then
//     run twice. A search is such a message, too: it is lost with a node that leaves or fails while
//     it is on its way there. A job on its way cannot be cancelled.
//   - The coordinate of a node is its resource. Where it is not, as with the size of its cluster,
//     the node decides when it is asked. A node that joins during a search may be missed.
//   - The client of a job is known to the owner that it was submitted to. If all refuse a job that
//     another node has adopted, it fails without a search.
//   - The application predicts which nodes are near (CommandNear), or brings nodes into the tree
//     (CommandTree). Otherwise a node may have no cluster but itself, and a representative there
//     refuses parallel jobs.
//   - A node that has lost its place in the tree ("tree:orphan") keeps its clusters, but gets no
//     new nodes until it restarts. The tree does not notice latencies that drift: see package dtm.
//
// # Differences from the paper
//
// The paper describes the layers one by one and leaves open how they work together. The evidence
// are mutants that the checks catch (package internal/mutants).
//
//	rule                                          | what breaks without it
//	  evidence
//	----------------------------------------------+--------------------------------------------------
//	messages of tasks are ignored until the node  | a joiner accepts a task that overtakes its
//	has a zone                                    | Commit, and may never get a zone
//	  task-before-place
//	a node leaves the CAN only when no task, role | others cannot reach the tasks that it still runs
//	or open job of it is left                     | or answers for
//	  leave-at-once
//	leaving reaches the task layer in the same    | the node keeps accepting tasks and never leaves
//	step                                          | the CAN
//	  tasks-not-told-of-leave, leaver-takes-tasks
//	a node that leaves asks for its vote back and | it stays until the representative decides
//	returns its queued tasks                      |
//	  leaver-keeps-vote, leaver-keeps-task
//	a new cluster reaches the task layer in the   | dependent tasks go to a former cluster, or none
//	same step                                     |
//	  cluster-not-followed
//	the owner grants a job to itself or to a      | an owner without a cluster cannot have its job
//	neighbour                                     | run
//	  owner-alone
//	only nodes that satisfy a job are candidates; | the owner of a requirement may lie below it, and
//	the paper takes the owner for capable         | runs what it cannot run
//	  owner-taken-for-capable
//	if there is no candidate, or all refuse, a    | a job fails although a node can run it
//	search goes through all zones that may have   |
//	one, and back from dead ends                  |
//	  seek-stops-at-owner, seek-tells-too-early, refused-not-sought, seek-forgets-visited,
//	  peer-limit-no-search.Matched
//	a search that meets a hole, or whose way back | a client is notified that nobody can, but the
//	is cut, or a full node, ends undecided        | nodes behind the hole were not asked
//	  seek-past-hole
//	a node that is leaving hands a job to a       | it keeps a job that it cannot own; with fixed
//	neighbour, drawn by a hash at each hop        | choices three nodes could pass it round without
//	                                              | end
//	  owner-while-leaving
//	an orphan is routed to the node that has the  | a job is never owned again, and its nodes stay
//	zone of its requirement now                   | reserved
//	  orphan-unsought
//	a node is out of the tree before it leaves    | its children in the tree must take it for failed,
//	the CAN                                       | which two neighbours must not be at once
//	  gone-before-the-tree
//	nodes that are no longer predicted to be near | heads solicit nodes that have left the tree, or
//	are struck off                                | were near once
//	  predicted-forever
//	a timer carries its layer's name              | a layer cancels the timer of another
//	  timers-of-one-name
package peer
