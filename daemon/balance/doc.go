// Package balance moves waiting jobs from a busy node to one where they can run at once. Package
// reptask says which (DLB): no policy belongs here. This package asks other nodes for their load,
// and has the peer core make the moves.
//
// # Usage
//
//  1. Fill in a [Balancer], and call [Balancer.Look] once: it repeats itself.
//  2. Answer the calls Load and Queues with its methods.
//
// # Guarantees
//
//   - Silent: nodes are asked only while a job that this node represents has waited for a second.
//   - Once: a job moves once.
//
// # Assumptions
//
//   - A node that does not answer counts as busy.
package balance
