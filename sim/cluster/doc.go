// Package cluster refines clusters on the cores: every node is a head and a client of package
// refine, in one simulated network. It is the measure of package scheduler/cluster, which does the
// same without messages.
//
// # Usage
//
// Call [Refine] with the candidates of each head and the latencies. The result has the cluster that
// each node found, and the head whose cluster it advertises. [Recover] measures how long it takes
// until nodes are in clusters again after some have failed.
//
// # Guarantees
//
//   - Deterministic: equal arguments give equal results.
//   - Quiescent: no head is in a round, no client waits for an answer, and nothing has happened for
//     longer than a head waits before it asks again.
//
// # Assumptions
//
//   - No message is lost. In [Refine] no node fails, so signs of life are rare: one every ten
//     minutes. In [Recover] no live node is suspected.
//   - Heads receive their candidates within a second, at random moments.
package cluster
