// Package reptask holds the closed systems in which representative and dependent tasks are checked: those of the
// corrected core (package protocol/reptask) and, through an adapter, those of the printed one, against the same
// properties.
//
// # Guarantees
//
// Every property is a statement about views ([View]) and about events that both cores announce (monitor.go).
//
// # Assumptions, and what is not modelled
//
// See due.go.
package reptask
