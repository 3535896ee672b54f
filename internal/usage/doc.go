// Package usage has the error for mistakes on the command line, and finds the name that a mistyped
// one probably meant.
//
// # Usage
//
// A library that reads values which users type, such as the settings of an experiment, returns an
// [Error] for a value that is not valid, and proposes a name for an unknown one. The program ends
// with exit code 2 then:
//
//	return usage.Errorf("--workers %d is negative; 0 is one for each core", n)
//	return usage.Errorf("there is no policy %q; %s", name, usage.Meant(name, all, "see --help"))
//
// # Guarantees
//
//   - One type: errors.As finds every mistake on a command line as an *Error.
//   - Apart: if an argument is an error of the machine, about a file or an address for example, the
//     result wraps it and is no *Error.
//   - Near: [Nearest] lists no name that needs more changed letters than max(2, a third of the
//     word). The nearest name comes first; equally near names keep the order of the candidates.
//
// # Assumptions
//
//   - A mistake would be one on every machine. A missing or malformed file, a folder that is not
//     empty and an address in use are not mistakes.
//   - Names are short ASCII words: the time is the product of the two lengths.
package usage
