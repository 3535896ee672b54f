// Package parallel is the fast engine of Jackson's decentralised scheduler for parallel jobs
// (Jackson 2015, chapter 4): representative and dependent tasks, dynamic load balancing (DLB,
// Algorithm 1) and queue balancing (QB, Algorithm 2).
//
// The scheduler itself is package protocol/reptask, a core that is checked. This package takes the
// same decisions by the same functions, and keeps only the state behind decisions: queues as lists
// of numbers, one event for the messages that a node sends to a whole cluster. Package sim/grid
// runs the cores on the same input, slowly, and a test there compares every representative, move
// and start.
//
//	grid.go            nodes, the clusters that they advertise, their places on the map
//	place.go           the way of a job to its owner, and who may represent it
//	owner.go           grants, one after the other
//	representative.go  votes, the decision, moves
//	host.go            the queue of a node
//	balance.go         when DLB and QB are asked, and what they are shown
//	news.go            what nodes know of the queues of others
//	wake.go            which nodes need no turns, because they would decide nothing
//	settings.go        the settings of a run, read from text
//	system.go          the policies as a scheduler.System
//
// # Usage
//
//  1. Make a [Grid] of a platform with [NewGrid]. Nodes advertise their clusters, or lists of your
//     own, as platform.Overlap makes.
//  2. Fill in [Options], from [Defaults].
//  3. Call [Run] with a workload.
//
// # Guarantees
//
//   - Same: every representative, move and start is that of the cores, at the same time (sim/grid,
//     TestEnginesAgree: 1,000 drawn grids in each run of the tests).
//   - Exact: k tasks of a job start on k nodes of one advertised cluster, or none; no node runs
//     two.
//   - Complete: every job ends, or its record says why it was excluded.
//   - Repeatable: equal arguments give equal results, on every machine. No floating point is used.
//
// # Assumptions
//
//   - No node fails, joins or leaves, and no message is lost.
//   - How long a message takes depends on the clusters of its sender and receiver only
//     ([Options.Between]). Within clusters all take equally long, and no message between clusters
//     is faster; [Run] refuses latencies that are not so.
//   - A representative has the exact queue positions of its tasks. In the cores they come with
//     signs of life.
//   - All nodes report their queue lengths at once.
//   - Tasks of a job end together. That of the representative itself begins earlier than the
//     others, by the time of a message, and waits for them.
//
// # Decisions
//
// Where the paper is silent:
//
//	question                                 | decision, and why
//	-----------------------------------------+------------------------------------------------------
//	how old is what a node knows             | Options.NewsMicros, one second; 0 is the limit
//	how often does a node balance            | Options.BalanceMicros, one second, in a drawn phase
//	which latency does a job require         | that of the slowest cluster, so that all clusters
//	                                         | count
//	how long does a message take             | Options.LatencyMicros, one millisecond: most go
//	                                         | within a cluster, a few across the grid, which
//	                                         | Options.Between can make slower
//	units of coordinates                     | each dimension is scaled to 2^20; two values that
//	                                         | become one are an error
//	the owner's zone has the requirement,    | candidates must be capable: the owner, its direct
//	but is the owner capable                 | neighbours, those beyond, and then a complete search
//	which of two sites is smaller            | Options.Minimum: nowhere larger and somewhere
//	                                         | smaller; strict, as published, no two clusters with
//	                                         | one equal value are ever ordered
//	may QB and DLB each move a job           | Options.Moves: once in all, as published, or each once
//	which machines differ                    | those of clusters with different speeds; with
//	                                         | Options.Demands a job requires the speed of a drawn
//	                                         | node, and without any will do
//	averageQP counts dependents that will    | Options.Position: the average, as published, or the
//	never run                                | position of the k-th best
package parallel
