package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/trials"
	"github.com/canvass-grid/canvass/model/linear"
)

// finding collects what a judge has found.
type finding struct{ found []string }

func (f *finding) add(format string, args ...any) {
	f.found = append(f.found, fmt.Sprintf(format, args...))
}

// as makes a judgement of it: none found means that it holds.
func (f *finding) as(judge, detail string) Judgement {
	j := Judgement{Judge: judge, Verdict: Holds, Detail: detail, Found: len(f.found)}
	if j.Found > 0 {
		j.Verdict = Violated
		j.Examples = f.found[:min(j.Found, examplesShown)]
	}
	return j
}

// evidence is all that judges look at.
type evidence struct {
	*run
	ledger  trials.Ledger
	final   map[string]*jobs.Record // by id
	readAt  time.Duration           // when, on CLOCK_BOOTTIME
	outputs map[string][]string     // by id and rank
	files   map[outputFile]content
	killed  []int // daemons that did not end at SIGTERM
}

// judge fills in the report.
func (e *evidence) judge() (err error) {
	if e.ledger, err = trials.ReadLedger(e.bed.Ledger); err != nil {
		return err
	}
	l := e.ledger
	report, w := e.report, e.workload
	report.Wanted, report.Acknowledged = w.wanted, len(w.jobs)
	report.Calls, report.Deaths, report.Commands = w.calls, w.deaths, w.commands
	report.HeldAtCuts, report.Slowed, report.BytesCarried = e.fabric.held, e.fabric.slowed, e.fabric.moved
	report.Runs = len(l.Runs)
	for id := range e.final {
		if n := len(l.Attempts(id)); n > 0 {
			report.Attempts += n
			if n > 1 {
				report.Again++
			}
		}
	}
	report.Judgements = []Judgement{
		e.up(), e.kept(), e.oneRun(), e.stays(), e.fenced(), e.histories(), e.onePermit(), e.flights(), e.merged(),
		e.nothingLeft(), e.results(), e.outputsKept(), e.converges(), e.flat(),
	}
	return nil
}

// up: a daemon ends only at a signal, or when it is made to leave, which it does in time.
func (e *evidence) up() Judgement {
	return (&finding{e.report.Exits}).as("J0 Up", "no daemon ended by itself, and every daemon that had to leave did")
}

// kept: acknowledged jobs exist and have ended.
func (e *evidence) kept() Judgement {
	var f finding
	ended, bereft := 0, 0
	for id, h := range e.workload.jobs {
		switch record := e.final[id]; {
		case record == nil:
			f.add("job %s (%s at n%d) is forgotten", id, h.key, h.entry+1)
		case record.State.Final():
			ended++
		case e.bereft(record):
			bereft++
		case e.Plan.Bounds.Progress():
			f.add("job %s (%s at n%d) is %s, and no job has ended for %v", id, h.key, h.entry+1, record.State, e.Settle)
		}
	}
	detail := fmt.Sprintf("%d acknowledged jobs, %d of them have ended", len(e.workload.jobs), ended)
	if bereft > 0 {
		detail += fmt.Sprintf("; %d have lost half of their custodians, or more, for good", bereft)
	}
	return f.as("J1 AckedKept", detail)
}

// oneRun: attempts of a job do not overlap, and each rank of an attempt runs once.
func (e *evidence) oneRun() Judgement {
	var f finding
	partial := 0
	for id := range e.final {
		f.found = append(f.found, e.ledger.Overlaps(id, func(r *trials.Run, begun time.Duration) bool {
			return outlives(e.stops, r.Host, begun, r.Last)
		})...)
		for _, runs := range e.ledger.Attempts(id) {
			for _, r := range runs {
				if r.Size != e.final[id].Spec.Tasks {
					f.add("job %s: rank %d saw %d tasks of %d", id, r.Rank, r.Size, e.final[id].Spec.Tasks)
				}
			}
			if len(runs) < runs[0].Size {
				partial++
				e.partial(&f, id, runs)
			}
		}
	}
	for _, r := range e.ledger.Runs {
		if e.final[r.Job] == nil {
			f.add("job %s ran on %s, and no daemon has a record of it", r.Job, r.Host)
		}
	}
	return f.as("J2 OneRun", fmt.Sprintf("%d processes; %d attempts were cut off before all ranks ran",
		len(e.ledger.Runs), partial))
}

// cutOff is how long some ranks may run without the others: until a node is known not to answer and
// its attempt is given up.
const cutOff = 30 * time.Second

