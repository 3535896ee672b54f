// Package cores guards the calls of a user's core, for the model and for the simulator.
//
// # Usage
//
//  1. Replace the core by what [Guard] makes of it, so that an error can name the method that
//     panicked.
//  2. After each step, end the run with an error if [Impossible] describes the output.
//  3. Compare outputs, before and after a call or of two calls, by [AppendOutput].
//
// # Guarantees
//
//   - Every method of a guarded core is noted in the log while it runs.
//   - Two outputs that differ in a part that a driver looks at have different encodings, if the
//     messages have.
//
// # Assumptions
//
//   - The log of a guarded core is used by one goroutine at a time.
package cores
