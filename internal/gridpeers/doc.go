// Package main runs central policies here and in pyss, the Python simulator of scheduling that goes
// with the Parallel Workloads Archive, and compares them job by job.
//
// Nothing of pyss is in this repository. The program converts its sources to Python 3 in a
// temporary folder and runs them with driver.py, which prints the start of each job.
//
// # Usage
//
//	PYSS=folder/of/pyss CANVASS_DATA=folder/of/logs make bench-schedulers
//
// PYSS holds pyss's folder src. Python up to 3.12 is needed, whose lib2to3 converts the sources. A
// run prints a table: how many jobs start at the same time, mean wait and mean bounded slowdown of
// both, and the ratio of processor times. What is missing is skipped aloud.
//
// # Guarantees
//
//   - Equal terms: both read the same log, and the settings of ours are those of pyss: a scheduling
//     pass after each event, allocated processors, one second for jobs without a run time.
//
// # Assumptions
//
//   - Both run alone on the machine. Times are of one run each.
package main
