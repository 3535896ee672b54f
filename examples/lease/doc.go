// Package lease implements a lock that a server lends for a limited time. It has two models: a
// sketch in plain values for package checker ([NewSketch]), and a message-passing core for package
// model ([New]). The tutorial in docs/ builds both step by step.
//
// # Usage
//
// [New] describes a system and compiles it. Pass Model to checker.Check, as the examples do.
//
// # Guarantees
//
//   - OneHolder: no two clients hold the lock.
//   - Lends: a client can get the lock.
//   - Returns: a held lock is free again in the end.
//
// # Assumptions
//
//   - All clocks run equally fast. One premature timeout is enough for two holders.
//   - A client counts its lease from when it asked, which is before the server begins to count. A
//     client that counts from when the Grant arrives (late) may hold the lock too long: two clients
//     then hold it after a Grant was delayed.
package lease
