package swf

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/scheduler"
)

// sacctCommand writes all columns that are read.
const sacctCommand = "TZ=UTC sacct --allusers --allocations --parsable2 --format=JobIDRaw,JobID,Submit,Eligible," +
	"Start,End,ElapsedRaw,TimelimitRaw,ReqCPUS,AllocCPUS,NNodes,State,User,Group,JobName,QOS,Partition"

// slurmLog reads the output of sacct: a line that names columns, and a line for each job and each
// of its steps, with | between fields. Columns are found by their names, in any order.
type slurmLog struct {
	*reader
	head                               string // the line that names the columns
	columns                            []string
	at                                 slurmColumns
	users, groups, executables, queues names
	job                                string // the last job, without its steps
	zone                               slurmZone
	seen                               map[slurmRun]bool
}

// slurmRun is a run of a job. A job that was queued again has several.
type slurmRun struct {
	id    string
	start int64
}

// slurmColumns are the indices of columns, or -1.
type slurmColumns struct {
	id, numeric, submit, eligible, start, end, elapsed, limit, requested, allocated, state int
	user, group, executable, queue, partition                                              int
	seconds, minutes                                                                       bool // of elapsed, limit
}

// readLine takes a line without its end.
func (s *slurmLog) readLine(line []byte) error {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0, string(line) == s.head:
		return nil // outputs that were put together have the names several times
	case s.columns == nil:
		return s.name(line)
	}
	texts := strings.Split(string(line), "|")
	if n := len(texts); n == len(s.columns)+1 && texts[n-1] == "" {
		texts = texts[:n-1] // of --parsable
	}
	if len(texts) != len(s.columns) {
		return s.malformed(line, &Error{
			Text: counted(len(texts), "field"), Expected: fmt.Sprintf("%d, as the first line names", len(s.columns)),
			Remedy: "leave out columns such as JobName if there is | in them; " + remedySkip,
		})
	}
	if what := s.leftOut(texts); what != "" {
		s.notes.Note(what, 1)
		return nil
	}
	return s.readJob(line, texts)
}

// name takes the line that names the columns.
func (s *slurmLog) name(line []byte) error {
	s.head = string(line)
	s.columns = strings.Split(strings.TrimSuffix(s.head, "|"), "|")
	find := func(names ...string) int {
		for _, name := range names {
			if at := slices.IndexFunc(s.columns, func(c string) bool { return strings.EqualFold(c, name) }); at >= 0 {
				return at
			}
		}
		return -1
	}
	s.at = slurmColumns{
		id: find("JobID", "JobIDRaw"), numeric: find("JobIDRaw", "JobID"), submit: find("Submit"),
		eligible: find("Eligible"), start: find("Start"), end: find("End"), elapsed: find("ElapsedRaw", "Elapsed"),
		limit: find("TimelimitRaw", "Timelimit"), state: find("State"),
		requested: find("ReqCPUS"), allocated: find("AllocCPUS", "NCPUS"),
		user: find("User", "UID"), group: find("Group", "GID"), executable: find("JobName"), queue: find("QOS"),
		partition: find("Partition"), seconds: find("ElapsedRaw") >= 0, minutes: find("TimelimitRaw") >= 0,
	}
	if s.options.Unit == "node" {
		s.at.requested, s.at.allocated = find("ReqNodes"), find("NNodes", "AllocNodes")
	}
	lacks := ""
	switch at := &s.at; {
	case at.id < 0:
		lacks = "JobIDRaw"
	case at.submit < 0:
		lacks = "Submit"
	case at.elapsed < 0 && (at.start < 0 || at.end < 0):
		lacks = "ElapsedRaw"
	case at.requested < 0 && at.allocated < 0 && s.options.Unit == "node":
		lacks = "NNodes"
	case at.requested < 0 && at.allocated < 0:
		lacks = "AllocCPUS"
	default:
		return nil
	}
	remedy := otherFormat(line, "sacct")
	if remedy == "" {
		remedy = "write the log with " + sacctCommand
	}
	return s.atFault(fmt.Sprintf("the line %q names no column %s", clipped(line), lacks),
		"a first line with the names of columns", remedy)
}

// leftOut says why a line is not about a job that has ended, or "".
func (s *slurmLog) leftOut(texts []string) string {
	id := texts[s.at.id]
	of, _, isStep := strings.Cut(id, ".")
	if isStep && of == s.job {
		return "left out: step of a job, which has its own line"
	}
	if isStep {
		return "left out: step of a job that has no line ahead of it"
	}
	s.job = id
	state := s.state(texts)
	switch {
	case slices.Contains(slurmUnended, state):
		return "dropped: not ended when the log was written (" + strings.Join(slurmUnended[:2], ", ") + " or the like)"
	case state == "REVOKED":
		return "dropped: started on another cluster of a federation (REVOKED)"
	case strings.Contains(id, "["):
		return "dropped: tasks of an array that never became jobs, in one line"
	}
	return ""
}

