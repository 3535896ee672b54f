package trials

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// taskWord is the first argument with which a program stands in for a job.
const taskWord = "task"

// beatEvery is the interval at which a task records that it runs.
const beatEvery = 20 * time.Millisecond

// Task is the program of a job. It records its start, its beats and its end in a ledger, and may
// print and leave files. Its arguments are the ledger, the duration, the exit code and, optionally,
// a word for Leave.
type Task struct {
	Print func(job string, rank int) string               // nil: nothing
	Leave func(word, job, attempt string, rank int) error // nil: the word means nothing
}

// IsTask reports whether a command line, with the program's name, is that of a task. The rest of
// the line is the arguments of [Task.Run].
func IsTask(line []string) bool { return len(line) > 1 && line[1] == taskWord }

// Run returns the exit code.
func (t Task) Run(args []string) int {
	if len(args) != 3 && len(args) != 4 {
		fmt.Fprintln(os.Stderr, "task: want a ledger, a duration, an exit code and perhaps a word for files")
		return 120
	}
	duration, err := time.ParseDuration(args[1])
	code, err2 := strconv.Atoi(args[2])
	ledger, err3 := os.OpenFile(args[0], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil || err2 != nil || err3 != nil {
		fmt.Fprintln(os.Stderr, "task:", err, err2, err3)
		return 121
	}
	defer ledger.Close()
	job, attempt, rank := os.Getenv("CANVASS_JOB"), os.Getenv("CANVASS_ATTEMPT"), os.Getenv("CANVASS_RANK")
	line := func(what string) {
		fmt.Fprintf(ledger, "%s %s %s %s %s %s %d\n", what, job, attempt, rank,
			os.Getenv("CANVASS_SIZE"), os.Getenv("CANVASS_HOST"), BootTime().Microseconds())
	}
	line("start")
	number, _ := strconv.Atoi(rank)
	if t.Print != nil {
		fmt.Print(t.Print(job, number))
	}
	for end := BootTime() + duration; BootTime() < end; {
		time.Sleep(min(beatEvery, max(0, end-BootTime())))
		line("beat")
	}
	if len(args) == 4 && t.Leave != nil {
		if err := t.Leave(args[3], job, attempt, number); err != nil {
			fmt.Fprintln(os.Stderr, "task:", err)
			return 122
		}
	}
	line("end")
	return code
}
