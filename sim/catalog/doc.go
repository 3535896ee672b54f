// Package catalog lists the worlds of the simulator: what the command line offers and the tests go
// through. A new family of worlds is added here, and nowhere else.
package catalog