// partial checks an attempt of which some ranks did not run. No job may succeed by it.
func (e *evidence) partial(f *finding, id string, runs []*trials.Run) {
	s := trials.SpanOf(runs)
	record := e.final[id]
	last := record.Last()
	if record.State == jobs.Succeeded && last != nil && nameOf(last) == runs[0].Attempt {
		f.add("job %s succeeded with %d of %d ranks", id, len(runs), runs[0].Size)
	}
	if s.Last-s.First > cutOff {
		f.add("job %s: %d of %d ranks of attempt %s ran for %v", id, len(runs), runs[0].Size, runs[0].Attempt, s.Last-s.First)
	}
}

// nameOf is the name of an attempt as its tasks see it.
func nameOf(a *jobs.Attempt) string { return fmt.Sprintf("%v-%d", a.By, a.Epoch) }

// stays: no task of a job runs after a user has received its end.
func (e *evidence) stays() Judgement {
	var f finding
	known := 0
	for id, h := range e.workload.jobs {
		if h.endKnown == 0 {
			continue
		}
		known++
		for _, r := range e.ledger.Runs {
			if r.Job == id && r.Last > h.endKnown && !outlives(e.stops, r.Host, h.endKnown, r.Last) {
				f.add("job %s: rank %d of attempt %s ran %v after a user had received the end of the job (%s)",
					id, r.Rank, r.Attempt, r.Last-h.endKnown, e.final[id].State)
			}
		}
	}
	return f.as("J2b EndedStays", fmt.Sprintf("%d ends that users had received", known))
}

// certified is the message with which a daemon logs a death certificate.
const certified = "a node is dead"

// fenced: no heartbeat after the death certificate of a node.
func (e *evidence) fenced() Judgement {
	var f finding
	dead, err := e.certificates()
	if err != nil {
		f.add("%v", err)
	}
	e.report.Certificates = len(dead)
	late := 0
	for _, r := range e.ledger.Runs {
		if at, certified := dead[r.Host]; certified && r.Last > at {
			if outlives(e.stops, r.Host, at, r.Last) {
				late++
				continue
			}
			f.add("job %s ran on %s %v after that incarnation was certified dead", r.Job, r.Host, r.Last-at)
		}
	}
	return f.as("J3 Fenced", fmt.Sprintf("%d lives were certified dead; with both stopped, %d tasks outlived that",
		len(dead), late))
}

// certificates reads from the logs of the daemons when the death of each incarnation was first
// certified, on CLOCK_BOOTTIME.
func (e *evidence) certificates() (map[string]time.Duration, error) {
	zero := time.Now().Add(-trials.BootTime())
	dead := map[string]time.Duration{}
	for _, folder := range e.folders() {
		text, err := os.ReadFile(filepath.Join(folder, "log"))
		if err != nil {
			return dead, err
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			var said struct {
				Time      time.Time
				Msg, Node string
			}
			if json.Unmarshal([]byte(line), &said) != nil || said.Msg != certified {
				continue
			}
			at := said.Time.Sub(zero)
			if before, known := dead[said.Node]; !known || at < before {
				dead[said.Node] = at
			}
		}
	}
	return dead, nil
}

// historyLimit bounds the search for an order of calls.
const historyLimit = time.Minute

// histories: the answers that users received fit a service in which one key is one job.
func (e *evidence) histories() Judgement {
	var f finding
	history := e.workload.history
	if err := linear.Validate(history); err != nil {
		f.add("%v", err)
	}
	verdict := linear.KeyedJobs().Check(history, historyLimit)
	if verdict == checker.Violated {
		file := filepath.Join(e.Folder, "history.html")
		_, err := linear.KeyedJobs().Draw(history, historyLimit, file)
		f.add("the calls are not linearizable; %s shows them (error %v)", file, err)
	}
	for _, refusal := range e.workload.refusals {
		f.add("refused: %s", refusal)
	}
	j := f.as("J4 Linearizable", fmt.Sprintf("%d calls", len(history)))
	if verdict == checker.Inconclusive && j.Verdict == Holds {
		j.Verdict = Inconclusive
	}
	return j
}

// onePermit: every attempt that ran had a permit, and permits do not overlap. Jobs that were open
// when the records were read may have begun another attempt since.
func (e *evidence) onePermit() Judgement {
	var f finding
	permits := 0
	for id, record := range e.final {
		var names []string
		for i := range record.Attempts {
			a := &record.Attempts[i]
			names = append(names, nameOf(a))
			permits++
			if i > 0 && (record.Attempts[i-1].End == nil || a.Begin.Before(*record.Attempts[i-1].End)) {
				f.add("job %s: attempt %s got its permit while %s had one", id, names[i], names[i-1])
			}
		}
		for _, runs := range e.ledger.Attempts(id) {
			later := !record.State.Final() && trials.SpanOf(runs).First > e.readAt
			if !later && !slices.Contains(names, runs[0].Attempt) {
				f.add("job %s: attempt %s ran without a permit", id, runs[0].Attempt)
			}
		}
	}
	return f.as("J5 OnePermit", fmt.Sprintf("%d permits", permits))
}

