package swf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

const slurmHead = "JobID|JobIDRaw|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|AllocCPUS|NNodes|State|" +
	"User|Group|JobName|QOS|Partition\n"

func slurmLog() string {
	return slurmHead +
		"90|90|2023-02-21T14:37:02|2023-02-21T14:37:02|2023-02-21T14:37:07|2023-02-21T15:27:07|3000|60|32|40|2|COMPLETED|" +
		"ann|phys|run|normal|short\n" +
		"90.batch|90.batch|2023-02-21T14:37:07|2023-02-21T14:37:07|2023-02-21T14:37:07|2023-02-21T15:27:07|3000||40|40|1|" +
		"COMPLETED|||batch||\n" +
		"90.extern|90.extern|2023-02-21T14:37:07|2023-02-21T14:37:07|2023-02-21T14:37:07|2023-02-21T15:27:07|3000||40|40|" +
		"2|COMPLETED|||extern||\n" +
		"91_3|94|2023-02-21T14:38:02|2023-02-21T14:40:02|2023-02-21T14:41:02|2023-02-21T14:42:02|50|UNLIMITED|1|1|1|" +
		"TIMEOUT|bob|phys|run|normal|long\n" +
		"91_[4-9%2]|91|2023-02-21T14:38:02|Unknown|None|2023-02-21T14:50:02|0|60|1|0|0|CANCELLED by 1000|bob|phys|run|" +
		"normal|long\n" +
		"92+1|93|2023-02-21T14:36:02|2023-02-21T14:36:02|2023-02-21T14:36:00|2023-02-21T14:36:10|10|4294967295|4|8|1|" +
		"CANCELLED by 1000|ann|phys|run|normal|short\n" +
		"95|95|2023-02-21T14:39:02|2023-02-21T14:39:02|Unknown|Unknown|0|60|1|0|0|PENDING|ann|phys|run|normal|short\n" +
		"96|96|2023-02-21T14:39:02|2023-02-21T14:39:02|2023-02-21T14:39:02|Unknown|9|60|1|1|1|RUNNING|ann|phys|r|n|short\n" +
		"97|97|2023-02-21T14:39:02|2023-02-21T14:39:02|None|2023-02-21T14:39:09|0|60|1|0|0|CANCELLED by 1000|ann|p|r|n|s\n" +
		slurmHead +
		"90|90|2023-02-21T14:37:02|2023-02-21T14:37:02|2023-02-21T14:37:07|2023-02-21T15:27:07|3000|60|32|40|2|COMPLETED|" +
		"ann|phys|run|normal|short\n" +
		"80.0|80.0|2023-02-21T14:37:07|2023-02-21T14:37:07|2023-02-21T14:37:07|2023-02-21T15:27:07|3000||40|40|1|" +
		"COMPLETED|||step||\n"
}

