// Package dtm simulates the core of the prediction tree (package protocol/dtm) by itself: hosts on
// a plane that join, leave, crash and restart.
//
// # Usage
//
// Run the scenarios of [Scenarios] with a sim.Campaign:
//
//   - dtm/bursts: two to ten hosts, and two to four operations at once, again and again: hosts
//     join, leave, crash or restart. Message faults are heavy.
//   - dtm/churn: ten to thirty hosts that join and leave at any time, and crash now and then.
//
// # Guarantees
//
// Checked after every step:
//
//   - Place: as in package model/dtm.
//   - LeaveKeeps: the prediction for two hosts does not change as long as both are members. It is
//     checked whenever the hosts agree with their anchors about the segments.
//
// Checked in the quiescent state, after all hosts have joined again: Acyclic, LabelsTrue,
// SiblingsKnown, NobodyLocked and Aggregated, as in package model/dtm.
//
// # Assumptions
//
//   - Failure detection is accurate, and the place of a failed host is kept until its heir claims
//     it.
//   - A host crashes only while no leave, healing or change of a position is in progress anywhere:
//     the limits of package protocol/dtm.
//   - Latencies on the plane are those of no tree, so ExactOnTrees is not checked.
package dtm
