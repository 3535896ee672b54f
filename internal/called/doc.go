// Package called notes which function of a user is running, so that an error can name it.
//
// A checker or a simulator calls functions that strangers wrote, and one of them may call another:
// Next calls yield, which calls Encode. If one panics, or makes its goroutine exit, the innermost
// is to blame. A [Log] knows it.
//
// # Usage
//
//  1. Make a Log for each goroutine that calls functions.
//  2. Replace each function by what [F0] to [F3] and [Do0] to [Do2] make of it, where the functions
//     are stored, so that no caller sees the original. For the methods of an interface,
//     write a type that calls [Log.Enter] and [Log.Leave] around each.
//  3. When something goes wrong, ask [Log.Running].
//
// # Guarantees
//
//   - After a panic the innermost function that was running is named, until [Log.Reset].
//   - A call costs two stores more, and allocates nothing.
//
// # Assumptions
//
//   - A Log is used by one goroutine at a time.
package called
