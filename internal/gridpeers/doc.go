// Package main runs central policies here and in two public simulators, and compares them job by
// job: pyss, in Python, which goes with the Parallel Workloads Archive, and Alea, in Java.
//
// Nothing of either is in this repository. The program converts pyss's sources to Python 3, or
// compiles those of Alea, in a temporary folder, and reads the start of each job.
//
// # Usage
//
//	PYSS=folder/of/pyss ALEA=folder/of/Alea CANVASS_DATA=folder/of/logs make bench-schedulers
//
// PYSS holds pyss's folder src. Python up to 3.12 is needed, whose lib2to3 converts the sources.
// ALEA holds Alea's folders src and lib and its configuration.properties; a JDK is needed. One of
// the two will do. A run prints a table: how many jobs start at the same time, mean wait and mean
// bounded slowdown of both, and the ratio of processor times. What is missing is skipped aloud.
//
// # Guarantees
//
//   - Equal terms: both read the same log, of jobs that ran, and the settings of ours are those of
//     pyss: a scheduling pass after each event, allocated processors, one second for jobs without a
//     run time. What differs in Alea is in docs/scheduling.md, as far as it is known.
//
// # Assumptions
//
//   - Both run alone on the machine. Times are of one run each; those of Alea and pyss include the
//     start of Java, but not that of Python.
package main
