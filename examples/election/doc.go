// Package election implements leader election on a ring (Chang and Roberts, An Improved Algorithm
// for Decentralized Extrema-Finding in Circular Configurations of Processes, 1979), with the
// announcement of the winner. It is a first model to learn from: core, system and properties fit
// on two screens, and the network keeps the order of each channel.
//
// # Usage
//
// [New] describes a ring and compiles it. Pass Model to checker.Check, as the example does.
//
// # Guarantees
//
//   - OneLeader: no two nodes believe in different leaders.
//   - Highest: the leader is the node with the highest ID.
//   - Swept: once a node has the leader's ID, no candidate is in flight. A node may forget the
//     election then.
//   - Elects: once a node has joined, all nodes receive the leader's ID in the end.
//
// # Assumptions
//
//   - IDs are unique, and not 0. New refuses others: two nodes with one ID could both be elected.
//   - Messages from a node to its neighbour arrive in order. On an unordered network an early
//     candidate may arrive last, and Swept is violated.
//   - No message is dropped or duplicated. One drop may end the election without a leader. One
//     duplicate leaves a candidate behind and violates Swept.
//
// # Differences from the paper
//
//	rule                                     | what breaks without it                  | evidence
//	a node that forwards a candidate has     | it would begin an election later, and   |
//	joined, and does not begin an election   | its candidate would follow the winner's | Swept
//	a lower candidate wakes a node, which    | a node that never begins swallows the   | TestCounts
//	sends its own                            | candidates of all others: Elects        |
//	the winner announces itself              | the paper ends when the winner knows    | Elects
package election
