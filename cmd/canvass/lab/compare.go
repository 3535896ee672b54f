package lab

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

func (env Env) compareCommand() *cobra.Command {
	var most int
	cmd := &cobra.Command{
		Use:   "compare OURS PEER",
		Short: "Compare the starts of jobs in two schedules, job by job",
		Long: "Reads two schedules of one workload and compares when each job starts. A schedule is a file in the\n" +
			"Standard Workload Format, or a CSV file with the columns \"number\" and \"start_micros\" or\n" +
			"\"start_seconds\". Exit code 10 if any job starts at another time.",
		Example: "  canvass lab run --workload kth.swf --policy easy --jobs-out ours.csv\n" +
			"  canvass lab compare ours.csv theirs.csv",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usagef("compare takes two files; see %q", cmd.CommandPath()+" --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			files := cli.NewGuard(env.Stdout, env.Stderr)
			for _, file := range args {
				if err := files.Reads("", file); err != nil {
					return err
				}
			}
			ours, err := readStarts(args[0])
			if err != nil {
				return err
			}
			theirs, err := readStarts(args[1])
			if err != nil {
				return err
			}
			return env.compare(compareStarts(ours, theirs, most))
		},
	}
	env.Stdout.JSONFlag(cmd.Flags())
	cmd.Flags().IntVar(&most, "show", 10, "show at most `N` jobs that differ")
	return cmd
}

// started is when a job starts in a schedule. A number that occurs again is another job.
type started struct {
	number, micros int64
}

// comparison is what two schedules have in common.
type comparison struct {
	Equal      int          `json:"equal"`
	Different  int          `json:"different"`
	OnlyFirst  int          `json:"only_first"`
	OnlySecond int          `json:"only_second"`
	Share      float64      `json:"equal_share"`
	First      []difference `json:"differences"` // the first ones by time
}

type difference struct {
	Number      int64 `json:"number"`
	FirstMicros int64 `json:"first_micros"`
	OtherMicros int64 `json:"other_micros"`
}

func compareStarts(ours, theirs []started, most int) comparison {
	type occurrence struct {
		number int64
		nth    int
	}
	index := func(all []started) map[occurrence]int64 {
		seen, m := map[int64]int{}, map[occurrence]int64{}
		for _, s := range all {
			m[occurrence{s.number, seen[s.number]}] = s.micros
			seen[s.number]++
		}
		return m
	}
	a, b := index(ours), index(theirs)
	var c comparison
	for o, micros := range a {
		other, both := b[o]
		switch {
		case !both:
			c.OnlyFirst++
		case other == micros:
			c.Equal++
		default:
			c.Different++
			c.First = append(c.First, difference{o.number, micros, other})
		}
	}
	c.OnlySecond = len(b) - c.Equal - c.Different
	slices.SortFunc(c.First, func(x, y difference) int {
		d := min(x.FirstMicros, x.OtherMicros) - min(y.FirstMicros, y.OtherMicros)
		if d == 0 {
			d = x.Number - y.Number
		}
		return int(max(-1, min(1, d)))
	})
	c.First = c.First[:min(max(0, most), len(c.First))]
	if both := c.Equal + c.Different; both > 0 {
		c.Share = float64(c.Equal) / float64(both)
	}
	return c
}

func (env Env) compare(c comparison) error {
	if err := env.Stdout.Print(c, func() error {
		fmt.Fprintf(env.Stdout, "%s equal, %s different, %s only in the first, %s only in the second\n",
			english.Grouped(uint64(c.Equal)), english.Grouped(uint64(c.Different)),
			english.Grouped(uint64(c.OnlyFirst)),
			english.Grouped(uint64(c.OnlySecond)))
		t := table{{"job", "first starts, s", "second starts, s", "difference, s"}}
		for _, d := range c.First {
			t = append(t, []string{
				number(d.Number), seconds(d.FirstMicros), seconds(d.OtherMicros),
				seconds(d.OtherMicros - d.FirstMicros),
			})
		}
		if len(t) == 1 {
			return nil
		}
		return t.write(env.Stdout)
	}); err != nil {
		return err
	}
	if c.Different+c.OnlyFirst+c.OnlySecond > 0 {
		return cli.Code(cli.CodeExpectation)
	}
	return nil
}

// seconds writes microseconds as seconds, without trailing zeros.
func seconds(micros int64) string {
	return strconv.FormatFloat(float64(micros)/float64(scheduler.Second), 'f', -1, 64)
}

// readStarts reads a schedule.
func readStarts(path string) ([]started, error) {
	kind, _ := ending(path)
	if kind == "csv" {
		return readCSV(path)
	}
	w, _, err := swf.ReadFile(path, swf.Verbatim())
	if err != nil {
		return nil, err
	}
	var all []started
	for _, j := range w.Jobs {
		if j.WaitMicros != scheduler.Unknown {
			all = append(all, started{j.Number, j.SubmitMicros + j.WaitMicros})
		}
	}
	return all, nil
}

func readCSV(path string) ([]started, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("read a schedule: %w", err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	name, start, unit := slices.Index(head, "number"), slices.Index(head, "start_micros"), int64(1)
	if start < 0 {
		start, unit = slices.Index(head, "start_seconds"), scheduler.Second
	}
	if name < 0 || start < 0 {
		return nil, fmt.Errorf("%s: the first line must name the columns \"number\" and "+
			"\"start_micros\" or \"start_seconds\"",
			path)
	}
	var all []started
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if row[start] == "" {
			continue
		}
		n, errN := wholeNumber("number", row[name], mostNumber)
		at, errAt := wholeNumber(head[start], row[start], mostNumber/unit)
		if err := cmp.Or(errN, errAt); err != nil {
			line, _ := in.FieldPos(start)
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		all = append(all, started{n, at * unit})
	}
}
