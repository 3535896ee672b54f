package swf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// A cleaning is a reason to drop or change a job.
type cleaning int

const (
	skippedBad cleaning = iota
	droppedPart
	droppedOrphan
	droppedSubmit
	droppedStatus
	droppedRun
	raisedRun
	keptRun
	droppedSize
	raisedSize
	otherSize
	clearedRequest
	killed
	keptOverrun
	exchanged
	unchained
	roundedTime
	sorted
	repeated
	cleanings
)

// words are the texts for the user, in this order.
var words = [cleanings]string{
	skippedBad:     "skipped: malformed line",
	droppedPart:    "dropped: part of a job that was swapped out (status 2, 3 or 4); the whole job has its own line",
	droppedOrphan:  "dropped: part of a job that was swapped out (status 2, 3 or 4); the whole job has no line",
	droppedSubmit:  "dropped: no submit time",
	droppedStatus:  "dropped: not completed (status is not 1)",
	droppedRun:     "dropped: no run time (zero or unknown)",
	raisedRun:      "changed: a run time of zero or unknown counts as one second",
	keptRun:        "kept: a run time of zero or unknown counts as zero",
	droppedSize:    "dropped: no processors",
	raisedSize:     "changed: no processors counts as one",
	otherSize:      "", // by option Size
	clearedRequest: "changed: a requested time of zero counts as unknown",
	killed:         "changed: killed at the requested time",
	keptOverrun:    "kept: ran longer than requested",
	exchanged:      "changed: killed at the requested time, and planned with the run time of the log",
	unchained:      "ignored: waits for a preceding job (fields 17 and 18); it is submitted when the log says",
	roundedTime:    "changed: a time rounded to whole microseconds",
	sorted:         "sorted: submitted before the job ahead of it in the log",
	repeated:       "kept: has the number of an earlier job; the log may contain a part twice",
}

// cleaner turns lines into jobs and counts what it leaves out or changes.
type cleaner struct {
	options    Options
	jobs       []scheduler.Job
	counts     [cleanings]int
	ignored    [fieldCount]int // malformed texts in fields that nothing uses
	lines      lines
	lastSubmit int64
}

// lines are those of one job: the ones with its number that follow each other. The format has a
// line for each part of a job that was swapped out (status 2; 3 or 4 for the last part), after one
// for the job as a whole, which is the one to use.
type lines struct {
	number int64
	whole  bool // one is about the whole job
	parts  int
	first  record // of the parts
}

// isPart reports whether a line is about a part of a job, if its job has other lines.
func isPart(f *record) bool { return 2 <= f[fieldStatus] && f[fieldStatus] <= 4 }

// add adds the job of a line, unless the options drop it.
func (c *cleaner) add(f *record, o *oddities) {
	if o.odd {
		c.addOddities(o)
	}
	if c.options.Status == "any" {
		c.addJob(f)
		return
	}
	if f[fieldNumber] != c.lines.number || f[fieldNumber] < 0 {
		c.endOfJob()
		c.lines = lines{number: f[fieldNumber]}
	}
	if !isPart(f) {
		c.lines.whole = true
		c.addJob(f)
		return
	}
	if c.lines.parts++; c.lines.parts == 1 {
		c.lines.first = *f
	}
}

// endOfJob decides about the parts of a job once all its lines are read. A single line with such a
// status is a job: the status is an exit code, as in some logs.
func (c *cleaner) endOfJob() {
	switch l := &c.lines; {
	case l.whole:
		c.counts[droppedPart] += l.parts
	case l.parts == 1:
		c.addJob(&l.first)
	default:
		c.counts[droppedOrphan] += l.parts
	}
	c.lines.parts = 0
}

func (c *cleaner) addOddities(o *oddities) {
	if o.rounded {
		c.counts[roundedTime]++
	}
	for i, ignored := range o.ignored {
		if ignored {
			c.ignored[i]++
		}
	}
}

