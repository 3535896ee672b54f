// Package load puts a simulated grid under load: clients that submit the jobs of a workload, nodes
// that leave, fail and come back, and an account of the messages.
//
// It depends on no core. A grid answers which nodes are members ([Grid]), submits jobs when
// [Clients] call it, and lets nodes go and come back when [Coming] does.
//
// # Usage
//
//  1. Make [Clients], and call Send when a job arrives. Call Answered when a client is
//     notified of the fate of its job, and End when the job has ended.
//  2. Make a [Coming] with [Disturb]; it plans when each node goes. Call Came when a node is back.
//  3. Note the messages in an [Account].
//
// # Guarantees
//
//   - Repeatable: all draws come from the seed, and those of a node do not depend on other nodes.
//   - Bounded: a client gives up after [MostTries] submissions. Churn leaves more than half of the
//     nodes, and more than two, at any time.
//
// # Assumptions
//
//   - Clients outlive the nodes at which they submit.
//   - A node that may leave does so in the end.
package load