// state is the first word of the state: "CANCELLED" of "CANCELLED by 1000".
func (s *slurmLog) state(texts []string) string {
	if s.at.state < 0 {
		return ""
	}
	word, _, _ := strings.Cut(texts[s.at.state], " ")
	return strings.TrimSuffix(strings.ToUpper(word), "+")
}

// slurmUnended are the states of jobs that have not ended.
var slurmUnended = []string{
	"PENDING", "RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "REQUEUE_FED", "REQUEUE_HOLD", "RESIZING",
	"RESV_DEL_HOLD", "SIGNALING", "SPECIAL_EXIT", "STAGE_OUT", "STOPPED",
}

// slurmEnded are the states of jobs that have ended, as statuses of the Standard Workload Format.
var slurmEnded = map[string]int64{
	"": scheduler.Unknown, "COMPLETED": 1, "CANCELLED": 5, "FAILED": 0, "TIMEOUT": 0, "DEADLINE": 0, "NODE_FAIL": 0,
	"BOOT_FAIL": 0, "OUT_OF_MEMORY": 0, "PREEMPTED": 0, "REQUEUED": 0, "LAUNCH_FAILED": 0, "RECONFIG_FAIL": 0,
}

// readJob takes the line of a job that has ended.
func (s *slurmLog) readJob(line []byte, texts []string) error {
	var f record
	for i := range f {
		f[i] = scheduler.Unknown
	}
	j := slurmJob{log: s, texts: texts}
	status, known := slurmEnded[s.state(texts)]
	if !known {
		j.wrong(s.at.state, "a state of a job")
	}
	f[fieldNumber], f[fieldStatus] = j.number(), status
	submit, start, end := j.time(s.at.submit), j.time(s.at.start), j.time(s.at.end)
	f[fieldSubmit], f[fieldRun] = submit, j.run(start, end)
	if start >= 0 && start < submit {
		j.note("changed: starts before it is submitted; its wait is unknown")
	} else if submit >= 0 && start >= 0 {
		f[fieldWait] = start - submit
	}
	f[fieldRequest] = j.limit()
	f[fieldRequested], f[fieldAllocated] = j.size(s.at.requested), j.size(s.at.allocated)
	if eligible := j.time(s.at.eligible); submit >= 0 && eligible > submit {
		j.note("ignored: held, or waits for a date or for others, after its submission (Eligible); it is submitted when " +
			"the log says")
	}
	if _, _, isComponent := strings.Cut(texts[s.at.id], "+"); isComponent {
		j.note("kept: component of a heterogeneous job; components start together, and here each by itself")
	}
	if j.fault != nil {
		return s.malformed(line, j.fault)
	}
	if again := (slurmRun{strings.Clone(texts[s.at.id]), start}); s.seen[again] {
		s.notes.Note("dropped: a run of a job that has a line already", 1)
		return nil
	} else {
		s.seen[again] = true
	}
	f[fieldUser], f[fieldGroup] = s.users.number(j.text(s.at.user)), s.groups.number(j.text(s.at.group))
	f[fieldExecutable] = s.executables.number(j.text(s.at.executable))
	f[fieldQueue] = s.queues.number(j.text(s.at.queue))
	f[fieldPartition] = s.partitions.number(j.text(s.at.partition))
	for _, what := range j.notes {
		s.notes.Note(what, 1)
	}
	return s.take(&f)
}

// slurmJob reads the fields of a job. It keeps the first error.
type slurmJob struct {
	log   *slurmLog
	texts []string
	notes []string
	fault *Error
}

func (j *slurmJob) note(what string) { j.notes = append(j.notes, what) }

// wrong notes that a field is not as expected.
func (j *slurmJob) wrong(at int, expected string) int64 {
	if j.fault == nil {
		j.fault = &Error{
			Field: at + 1, Name: j.log.columns[at], Text: clipped([]byte(j.texts[at])), Expected: expected, Remedy: remedySkip,
		}
	}
	return scheduler.Unknown
}

// text is the text of a field, or "" if there is no such column.
func (j *slurmJob) text(at int) string {
	if at < 0 {
		return ""
	}
	return strings.TrimSpace(j.texts[at])
}

// number is the number of the job. Those of an array, whose name is 12_3, have one each only in the
// column JobIDRaw.
func (j *slurmJob) number() int64 {
	at := j.log.at.numeric
	digits := j.text(at)
	if end := strings.IndexAny(digits, "_+"); end >= 0 {
		digits = digits[:end]
	}
	n, ok := fixedPoint([]byte(digits), 0)
	if !ok || n > maxValue {
		return j.wrong(at, "the number of a job")
	}
	return n
}

// size is a number of processors or nodes.
func (j *slurmJob) size(at int) int64 {
	text := j.text(at)
	if isUnknown(text) {
		return scheduler.Unknown
	}
	n, ok := fixedPoint([]byte(text), 0)
	if !ok || n > maxSize {
		return j.wrong(at, fmt.Sprintf("a whole number, at most %d", maxSize))
	}
	return n
}