// addJob adds the job of a line that is about a whole job.
func (c *cleaner) addJob(f *record) {
	if f[fieldSubmit] < 0 {
		c.counts[droppedSubmit]++
		return
	}
	if f[fieldSubmit] < c.lastSubmit {
		c.counts[sorted]++
	}
	c.lastSubmit = f[fieldSubmit]
	if c.options.Status == "completed" && f[fieldStatus] != 1 {
		c.counts[droppedStatus]++
		return
	}
	j := scheduler.Job{
		Number: f[fieldNumber], SubmitMicros: f[fieldSubmit], RunMicros: f[fieldRun], RequestMicros: f[fieldRequest],
		EstimateMicros: scheduler.Unknown, WaitMicros: f[fieldWait],
		User: f[fieldUser], Group: f[fieldGroup], Executable: f[fieldExecutable],
		Queue: f[fieldQueue], Partition: f[fieldPartition], Status: f[fieldStatus],
	}
	if c.cleanRun(&j) && c.cleanSize(&j, f) {
		c.cleanRequest(&j)
		if f[fieldPreceding] > 0 {
			c.counts[unchained]++
		}
		c.jobs = append(c.jobs, j)
	}
}

// cleanRun reports whether a job is kept in spite of its run time.
func (c *cleaner) cleanRun(j *scheduler.Job) bool {
	if j.RunMicros > 0 {
		return true
	}
	switch c.options.ZeroRun {
	case "one-second":
		j.RunMicros = scheduler.Second
		c.counts[raisedRun]++
	case "keep":
		j.RunMicros = 0
		c.counts[keptRun]++
	default:
		c.counts[droppedRun]++
		return false
	}
	return true
}

// cleanSize sets the size of a job, and reports whether the job is kept.
func (c *cleaner) cleanSize(j *scheduler.Job, f *record) bool {
	size, other := f[fieldRequested], f[fieldAllocated]
	if c.options.Size == "allocated" {
		size, other = other, size
	}
	if size <= 0 && other > 0 {
		size = other
		c.counts[otherSize]++
	}
	if size <= 0 {
		if c.options.NoProcessors == "drop" {
			c.counts[droppedSize]++
			return false
		}
		size = 1
		c.counts[raisedSize]++
	}
	j.Nodes = int(size)
	return true
}

// cleanRequest settles the run time of jobs that ran longer than requested.
func (c *cleaner) cleanRequest(j *scheduler.Job) {
	if j.RequestMicros == 0 {
		j.RequestMicros = scheduler.Unknown
		c.counts[clearedRequest]++
	}
	if j.RequestMicros < 0 || j.RunMicros <= j.RequestMicros {
		return
	}
	switch c.options.Overrun {
	case "keep":
		c.counts[keptOverrun]++
	case "exchange":
		j.RunMicros, j.RequestMicros = j.RequestMicros, j.RunMicros
		c.counts[exchanged]++
	default:
		j.RunMicros = j.RequestMicros
		c.counts[killed]++
	}
}

// repeatedNumbers counts the jobs whose number another job ahead of them has. Most logs number
// their jobs in order, and need no second look.
func repeatedNumbers(jobs []scheduler.Job) (repeated int) {
	last, inOrder := int64(scheduler.Unknown), true
	for i := range jobs {
		inOrder = inOrder && jobs[i].Number > last
		last = jobs[i].Number
	}
	if inOrder {
		return 0
	}
	var numbers []int64
	for i := range jobs {
		if n := jobs[i].Number; n >= 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return len(numbers) - len(slices.Compact(numbers))
}

// note writes the counts into the workload.
func (c *cleaner) note(w *scheduler.Workload) {
	for i, n := range c.ignored {
		w.Note(fmt.Sprintf("ignored: no %s of the format (field %d); nothing uses it", fields[i].name, i+1), n)
	}
	for i, n := range c.counts {
		text := words[i]
		if cleaning(i) == otherSize {
			text = "used: allocated processors for the size, since none are requested"
			if c.options.Size == "allocated" {
				text = "used: requested processors for the size, since none are allocated"
			}
		}
		w.Note(text, n)
	}
}

// groupProcessors turns sizes in processors into sizes in nodes.
func groupProcessors(w *scheduler.Workload, perNode int) {
	for i := range w.Jobs {
		w.Jobs[i].Nodes = grouped(w.Jobs[i].Nodes, perNode)
	}
	w.Nodes = grouped(w.Nodes, perNode)
	w.Note(fmt.Sprintf("changed: size in nodes of %s", counted(perNode, "processor")), len(w.Jobs))
}

// grouped rounds up and cannot overflow.
func grouped(n, by int) int {
	if n == 0 {
		return 0
	}
	return (n-1)/by + 1
}

// changes lists the changes on one line.
func changes(w *scheduler.Workload) string {
	var parts []string
	for _, c := range w.Changes {
		parts = append(parts, fmt.Sprintf("%s: %d", c.What, c.Jobs))
	}
	return strings.Join(parts, ", ")
}
