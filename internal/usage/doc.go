// Package usage has the error for mistakes on the command line.
//
// A library that reads values which users type, such as the settings of an experiment, returns an
// [Error] for a value that makes no sense. The program ends with exit code 2 then.
//
// # Usage
//
//	return usage.Errorf("--workers %d is negative; 0 is one for each core", n)
//
// # Guarantees
//
//   - One type: errors.As finds every mistake on a command line as an *Error.
//   - Apart: an error about a file, an address or another thing of the machine that is among the
//     arguments makes an error that is no *Error, and that wraps it.
//
// # Assumptions
//
//   - A mistake would be one on every machine. A file that is missing or does not hold what it
//     should, a folder that is not empty, an address that is in use is none.
package usage