// run is the run time: the elapsed time, or else the time from start to end.
func (j *slurmJob) run(start, end int64) int64 {
	between := int64(scheduler.Unknown)
	if start >= 0 && end >= start {
		between = end - start
	}
	at := j.log.at.elapsed
	if isUnknown(j.text(at)) {
		return between
	}
	elapsed, ok := slurmSpan(j.text(at), j.log.at.seconds, scheduler.Second)
	if !ok {
		return j.wrong(at, "a time such as 3600 or 1-02:03:04")
	}
	if between >= 0 && between != elapsed {
		j.note("used: the elapsed time, where end less start is another (the job was suspended, or a clock was changed)")
	}
	return elapsed
}

// noLimits is the least limit that is not a time: Slurm has such numbers for unlimited and unknown.
const noLimits = (1<<32 - 2) * 60 * scheduler.Second

// limit is the requested time.
func (j *slurmJob) limit() int64 {
	at, text := j.log.at.limit, j.text(j.log.at.limit)
	switch {
	case at < 0:
		return scheduler.Unknown
	case isUnknown(text), strings.EqualFold(text, "UNLIMITED"), strings.EqualFold(text, "Partition_Limit"):
		j.note("used: a job without a time limit (UNLIMITED, Partition_Limit) has an unknown requested time")
		return scheduler.Unknown
	}
	limit, ok := slurmSpan(text, j.log.at.minutes, 60*scheduler.Second)
	switch {
	case !ok:
		return j.wrong(at, "a time such as 60 (minutes) or 1-02:03:04")
	case limit >= noLimits:
		j.note("used: a job without a time limit (UNLIMITED, Partition_Limit) has an unknown requested time")
		return scheduler.Unknown
	}
	return limit
}

// slurmSpan reads a length of time: digits of a unit, or [days-][hours:]minutes:seconds[.fraction].
func slurmSpan(text string, isNumber bool, unit int64) (micros int64, ok bool) {
	if isNumber {
		n, ok := fixedPoint([]byte(text), 0)
		return n * unit, ok && n <= maxValue/unit
	}
	days, clock, hasDays := strings.Cut(text, "-")
	if !hasDays {
		days, clock = "0", text
	}
	parts := strings.Split(clock, ":")
	if len(parts) < 2 || len(parts) > 3 || hasDays && len(parts) != 3 {
		return 0, false
	}
	total, okDays := fixedPoint([]byte(days), 0)
	if len(parts) == 2 {
		parts = append([]string{"0"}, parts...)
	}
	hours, okHours := fixedPoint([]byte(parts[0]), 0)
	minutes, okMinutes := fixedPoint([]byte(parts[1]), 0)
	seconds, okSeconds := fixedPoint([]byte(parts[2]), 6)
	const mostDays = maxValue / (86_400 * scheduler.Second) / 2
	if !okDays || !okHours || !okMinutes || !okSeconds || total > mostDays || hours > 24*mostDays || minutes > 59 ||
		seconds >= 60*scheduler.Second {
		return 0, false
	}
	return (total*86_400+hours*3_600+minutes*60)*scheduler.Second + seconds, true
}

// slurmZone is how the times of a log are written. One log has one way.
type slurmZone int

const (
	noTime  slurmZone = iota
	unix              // seconds since 1970: SLURM_TIME_FORMAT=%s
	zoned             // with the difference from UTC
	unzoned           // of a clock on a wall, which is the usual way
)

// slurmZones name them.
var slurmZones = [...]string{unix: "seconds since 1970", zoned: "times with a zone", unzoned: "times without a zone"}

// time is a time since 1970, or Unknown. Times without a zone count as those of UTC.
func (j *slurmJob) time(at int) int64 {
	text := j.text(at)
	if isUnknown(text) {
		return scheduler.Unknown
	}
	micros, zone := slurmTime(text)
	switch {
	case zone == noTime:
		return j.wrong(at, "a time such as 2023-02-21T14:37:02")
	case j.log.zone == noTime:
		j.log.zone = zone
	case j.log.zone != zone:
		return j.wrong(at, "written as the times before it, which are "+slurmZones[j.log.zone])
	}
	if zone == unzoned && at == j.log.at.submit {
		j.note("used: times without a zone, as if their clock was never changed (TZ=UTC sacct … writes such times)")
	}
	return micros
}

func slurmTime(text string) (micros int64, zone slurmZone) {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		if seconds < 0 || seconds > maxValue/scheduler.Second {
			return 0, noTime
		}
		return seconds * scheduler.Second, unix
	}
	for _, way := range []struct {
		layout string
		zone   slurmZone
	}{
		{"2006-01-02T15:04:05", unzoned}, {"2006-01-02T15:04:05Z0700", zoned}, {"2006-01-02T15:04:05Z07:00", zoned},
	} {
		if at, err := time.Parse(way.layout, text); err == nil && at.Unix() >= 0 && at.Year() < 9999 {
			return at.UnixMicro(), way.zone
		}
	}
	return 0, noTime
}
