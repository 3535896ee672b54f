// Package shim is the process around one task of a daemon: it starts the command, keeps its output,
// and ends all of its processes when the daemon says so or has ended, or at the deadline.
//
// On Linux a program that imports this package is a shim when it is called with the one argument
// [Argument] and has the variable [Variable]. That is decided while packages are initialised, so
// that a shim does not wait for most of the later packages. Go initialises packages in the order of
// their import paths, each after its imports. So this package imports little, and nothing whose
// path comes after its own and that waits for many others: no net, no os/exec, no path/filepath. A
// shim is ready in two fifths of the time that the whole program takes.
//
// # Usage
//
// Package runner starts shims, with a socket and the memory of a [Deadline] as descriptors 3 and 4.
// It writes an [Order] with [Send], and then [KillGently] or [KillNow] to end the task. It reads an
// [Exit] with [Receive]; the end of the socket without one means that the shim was killed. Then
// [FinishOutput] completes the files of the task, which the shim has done otherwise.
//
// The documentation of package runner has the guarantees and assumptions.
package shim
