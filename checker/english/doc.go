// Package english writes counts for people, as tables, bounds and remarks show them.
//
// It guarantees that a count reads the same everywhere: commas between thousands, and a singular or
// plural noun. Callers pass the noun in the singular; its plural must be regular.
package english
