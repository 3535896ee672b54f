// Package blame names the fault in code that others wrote: the function that was running, and the
// part of a value that an encoding forgets.
//
// A checker or a simulator calls functions of its user, and one of them may call another: Next
// calls yield, which calls Encode. If one panics, or makes its goroutine exit, the innermost is to
// blame. A [Log] names it.
//
// # Usage
//
//  1. Make a Log for each goroutine that calls functions.
//  2. Replace each function by what [F0] to [F3] and [Do0] to [Do2] make of it, where the functions
//     are stored, so that no caller sees the original. For the methods of an interface,
//     write a type that calls [Log.Enter] and [Log.Leave] around each.
//  3. When something goes wrong, ask [Log.Running].
//
// [Compare] names the first part in which two values differ, and a [Codec] demands that a value
// survives its encoding.
//
// # Guarantees
//
//   - After a panic the innermost function that was running is named, until [Log.Reset].
//   - A call costs two stores more, and allocates nothing.
//   - Values that [reflect.DeepEqual] takes for equal do not differ, whether their fields are
//     exported or not.
//
// # Assumptions
//
//   - A Log is used by one goroutine at a time.
//   - Values hold no functions and no cycles, as states and messages do.
package blame
