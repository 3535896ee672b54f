// Package daemon simulates whole daemons: package daemon/node as it runs, with its driver, cores,
// jobs and calls, in virtual time and from one seed. Network, disks, clocks, chance and processes
// are simulated; the code of the daemon makes the decisions.
//
// # Usage
//
// Take the scenarios from [Scenarios], or run "canvass simulate 'daemon/*'". A run has one to six
// nodes, up to three of them witnesses, and up to twenty operations. Clients submit jobs of one to
// four tasks, again and again until a job is acknowledged, and cancel some.
//
//   - daemon/jobs: nothing fails.
//   - daemon/leaves: nodes leave, as by SIGTERM or drain, and come back.
//   - daemon/forgers: the same, and members send contact cards of others that these have not
//     signed, cards of earlier incarnations, and refusals that show them.
//   - daemon/crashes: daemons are killed, one or all of them, and writes to disks fail.
//   - daemon/losses: the same, and a machine that is no witness is lost with its disk.
//   - daemon/pauses: daemons are stopped for up to ten seconds.
//   - daemon/cuts: nodes are cut from others, one way or both, for up to ten seconds.
//   - daemon/all: all of that but losses.
//   - daemon/returns: all daemons crash and come back while links between them are cut.
//   - daemon/removals: jobs are forgotten soon after their end, and daemons crash and come back.
//   - daemon/rests: jobs need all of four nodes, which are stopped one after the other.
//   - daemon/calendar: two years pass, and the time of day of single nodes jumps by up to a year in
//     both directions; leases are kept, and records stay.
//   - daemon/shims: shims of tasks are killed, and disks have no space for tasks for a time.
//   - daemon/files: tasks read an input and leave files. Disks are full for a time, contents are
//     lost or damaged that another custodian has, and files are unreadable, vanish or change before
//     they are copied; shims are killed, and daemons crash and are stopped.
//
// When faults stop, all daemons come back except lost ones. A job that a lost machine took and did
// not acknowledge need not be acknowledged.
//
// # Guarantees
//
// Checked after every turn of a daemon, from outside, as the judges of real daemons do:
//
//   - OneRun: two attempts of a job never run at once, and a rank of an attempt runs once.
//   - EndedStays: nothing of a job runs, or starts again, when any daemon has said that it has
//     ended.
//   - Fenced: nothing runs on an incarnation when any daemon has its death certificate.
//   - StaysUp: a daemon ends by itself only when its incarnation is over, when it leaves, or when
//     its disk fails.
//   - Signed: in daemon/forgers no node accepts an incarnation or an endpoint of another node that
//     the latter has not signed, nor an earlier incarnation again. The code under test is package
//     transport.
//   - KeepsLease: in daemon/jobs, daemon/leaves, daemon/forgers and daemon/calendar no incarnation
//     that has entered the map loses its lease while a majority of the witnesses runs, and has for
//     ten seconds.
//   - Results: a job ends as its tasks have ended, or is cancelled by its client. It has failed,
//     too, if a file was spoiled that one of its tasks has left.
//   - InputsLaid: a task starts with the input of its job.
//   - OutputsKept: if a job has succeeded, its record has the outputs of the tasks of its last
//     attempt, and the disk of at least one custodian has each file, then and at the end of the
//     run.
//
// Once faults have stopped:
//
//   - Converges: all daemons are members, and the map is whole.
//   - Acknowledges: the job of each client is acknowledged.
//   - AckedKept: each acknowledged job ends.
//   - Decided: no job stays open at a daemon, also if it was never acknowledged, unless the machine
//     that took it is lost.
//   - RemovedStays: no daemon has a record of a job that was removed.
//   - Quiet: no custodian asks others about jobs that have ended, and no daemon remembers an
//     attempt at one.
//
// # Assumptions
//
//   - Connections are as package transport promises: FIFO, nothing is lost that is young, messages
//     go to the incarnation that they name, if any. So plans may delay messages, and not lose or
//     double them.
//   - Processes are as package runner promises. Daemon and shim are never stopped together. A task
//     of a daemon that was killed ends within 20 ms.
//   - Turns and writes take no time. A write is there as a whole, or has failed and is not.
//   - Two clocks differ by at most 0.05 percent, and do not jump. The time of day does.
//   - No task asks for resources. Flight recorder, users' sockets and tokens take no part, and
//     certificates only in daemon/forgers.
//   - Work of a daemon beside its goroutine happens between two of its turns, after a delay. A disk
//     loses or damages a content only if another custodian has a sound copy.
//
// A daemon is no value. So a step of a node has effects behind the state that the simulation sees,
// and the promise that steps are pure, which the simulator checks of cores, does not hold here.
package daemon
