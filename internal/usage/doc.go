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
//
// # Assumptions
//
//   - A mistake would be one on every machine. A file that is missing, or an address that is in use
//     is none; such an error is returned as it is.
package usage
