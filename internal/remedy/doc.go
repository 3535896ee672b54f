// Package remedy says how to mend an error of the machine: of a file, a folder, a socket or an
// address.
//
// # Usage
//
// The reporter of such an error adds the remedy of its cause, or one of its own:
//
//	mend := cmp.Or(remedy.Of(err), "restore it from a backup")
//	return fmt.Errorf("read %s: %w; %s", name, err, mend)
//
// # Guarantees
//
//   - One table: a cause has the same remedy wherever it is met.
//   - Wrapped errors count, however deep the cause is in them.
//
// # Assumptions
//
//   - The error has the cause that the kernel or the resolver gave. One that was made from its text
//     has no remedy.
package remedy
