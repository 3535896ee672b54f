package jobs

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// describe writes all about a job, and why it waits or how it runs now.
func describe(w io.Writer, r *jobs.Record, now []string) error {
	t := cli.NewDescription(w)
	t.Printf("job\t%s\n", r.ID)
	if r.Spec.Name != "" {
		t.Printf("name\t%s\n", r.Spec.Name)
	}
	t.Printf("command\t%s\n", client.Short(r.Spec.Command))
	t.Printf("tasks\t%d\n", r.Spec.Tasks)
	if r.Spec.Array != nil {
		t.Printf("array\t%v: %s\n", r.Spec.Array, countsOf(r.Counts))
		if len(r.Failed) > 0 {
			t.Printf("not succeeded\t%s\n", failedText(r))
		}
	}
	if r.User != "" {
		t.Printf("user\t%s\n", r.User)
	}
	t.Printf("kept by\t%s\n", keepersOf(r))
	for _, c := range r.Changes {
		t.Printf("%s\t%s\n", client.ClockOf(c.At), strings.TrimSuffix(string(c.State)+": "+c.Reason, ": "))
	}
	if r.Note != "" && !r.State.Final() {
		t.Printf("note\t%s\n", r.Note)
	}
	if r.NoLease != "" {
		t.Printf("now\t%s\n", r.NoLease)
	}
	for _, text := range now {
		t.Printf("now\t%s\n", text)
	}
	for i := range r.Attempts {
		describeAttempt(t, i, &r.Attempts[i])
	}
	return t.Flush()
}

// keepersOf lists the custodians of a job, and says which have died.
func keepersOf(r *jobs.Record) string {
	var all []string
	for i, id := range r.Custodians.Nodes() {
		name := id.String()
		if slices.Contains(r.Dead, r.Custodians[i]) {
			name += " (dead)"
		} else if slices.Contains(r.Left, r.Custodians[i]) {
			name += " (left)"
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

func describeAttempt(t *cli.Tabs, i int, a *jobs.Attempt) {
	t.Printf("attempt %d\t%v-%d, represented by %v%s\n", i+1, a.By, a.Epoch, a.Representative, reasonOf(a))
	for rank, host := range a.Hosts {
		t.Printf("  rank %d\thost %v%s\n", rank, host, statusOf(a, rank))
		if rank >= len(a.Ranks) {
			continue
		}
		told := a.Ranks[rank]
		if !told.Begin.IsZero() {
			t.Printf("\tbegan %s%s, isolation %s\n", client.ClockOf(told.Begin), lasted(told, a), told.Isolation)
		}
		for line := range strings.SplitSeq(told.Stderr, "\n") {
			if line != "" {
				t.Printf("\tstderr: %s\n", line)
			}
		}
		for _, text := range append(told.Remarks, told.Problem) {
			if text != "" {
				t.Printf("\t%s\n", text)
			}
		}
		if len(told.Outputs) > 0 {
			t.Printf("\toutputs: %d files%s\n", len(told.Outputs), lackingOf(told.Lacking))
		}
	}
}

// lackingOf says which custodians had no room for outputs, if any.
func lackingOf(c jobs.Custodians) string {
	if len(c) == 0 {
		return ""
	}
	return fmt.Sprintf("; no room for all of them at %s", strings.Trim(fmt.Sprint(c.Nodes()), "[]"))
}

// lasted is how long a task ran, once it has ended: with an attempt that was lost, until when at
// the latest.
func lasted(r jobs.Rank, a *jobs.Attempt) string {
	switch {
	case r.End != nil:
		return ", ran " + r.End.Sub(r.Begin).Round(time.Millisecond).String()
	case a.End != nil:
		return ", was over at " + client.ClockOf(*a.End)
	}
	return ""
}

func reasonOf(a *jobs.Attempt) string {
	if a.Reason == "" {
		return ""
	}
	return ": " + a.Reason
}

func statusOf(a *jobs.Attempt, rank int) string {
	switch {
	case rank < len(a.Statuses):
	case a.End == nil:
		return ""
	case rank < len(a.Ranks) && a.Ranks[rank].Lost != "":
		return ", lost: " + a.Ranks[rank].Lost
	default:
		return ", ended by the grid"
	}
	s := a.Statuses[rank]
	var text string
	switch {
	case s.Unfit:
		text = "could not start: " + s.Error
	case s.Unkept:
		text = "ended with 0, outputs are lost"
	case s.Signal > 0:
		text = fmt.Sprintf("ended by signal %d", s.Signal)
	default:
		text = fmt.Sprintf("exited with %d", s.Code)
	}
	if rank < len(a.Ranks) {
		text += a.Ranks[rank].Killer()
	}
	if s.Halted {
		text += ", ended by the grid"
	}
	return ", " + text
}

// countsOf is how many elements of an array are in which state.
func countsOf(counts map[jobs.State]int) string {
	var words []string
	for _, state := range slices.Sorted(maps.Keys(counts)) {
		if counts[state] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[state], state))
		}
	}
	return strings.Join(words, ", ")
}