// Each job that has ended is read once; steps, jobs that have not ended and second lines are
// counted.
func TestSlurmLog(t *testing.T) {
	w := read(t, slurmLog(), swf.Options{Format: "sacct"})
	const s = scheduler.Second
	job := func(number, submit, wait, run, request int64, nodes int, user, partition, status int64) scheduler.Job {
		return scheduler.Job{
			Number: number, SubmitMicros: submit, WaitMicros: wait, RunMicros: run, RequestMicros: request, Nodes: nodes,
			EstimateMicros: -1, User: user, Group: 1, Executable: 1, Queue: 1, Partition: partition, Status: status,
		}
	}
	assert.Equal(t, []scheduler.Job{
		job(93, 0, -1, 10*s, -1, 4, 1, 1, 5),
		job(90, 60*s, 5*s, 3000*s, 3600*s, 32, 1, 1, 1),
		job(94, 120*s, 180*s, 50*s, -1, 1, 2, 2, 0),
	}, w.Jobs)
	assert.Equal(t, []string{"short", "long", "s"}, w.Partitions)
	assert.Zero(t, w.Nodes, "the log does not state the machine")
	counts := map[string]int{}
	for _, c := range w.Changes {
		counts[c.What] = c.Jobs
	}
	assert.Equal(t, map[string]int{
		"left out: step of a job, which has its own line":                                                         2,
		"left out: step of a job that has no line ahead of it":                                                    1,
		"dropped: not ended when the log was written (PENDING, RUNNING or the like)":                              2,
		"dropped: tasks of an array that never became jobs, in one line":                                          1,
		"dropped: a run of a job that has a line already":                                                         1,
		"dropped: no run time (zero or unknown)":                                                                  1,
		"changed: starts before it is submitted; its wait is unknown":                                             1,
		"sorted: submitted before the job ahead of it in the log":                                                 1,
		"kept: component of a heterogeneous job; components start together, and here each by itself":              1,
		"used: times without a zone, as if their clock was never changed (TZ=UTC sacct … writes such times)":      4,
		"used: a job without a time limit (UNLIMITED, Partition_Limit) has an unknown requested time":             2,
		"used: the elapsed time, where end less start is another (the job was suspended, or a clock was changed)": 1,
		"ignored: held, or waits for a date or for others, after its submission (Eligible); it is submitted when " +
			"the log says": 1,
	}, counts)

	sizes := func(o swf.Options) (all []int) {
		o.Format = "sacct"
		for _, j := range read(t, slurmLog(), o).Jobs {
			all = append(all, j.Nodes)
		}
		return all
	}
	assert.Equal(t, []int{8, 40, 1}, sizes(swf.Options{Size: "allocated"}))
	assert.Equal(t, []int{1, 2, 1}, sizes(swf.Options{Unit: "node"}))
}

// One log, written in the ways that sacct has: with other columns, units and times.
func TestSlurmLogsInOtherWays(t *testing.T) {
	const base = 1_676_990_000
	want := []scheduler.Job{{
		Number: 7, SubmitMicros: 0, WaitMicros: 60 * scheduler.Second, RunMicros: 93_784 * scheduler.Second,
		RequestMicros: 187_200 * scheduler.Second, Nodes: 4, EstimateMicros: -1, User: -1, Group: -1, Executable: -1,
		Queue: -1, Partition: -1, Status: 1,
	}}
	for name, text := range map[string]string{
		"clocks": "JobIDRaw|Submit|Start|Elapsed|Timelimit|NCPUS|State\n" +
			"7|2023-02-21T14:33:20|2023-02-21T14:34:20|1-02:03:04|2-04:00:00|4|COMPLETED\n",
		"seconds since 1970": "jobidraw|submit|start|elapsedraw|timelimitraw|alloccpus|state\n" +
			"7|1676990000|1676990060|93784|3120|4|COMPLETED\n",
		"start and end alone, zones": "State|AllocCPUS|JobID|Timelimit|Submit|Start|End\n" +
			"COMPLETED|4|7|52:00:00|2023-02-21T15:33:20+0100|2023-02-21T14:34:20Z|2023-02-22T17:37:24+01:00\n",
		"bars at the end": "JobIDRaw|Submit|Start|Elapsed|Timelimit|NCPUS|State|\r\n" +
			"7|2023-02-21T14:33:20|2023-02-21T14:34:20|26:03:04|2-04:00:00|4|COMPLETED|\r\n",
	} {
		w := read(t, text, swf.Options{Format: "sacct"})
		assert.Equal(t, want, w.Jobs, name)
		assert.Equal(t, []scheduler.Statement{{
			Name: "UnixStartTime", Text: "1676990000", Value: base, Derived: "the first submission",
		}}, w.Header, name)
	}
	w := read(t, "JobID|Submit|Elapsed|Timelimit|NCPUS\n7_12|1676990000|02:03|Partition_Limit|4\n",
		swf.Options{Format: "sacct"})
	assert.Equal(t, []int64{7, 123 * scheduler.Second, -1, -1}, []int64{
		w.Jobs[0].Number, w.Jobs[0].RunMicros, w.Jobs[0].RequestMicros, w.Jobs[0].Status,
	})
}

