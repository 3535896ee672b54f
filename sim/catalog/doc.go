// Package catalog lists the scenarios of the simulator: the scenarios that the command offers and
// the tests run. A new family of scenarios is added here and nowhere else.
package catalog
