// Command bench measures parts of this repository, most of them beside the programs of others.
//
//	bench spin [MODEL SIZE]…   rates of the engine and of SPIN: a table, then JSON
//	bench crosscheck           numbers and verdicts of both; exit code 1 on a difference
//	bench run MODEL SIZE N     one check of ours with N workers, in a process of its own
//	bench sim [-json] [SIZE]…  speed and memory of the simulator: a table, then JSON
//	bench can                  the cost of a change of the map, into docs/protocols/can.md
//	bench schedulers           central policies here, in pyss and in Alea, job by job
//	bench daemons [-runs N]    daemons beside Slurm, Grid Engine, GNU parallel, mpirun and etcd
//
// "make bench WHAT=…" runs them; "make spec" runs crosscheck, and "make tables WHAT=can" runs can.
//
// # Beside SPIN
//
// Models are the examples, and their Promela twins in spec/examples. A Promela model may need steps
// for its start. Each such step adds a state, which the comparison subtracts from SPIN's number.
// SPIN counts the initial state among the transitions.
//
// # Changes of the map
//
// The cost of a change is messages, bytes and virtual time, for package protocol/can and for the
// published protocol that it corrects (package protocol/published/can). The corrections have a
// price. A Commit of the published protocol carries the change alone, that of the corrected one all
// resulting records and the rest of the neighbourhood. The published taker acts at once and alone,
// the corrected one in a round.
//
// # Central policies
//
// pyss, in Python, goes with the Parallel Workloads Archive; Alea is in Java. Nothing of either is
// in this repository: the program converts pyss's sources to Python 3, or compiles those of Alea,
// in a temporary folder, and reads the start of each job.
//
//	PYSS=folder/of/pyss ALEA=folder/of/Alea CANVASS_DATA=folder/of/logs make bench WHAT=schedulers
//
// PYSS holds pyss's folder src. Python up to 3.12 is needed, whose lib2to3 converts the sources.
// ALEA holds Alea's folders src and lib and its configuration.properties; a JDK is needed. One of
// the two will do. A run prints a table: how many jobs start at the same time, mean wait and mean
// bounded slowdown of both, and the ratio of processor times. Missing programs are skipped with a
// message.
//
// # Guarantees
//
//   - Repeatable: figures of the map are counted in virtual time, from seeds. Machine and load do
//     not matter. A test measures them again and compares the table with the page.
//   - Equal terms: other schedulers read the same log, of jobs that ran, and the settings of ours
//     are those of pyss: a scheduling pass after each event, allocated processors, one second for
//     jobs without a run time. docs/scheduling.md lists the known differences of Alea.
//
// # Assumptions
//
//   - In the map each message takes 50 ms and arrives, and no other change is under way. Faults and
//     conflicts cost more: the corrected protocol resends, the published one fails. Periodic
//     updates are not part of a change. Both protocols send them all the time, and the published
//     one needs them to complete its Commit: the time until the neighbours have the result includes
//     the wait for them.
//   - Schedulers run alone on the machine. Times are of one run each; those of Alea and pyss
//     include the start of Java, but not that of Python.
package main
