// Package observe watches a daemon: its counts and measurements in the text format of Prometheus,
// the flight record of its loop, slow steps, clocks that disagree, and a goroutine that hangs.
//
// # Usage
//
// A daemon makes its [Metrics] once, and gives them a function that reads its state into a
// [Scrape]. It calls Stepped, Committed, Waited and Killed with its measurements. [Metrics.Text] is
// the answer to a scrape. [OpenRecord] begins the flight record, [MeasureSteps] is the loop's
// Around, and [Watchdog.Guard] watches the goroutine of the node. Nothing that a daemon decides
// depends on this package, except that the watchdog ends a process that hangs.
//
// # Guarantees
//
//   - Private: no registry is shared, so two daemons in one process do not mix.
//   - Fixed: names and labels are fixed words of the program. Nothing that users write is a label.
//   - Silent: the methods of a nil *Metrics do nothing, for a daemon that a simulator runs.
//
// # Assumptions
//
//   - The function that reads returns within a bounded time: a scrape waits for it.
package observe
