package main

import "time"

// items are the promises to users, in the order of their numbers.
var items = []item{
	{number: 1, title: "dev is ready in 5 s and leaves nothing behind", try: devIsClean},
	{number: 2, title: "ranks, exit codes and time limits of run", try: ranksAndCodes},
	{number: 3, title: "a stock MPI program runs from the file of peers", lacks: "there is no examples/mpi"},
	{number: 4, title: "a rank that fails ends the others within 1 s", try: failingRank},
	{number: 5, title: "one key is one job", try: oneKey},
	{number: 6, title: "kill -9 of the daemon that took a job", try: entryKilled, named: amounts{runs: 100}},
	{number: 7, title: "kill -9 of all daemons at once", try: allKilled},
	{number: 8, title: "SIGSTOP of a daemon whose job runs", try: daemonStopped, named: amounts{runs: 50}},
	{number: 9, title: "a node that is cut off", try: cutOff},
	{number: 10, title: "two of three witnesses down", try: witnessesStopped},
	{number: 11, title: "the models of the cores hold", try: modelsHold, more: time.Hour},
	{number: 12, title: "records verify, and a flipped bit is located", try: recordsVerify},
	{number: 13, title: "mutants of the driver are caught", try: mutantsCaught, more: 30 * time.Minute},
	{number: 14, title: "faults for MINUTES in all, on three seeds", try: longFaults, named: amounts{minutes: 60}},
	{number: 15, title: "full and failing disks",
		lacks: "nothing here fills a disk or makes one fail; tests of daemon/disk and daemon/node do"},
	{number: 16, title: "clocks that jump, and certificates that end", try: clocksJump, more: 10 * time.Minute},
	{number: 17, title: "a restored or copied folder is refused", try: copiesRefused},
	{number: 18, title: "strangers, and thousands of connections", try: strangersOutside},
	{number: 19, title: "jobs that attack their host", try: attacksItsHost},
	{number: 20, title: "cancel returns when nothing runs any more", try: cancelled},
	{number: 21, title: "an array limits the elements that run at once", try: arrayRuns, named: amounts{size: 10_000}},
	{number: 22, title: "drain of each daemon in turn, under load", try: drained},
	{number: 23, title: "why explains why a job waits", try: reasonsGiven},
	{number: 24, title: "two neighbours killed at once, and repair", try: gapRepaired, named: amounts{runs: 10}},
	{number: 25, title: "dashboard", lacks: "daemons serve no pages"},
	{number: 26, title: "metrics and health", lacks: "/metrics, /livez and /readyz are there; " +
		"their answers in items 10, 15 and 24 are not tried"},
	{number: 27, title: "packages", lacks: "there is neither a Debian package nor an image"},
	{number: 28, title: "performance beside others", lacks: "see make bench WHAT=daemons"},
	{number: 29, title: "tests of the daemon with the race detector", try: raceTests, more: 20 * time.Minute,
		named: amounts{runs: 3}},
	{number: 30, title: "two machines from init to a result", try: twoMachines},
}