func TestErrorsOfSlurmLogs(t *testing.T) {
	const head = "JobIDRaw|Submit|Start|Elapsed|Timelimit|NCPUS|State|JobName\n"
	const skip = "; --skip-bad counts and skips such lines"
	line := func(fields ...string) string {
		all := []string{"7", "1676990000", "1676990060", "01:00:00", "02:00:00", "4", "COMPLETED", "x"}
		for i := 0; i+1 < len(fields); i += 2 {
			for at, name := range strings.Split(strings.TrimSpace(head), "|") {
				if name == fields[i] {
					all[at] = fields[i+1]
				}
			}
		}
		return strings.Join(all, "|") + "\n"
	}
	for _, c := range []struct{ log, want string }{
		{head + line("NCPUS", "1,024"), `log:2: field 6 (NCPUS): "1,024" is not a whole number, at most 2147483647` + skip},
		{head + line("State", "ASLEEP"), `log:2: field 7 (State): "ASLEEP" is not a state of a job` + skip},
		{head + line("Elapsed", "1:2:3:4"),
			`log:2: field 4 (Elapsed): "1:2:3:4" is not a time such as 3600 or 1-02:03:04` + skip},
		{head + line("Elapsed", "99999999999999999-00:00:00"), `log:2: field 4 (Elapsed): "99999999999999999-00:00:00" ` +
			"is not a time such as 3600 or 1-02:03:04" + skip},
		{head + line("Timelimit", "soon"),
			`log:2: field 5 (Timelimit): "soon" is not a time such as 60 (minutes) or 1-02:03:04` + skip},
		{head + line("Submit", "21.2.2023"), `log:2: field 2 (Submit): "21.2.2023" is not a time such as ` +
			"2023-02-21T14:37:02" + skip},
		{head + line("Start", "2023-02-21T14:37:02"), `log:2: field 3 (Start): "2023-02-21T14:37:02" is not written as ` +
			"the times before it, which are seconds since 1970" + skip},
		{head + line("JobIDRaw", "x"), `log:2: field 1 (JobIDRaw): "x" is not the number of a job` + skip},
		{head + line("JobName", "a|b"), "log:2: 9 fields, expected 8, as the first line names; leave out columns such as " +
			"JobName if there is | in them" + skip},
		{head, "log: there are only comments and no jobs, expected lines of sacct --parsable2; give the output of "},
		{head + line("State", "RUNNING"), "log: no job is left (dropped: not ended when the log was written (PENDING, " +
			"RUNNING or the like): 1), expected at least one; take more of the log"},
		{"7|1676990000\n", `log:1: the line "7|1676990000" names no column JobIDRaw, expected a first line with the names ` +
			"of columns; write the log with TZ=UTC sacct"},
		{"JobID|Submit|Start\n", `names no column ElapsedRaw`},
		{"JobID|Submit|Elapsed\n", `names no column AllocCPUS`},
		{log("1 0 0 4 2 2 9 1"), "such lines are of the Standard Workload Format: name the log swf:FILE"},
	} {
		_, _, err := swf.Read(strings.NewReader(c.log), "log", swf.Options{Format: "sacct"})
		require.Error(t, err, c.log)
		assert.Contains(t, err.Error(), c.want)
	}
	_, _, err := swf.Read(strings.NewReader(slurmLog()), "log", swf.Options{})
	assert.ErrorContains(t, err, "such lines are of sacct: name the log sacct:FILE")
	w := read(t, head+line()+line("State", "ASLEEP", "JobIDRaw", "8"), swf.Options{Format: "sacct", SkipBad: true})
	assert.Len(t, w.Jobs, 1)
	assert.Contains(t, w.Changes, scheduler.Change{What: "skipped: malformed line", Jobs: 1})
}

// FuzzReadSlurm finds no log that makes the reader panic, and writes each workload.
func FuzzReadSlurm(f *testing.F) {
	f.Add([]byte(slurmLog()))
	f.Add([]byte("JobIDRaw|Submit|Start|Elapsed|Timelimit|NCPUS|State|\r\n7|1676990000|0|1-02:03:04.5|1-0:0:0|4|X\n"))
	f.Add([]byte("JobIDRaw|Submit|ElapsedRaw|TimelimitRaw|NCPUS\n7|2023-02-21T15:33:20+0100|5|19215358410|4\n"))
	fuzzFormat(f, "sacct")
}
