// Package grid drives the cores of package reptask with a workload, on a map that does not change
// (Jackson 2015, section 4.2).
//
// It is the slow way to run the decentralised scheduler: each message is a step of a core. The fast
// engine, package scheduler/parallel, keeps only what decides, and a test of this package holds it
// to the cores, event by event.
//
// # Usage
//
//  1. Make a grid with parallel.NewGrid.
//  2. Call [Run] with the workload and the options that parallel.Run takes.
//
// # Guarantees
//
//   - Same: representatives, hosts, moves and starts are those of parallel.Run, at the same times.
//   - Repeatable: equal arguments give equal results.
//
// # Assumptions
//
//   - No message is lost and no node fails: the timers of the cores are set so far away that none
//     fires.
//   - Nodes know queue lengths from the reports of the options, which therefore have a period. A
//     representative knows the queue positions of its tasks as they are.
//   - A job reaches its owner as parallel.Grid.Place says, by the functions of the cores.
package grid
