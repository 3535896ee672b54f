// Package procs reads the processes of the machine, and ends exactly those that it has read: a
// number may be that of another process by the time that it is used, so number and start time
// together name one. Only Linux has what it needs.
package procs
