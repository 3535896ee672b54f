// Package main measures what a change of a CAN costs: messages, bytes and virtual time, for package
// protocol/can and for the published protocol that it corrects (package protocol/published/can).
//
// The corrections have a price. A Commit of the published protocol carries the change alone, that
// of the corrected one all resulting records and the rest of the neighbourhood. The published taker
// acts at once and alone, the corrected one in a round.
//
// # Usage
//
//	make bench-can   # measures, then writes the table into docs/protocols/can.md
//
// # Guarantees
//
//   - Repeatable: figures are counted in virtual time, from seeds. Machine and load do not matter.
//   - Current: a test measures again and compares the table with the page.
//
// # Assumptions
//
//   - Each message takes 50 ms, none is lost, and no other change is under way. Faults and
//     conflicts cost more: the corrected protocol resends, the published one fails.
//   - Periodic updates are not part of a change. Both protocols send them all the time, and the
//     published one needs them to complete what its Commit left out: the time until the neighbours
//     know the result includes the wait for them.
package main
