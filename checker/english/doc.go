// Package english writes counts for people, as tables, bounds and remarks show them.
//
// It guarantees that a count reads the same everywhere: a comma between thousands, and the noun in
// the number that the count asks for. It assumes nouns with a regular plural. A caller passes the
// noun in the singular.
package english
