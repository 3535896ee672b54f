package main

import (
	"fmt"
	"strings"
	"time"
)

// Verdict is that of a judge.
type Verdict string

// The verdicts.
const (
	Holds        Verdict = "holds"
	Violated     Verdict = "violated"
	Inconclusive Verdict = "inconclusive" // which is no pass
	NotJudged    Verdict = "not judged"   // the daemon has nothing to judge yet
	Reported     Verdict = "reported"     // numbers without a verdict
)

// examplesShown is the number of examples of a violation in a report.
const examplesShown = 5

// Judgement is the verdict of one judge.
type Judgement struct {
	Judge    string   `json:"judge"`
	Verdict  Verdict  `json:"verdict"`
	Detail   string   `json:"detail"`
	Found    int      `json:"found"` // violations
	Examples []string `json:"examples,omitempty"`
}

// Count counts how often a fault was planned, and how often it happened.
type Count struct {
	Kind     Kind `json:"kind"`
	Planned  int  `json:"planned"`
	Happened int  `json:"happened"`
}

// Report is the result of a run.
type Report struct {
	Seed     uint64        `json:"seed"`
	Nodes    int           `json:"nodes"`
	Duration time.Duration `json:"duration_ns"`
	Bounds   []string      `json:"bounds"`
	Faults   []*Count      `json:"faults"`

	Wanted       int `json:"jobs_wanted"`
	Acknowledged int `json:"jobs_acknowledged"`
	Calls        int `json:"client_calls"`
	Deaths       int `json:"client_deaths"` // within a call
	Commands     int `json:"command_lines"`
	Runs         int `json:"processes_of_jobs"`
	Attempts     int `json:"attempts_that_ran"`
	Again        int `json:"jobs_that_ran_again"`

	HealedAfter  time.Duration `json:"healed_after_ns"`
	SettledAfter time.Duration `json:"settled_after_ns"`
	Open         []string      `json:"open_jobs,omitempty"`
	Unsettled    string        `json:"unsettled,omitempty"`
	Probes       []string      `json:"failed_probes,omitempty"`
	Exits        []string      `json:"exits,omitempty"` // daemons that ended by themselves
	Fences       int           `json:"fences"`          // lives that ended since their lease was not renewed
	Certificates int           `json:"certificates"`    // of death
	LeftEarly    int           `json:"left_early"`      // daemons that had left before their time was over
	HeldAtCuts   uint64        `json:"pieces_held_at_cuts"`
	Slowed       uint64        `json:"pieces_slowed"`
	BytesCarried uint64        `json:"bytes_carried"`

	Judgements []Judgement `json:"judgements"`
}

// newReport begins a report with the bounds of the run.
func newReport(o Options) *Report {
	p := o.Plan
	r := &Report{Seed: p.Seed, Nodes: p.Nodes, Duration: p.Duration}
	r.Bounds = []string{
		fmt.Sprintf("at most %d daemons are killed or leave in the run (%d leave at most), each started again within %v",
			p.Bounds.DaemonCrashes, p.Bounds.Leaves, p.Bounds.Restart),
		fmt.Sprintf("at most %d daemons are down or leave at once, or all are down, and that is %v apart", p.Bounds.Down,
			p.Bounds.Apart),
		fmt.Sprintf("at most %d machines are lost with their disks, all of them of one place, and others join",
			p.Bounds.Losses),
		fmt.Sprintf("the witnesses are asked to close the grid %d times at most", p.Bounds.Regrids),
		fmt.Sprintf("%d jobs leave much or locked folders, strangers flood a witness, or members are hostile",
			p.Bounds.Attacks),
		"a job is lost with half of its custodians or more: of three disks any two must come back, of two the last to fail",
		"text that a task printed on a machine that is lost, and that is no declared output, is lost with it",
		fmt.Sprintf("two nodes do not hear each other for %v at most, but for crashes", p.Bounds.Silence),
		fmt.Sprintf("a task may outlive its end while its daemon and its shim are both stopped, and for %v more", stopSlack),
		"a client retries at the daemon that it asked first: others need not have the key before the job is acknowledged",
	}
	if p.Bounds.Progress() {
		r.Bounds = append(r.Bounds,
			fmt.Sprintf("once faults are over, a job ends each %v until all have, and the grid is as before", o.Settle))
	} else {
		r.Bounds = append(r.Bounds, "with -replaced=false whether jobs end and nodes come back is not judged (J1, J9)")
	}
	for _, k := range Kinds() {
		r.Faults = append(r.Faults, &Count{Kind: k})
	}
	return r
}

func (r *Report) count(k Kind) *Count {
	for _, c := range r.Faults {
		if c.Kind == k {
			return c
		}
	}
	panic("nemesis: no such kind " + k)
}

// Worst is the worst verdict: Violated, then Inconclusive, then Holds.
func (r *Report) Worst() Verdict {
	worst := Holds
	for _, j := range r.Judgements {
		if j.Verdict == Violated {
			return Violated
		}
		if j.Verdict == Inconclusive {
			worst = Inconclusive
		}
	}
	return worst
}

// String is the report for people.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, %d daemons, %v of faults; healed after %v, settled %v later\n", r.Seed, r.Nodes, r.Duration,
		r.HealedAfter.Round(milli), r.SettledAfter.Round(milli))
	fmt.Fprintf(&b, "jobs: %d wanted, %d acknowledged; %d processes in %d attempts ran, %d jobs ran again\n",
		r.Wanted, r.Acknowledged, r.Runs, r.Attempts, r.Again)
	fmt.Fprintf(&b, "clients: %d calls, %d command lines, %d died within a call\n", r.Calls, r.Commands, r.Deaths)
	fmt.Fprintf(&b, "leases: %d lives fenced themselves, %d were certified dead\n", r.Fences, r.Certificates)
	fmt.Fprintf(&b, "leaving: %d of %d daemons ended before their time was over\n", r.LeftEarly,
		r.count(Drain).Happened+r.count(Leave).Happened)
	fmt.Fprintf(&b, "network: %d bytes carried, %d pieces held at cuts, %d slowed\n",
		r.BytesCarried, r.HeldAtCuts, r.Slowed)
	b.WriteString("bounds of this run:\n")
	for _, text := range r.Bounds {
		fmt.Fprintf(&b, "  %s\n", text)
	}
	b.WriteString("faults that happened, of those planned:\n")
	for _, c := range r.Faults {
		fmt.Fprintf(&b, "  %-13s %4d of %4d\n", c.Kind, c.Happened, c.Planned)
	}
	for _, j := range r.Judgements {
		fmt.Fprintf(&b, "%-18s %-12s %s\n", j.Judge, j.Verdict, j.Detail)
		for _, e := range j.Examples {
			fmt.Fprintf(&b, "    %s\n", e)
		}
		if more := j.Found - len(j.Examples); more > 0 {
			fmt.Fprintf(&b, "    and %d more\n", more)
		}
	}
	fmt.Fprintf(&b, "verdict: %s\n", r.Worst())
	return b.String()
}
