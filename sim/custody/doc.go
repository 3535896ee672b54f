// Package custody simulates jobs with their custodians: package protocol/custody with the world
// around it (package model/custody), in virtual time.
//
// # Usage
//
// Take the scenarios from [Scenarios], or run "canvass simulate 'custody/*'". A run is one job with
// one to three custodians. Its attempts and their fates are drawn from the shape of the plan.
// Custodians crash and come back with their disks, also all at once, and message faults are heavy.
//
//   - custody/outages: attempts end with an outcome or without, and hosts may die.
//   - custody/cancels: the same, and the client cancels, or the record is forgotten.
//
// When faults stop, all custodians come back.
//
// # Guarantees
//
// Checked after every step, with the monitor and the predicates of the models: AckedKept,
// PrimaryOnce, OnePermit, OneOutcome, CancelFinal, OverStays, NothingRuns, ForgottenLast,
// TimersKept, ListsKept, MessagesFit, AnswersKept. In the state at the end:
//
//   - NobodyWaits: the job has ended, or no custodian has it.
//
// # Assumptions
//
// Those of package model/custody. A disk comes back as it was, unless the job was forgotten there.
package custody
