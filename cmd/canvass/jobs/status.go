package jobs

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/protocol"
)

// filter is which jobs canvass status lists.
type filter struct {
	states []string
	user   string
	since  string
	node   string
	limit  int
}

// mostListed is how many jobs are listed for people, unless they say otherwise. Programs get all.
const mostListed = 100

func (e Env) statusCommand() *cobra.Command {
	var c client.Daemon
	var f filter
	cmd := &cobra.Command{
		Use:   "status [ID]",
		Short: "List the jobs of the grid, or show one",
		Long: "Lists the jobs of the grid, unfinished ones first, the newest at the top. It asks all daemons,\n" +
			"and names each unreachable one on standard error: jobs stored only there are missing. With\n" +
			"--json a last object after the jobs lists these daemons.\n\n" +
			"With an id it shows one job: its times, changes, attempts, hosts and exit codes, and the\n" +
			"failed elements of an array.\n\n" +
			"Exit codes: 7 no such job or node.",
		Example: "  canvass status\n" +
			"  canvass status --state failed,timed-out --since 2h\n" +
			"  canvass status --state open --user ana\n" +
			"  canvass status b4k2\n" +
			"  canvass status 'b4k2[7]'    # of an array",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return client.OneJob(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				for _, flag := range []string{"state", "user", "since", "node", "limit"} {
					if cmd.Flags().Changed(flag) {
						return cli.Usagef("--%s is for the list of jobs; canvass status ID describes one job", flag)
					}
				}
				return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
					return e.statusOf(ctx, g, args[0])
				})
			}
			if e.Stdout.WantsJSON() && !cmd.Flags().Changed("limit") {
				f.limit = 0
			}
			q, err := f.query(time.Now(), e.Stdout.WantsJSON())
			if err != nil {
				return err
			}
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error { return e.list(ctx, g, q, &f) })
		},
	}
	cmd.Flags().StringSliceVar(&f.states, "state", nil, "list only jobs in these states; open and ended stand for "+
		"several")
	cmd.Flags().StringVar(&f.user, "user", "", "list only jobs of this user")
	cmd.Flags().StringVar(&f.since, "since", "", "list only jobs accepted since: 2h, 7d, 14:30, 2026-11-28 or a full "+
		"time")
	cmd.Flags().StringVar(&f.node, "node", "", "list only the copies on this node, as stored there")
	cmd.Flags().IntVar(&f.limit, "limit", mostListed, "list at most this number of jobs (0: all, as with --json)")
	cli.CompleteWords(cmd, "state", stateWords())
	e.Flags(&c, cmd)
	return cmd
}

// The words of --state that are no states: jobs that have not ended, and the others.
const (
	openWord  = "open"
	endedWord = "ended"
)

func stateWords() (words []string) {
	for _, s := range jobs.States {
		words = append(words, string(s))
	}
	return append(words, openWord, endedWord)
}

// query checks the flags, and returns the question for the daemon.
func (f *filter) query(now time.Time, asJSON bool) (q api.ListQuery, err error) {
	for _, word := range f.states {
		if !slices.Contains(stateWords(), word) {
			all := strings.Join(stateWords(), ", ")
			return q, cli.Usagef("--state %s: no such state; %s", word, usage.Meant(word, stateWords(),
				"want some of "+all))
		}
	}
	if f.limit < 0 {
		return q, cli.Usagef("--limit %d: want a number from 1, or 0 for all", f.limit)
	}
	q = api.ListQuery{User: f.user, Whole: asJSON, Only: f.node != "", Node: f.node}
	if f.since != "" {
		q.Since, err = parseSince(f.since, now)
	}
	return q, err
}

// sinceForms are the forms of a time of day, and of a date.
var sinceForms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly}

var daysShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{1,4})d$`) })

// parseSince reads a time as users write it: how long ago, a time of today, or a date.
func parseSince(text string, now time.Time) (time.Time, error) {
	if days := daysShape().FindStringSubmatch(text); days != nil {
		n, err := strconv.Atoi(days[1])
		return now.AddDate(0, 0, -n), err
	}
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 {
		return now.Add(-ago), nil
	}
	for _, form := range []string{"15:04", time.TimeOnly} {
		if at, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), at.Second(), 0,
				now.Location()), nil
		}
	}
	for _, form := range sinceForms {
		if at, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return at, nil
		}
	}
	return now, cli.Usagef("--since %s: want how long ago (90s, 2h, 7d), a time of today (14:30), a date (2026-11-28), "+
		"or a full time (2026-11-28T14:30:00Z)", text)
}

// wants reports whether a job belongs to the list.
func (f *filter) wants(r *jobs.Record) bool {
	if len(f.states) == 0 {
		return true
	}
	word := openWord
	if r.State.Final() {
		word = endedWord
	}
	return slices.Contains(f.states, string(r.State)) || slices.Contains(f.states, word)
}

// listed are the jobs to be listed, in order, and how many more the limit leaves out.
func (f *filter) listed(all []*jobs.Record) (first []*jobs.Record, more int) {
	all = slices.DeleteFunc(all, func(r *jobs.Record) bool { return !f.wants(r) })
	slices.SortFunc(all, listOrder)
	if f.limit > 0 && f.limit < len(all) {
		return all[:f.limit], len(all) - f.limit
	}
	return all, 0
}

// statusOf tells all about one job.
func (e Env) statusOf(ctx context.Context, g *api.Client, id string) error {
	r, err := g.Job(ctx, id)
	if err != nil {
		return err
	}
	e.withFailed(ctx, g, r)
	return e.Stdout.Print(r, func() error {
		now := []string{}
		if !r.State.Final() && r.NoLease == "" {
			if why, err := g.Why(ctx, r.ID); err == nil { // without it all else is known
				now = why.Reasons
			}
		}
		return describe(e.Stdout, r, now)
	})
}

// silence is the last object of a list that may lack jobs.
type silence struct {
	Version int               `json:"version"`
	Silent  []protocol.NodeID `json:"unreachable"`
	Former  []protocol.NodeID `json:"silent"` // former name of unreachable
}

// list lists the jobs of the grid.
func (e Env) list(ctx context.Context, g *api.Client, q api.ListQuery, f *filter) error {
	answer, err := g.Jobs(ctx, q)
	if err != nil {
		return err
	}
	all, more := f.listed(answer.Jobs)
	err = cli.PrintAll(e.Stdout, all, func() error { return e.Stdout.Table(tableOf(all, time.Now())) })
	if err == nil && e.Stdout.WantsJSON() && len(answer.Silent) > 0 {
		last := silence{Version: api.Version}
		for _, s := range answer.Silent {
			last.Silent = append(last.Silent, s.Node)
		}
		last.Former = last.Silent
		err = e.Stdout.JSON(last)
	}
	if err != nil {
		return err
	}
	if text := silent(answer.Silent); text != "" {
		e.Stderr.Printf("canvass: %s\n", text)
	}
	if more > 0 {
		e.Stderr.Printf("canvass: %s not listed; --limit 0 lists all\n", english.Count(more, "more job"))
	}
	return e.stateOfGrid(ctx, g)
}

// stateOfGrid warns of conditions that keep jobs from running.
func (e Env) stateOfGrid(ctx context.Context, g *api.Client) error {
	here, err := g.Report(ctx, "") // without asking the other daemons
	if err != nil {
		return err
	}
	if !e.Stdout.WantsJSON() {
		e.WarnOfSoleWitness(&here)
	}
	if here.NoLease != "" {
		e.Stderr.Printf("canvass: %s\n", here.NoLease)
	}
	if c := here.Certificate; c != nil && c.Warning != "" {
		e.Stderr.Printf("canvass: %s\n", c.Warning)
	}
	return nil
}

// silent says which daemons have not answered, and the consequences for a list.
func silent(all []api.Silence) string {
	var names []string
	for _, s := range all {
		names = append(names, fmt.Sprintf("%v: %s", s.Node, s.Error))
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + ". Jobs that no other daemon keeps are not listed."
}

// listOrder puts jobs that have not ended first, and the newest ones first among them.
func listOrder(a, b *jobs.Record) int {
	ended := func(r *jobs.Record) int {
		if r.State.Final() {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(ended(a), ended(b)), jobs.Older(b, a))
}

// tableOf has a row for each job, with a column for users if there are several.
func tableOf(all []*jobs.Record, now time.Time) *cli.Table {
	t := &cli.Table{}
	several := slices.ContainsFunc(all, func(r *jobs.Record) bool { return r.User != all[0].User })
	row := func(id, state, tasks, accepted, user, command string) {
		cells := []string{id, state, tasks, accepted, user, command}
		if !several {
			cells = slices.Delete(cells, 4, 5)
		}
		t.Row(cells...)
	}
	row("id", "state", "tasks", "accepted", "user", "command")
	for _, r := range all {
		row(r.ID, stateOf(r), strconv.Itoa(r.Spec.Tasks), dayOf(r.Changes[0].At, now), client.Dash(r.User),
			client.Short(r.Spec.Command))
	}
	return t
}

// stateOf is the state of a job in a table: of an array with how many of its elements have ended.
func stateOf(r *jobs.Record) string {
	if r.Spec.Array == nil {
		return string(r.State)
	}
	ended := 0
	for state, n := range r.Counts {
		if state.Final() {
			ended += n
		}
	}
	return fmt.Sprintf("%s %d/%d", r.State, ended, r.Spec.Array.Size())
}

// dayOf is a time in a table: the time of day, or the day if that is not today.
func dayOf(at, now time.Time) string {
	at, now = at.Local(), now.Local()
	switch {
	case at.YearDay() == now.YearDay() && at.Year() == now.Year():
		return at.Format(time.TimeOnly)
	case at.Year() == now.Year():
		return at.Format("Jan _2 15:04")
	}
	return at.Format(time.DateOnly)
}