// flights: the cores of this build repeat the recorded steps.
func (e *evidence) flights() Judgement {
	var f finding
	var steps uint64
	var notes, lives int
	for _, folder := range e.folders() {
		name := filepath.Base(folder)
		files, err := filepath.Glob(filepath.Join(folder, "flight", "*.cfr"))
		if err != nil || len(files) == 0 {
			f.add("%s has no flight record (error %v)", name, err)
			continue
		}
		report, err := flight.Verify(files, flight.Cores)
		steps, notes, lives = steps+report.Steps, notes+len(report.Notes), lives+report.Lives
		if err != nil {
			f.add("%s: %v", name, err)
		}
		if report.Difference != nil {
			f.add("%s: %s", name, strings.ReplaceAll(report.Difference.String(), "\n", " "))
		}
	}
	return f.as("J6 Recorded", fmt.Sprintf("%d steps of %d lives are as recorded, %d notes", steps, lives, notes))
}

// nothingLeft: after a crash no process of the daemon runs on, and after the run no process or file
// is left.
func (e *evidence) nothingLeft() Judgement {
	f := finding{slices.Clone(e.left)}
	for _, c := range e.crashed {
		for _, r := range e.ledger.Runs {
			if trials.LetterOf(r.Host) == c.letter && r.First < c.at && r.Last > c.at+leftLimit {
				f.add("job %s ran on %s for %v after its daemon was killed", r.Job, r.Host, r.Last-c.at)
			}
		}
	}
	for _, i := range e.killed {
		f.add("n%d did not end at SIGTERM", i+1)
	}
	for _, p := range trials.InFolder(e.Folder) {
		f.add("process %d is left: %v", p.PID, p.Command)
	}
	for i := range e.Plan.Nodes {
		l, err := net.Listen("tcp", e.fabric.listen(i))
		if err != nil {
			f.add("the port of n%d is not free: %v", i+1, err)
		} else {
			_ = l.Close()
		}
		// The folder in which working folders are removed stays, and is empty.
		for _, pattern := range []string{"work/[^.]*", ownFolders + "/*", goneFolder + "/*", "tasks/*.json", "api.sock"} {
			files, _ := filepath.Glob(filepath.Join(e.grid.Data(i), pattern))
			for _, file := range files {
				if info, err := os.Lstat(file); err == nil {
					f.add("file %s is left (%d bytes)", file, info.Size())
				}
			}
		}
	}
	return f.as("J7 NothingLeft", fmt.Sprintf("%d ends of daemons, and that of the run", len(e.crashed)))
}

// converges: the grid is as before the faults.
func (e *evidence) converges() Judgement {
	if !e.Plan.Bounds.Progress() {
		return Judgement{Judge: "J9 Converges", Verdict: NotJudged, Detail: fmt.Sprintf(
			"a dead node keeps its zone; at the end: %d of %d probes failed, %s", len(e.report.Probes), e.Plan.Nodes,
			cmp.Or(e.report.Unsettled, "all daemons are members"))}
	}
	f := finding{slices.Clone(e.report.Probes)}
	if e.report.Unsettled != "" {
		f.add("%s", e.report.Unsettled)
	}
	return f.as("J9 Converges", fmt.Sprintf("all daemons are members and ran a job, %v after healing",
		e.report.SettledAfter.Round(milli)))
}

// flat: memory and descriptors of the daemons.
func (e *evidence) flat() Judgement {
	var most trials.Usage
	grown, lives := 0.0, 0
	for _, all := range e.samples {
		if len(all) < 10 {
			continue // less than 20 s
		}
		lives++
		early, late := all[len(all)/4], all[len(all)-1]
		grown = max(grown, float64(late.RSSBytes)/float64(early.RSSBytes))
		for _, u := range all {
			most.RSSBytes = max(most.RSSBytes, u.RSSBytes)
			most.Descriptors = max(most.Descriptors, u.Descriptors)
		}
	}
	return Judgement{Judge: "J10 Flat", Verdict: Reported, Detail: fmt.Sprintf(
		"of %d lives of 20 s or more: at most %.1f MiB and %d descriptors; memory grew at most by %.2f after a quarter",
		lives, float64(most.RSSBytes)/(1<<20), most.Descriptors, grown)}
}
