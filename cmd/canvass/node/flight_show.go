package node

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/internal/cli"
)

// shower picks the steps that flight show prints.
type shower struct {
	Env
	core   string
	last   int
	states bool

	steps  []shownStep
	before int // steps that were picked, and not kept for the last ones
}

// shownStep is a step as flight show prints it.
type shownStep struct {
	Life    string        `json:"incarnation"`
	Former  string        `json:"life"` // former name of incarnation
	Record  uint64        `json:"record"`
	AtNanos time.Duration `json:"at_nanos"`
	Wall    time.Time     `json:"wall"`
	Core    string        `json:"core"`
	Input   string        `json:"input"`
	Output  string        `json:"output"`
	State   string        `json:"state,omitempty"`
}

func (e Env) flightShowCommand() *cobra.Command {
	s := shower{Env: e}
	cmd := &cobra.Command{
		Use:   "show FILE...",
		Short: "Print the steps of a record: each input of a core, and its effects",
		Long: "Reads segments of flight records (*.cfr) and steps the cores of this build through them, as\n" +
			"flight verify does. It prints the last steps of the cores that --core names, in order of time.\n\n" +
			"A core is peer, lease, \"custody BY/NUMBER\" of a job, or \"muster BY/NUMBER\" of an attempt.\n" +
			"canvass status --json ID has the names: custody, and by and epoch of each attempt.\n\n" +
			"Exit codes: 0 printed, 1 a file cannot be read or is damaged, or no core has such a name, 2\n" +
			"usage, 12 a step is not as recorded. The steps before the damage or the difference are\n" +
			"printed.\n\n" +
			"With --json each step is an object: life, record, at_nanos (since boot), wall, core, input,\n" +
			"output, and with --states state (after the step).",
		Example: "  canvass node flight show n1/flight/*.cfr --core lease --last 20\n" +
			"  canvass node flight show n?/flight/*.cfr --core 'custody A/14' --states",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cli.Usagef("flight show takes files; see %q", cmd.CommandPath()+" --help")
			case s.last < 1:
				return cli.Usagef("--last %d: want a number of steps", s.last)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error { return s.show(files) },
	}
	cmd.Flags().StringVar(&s.core, "core", "", "print only the core of this `NAME`, or the cores of this kind")
	cmd.Flags().IntVar(&s.last, "last", 1000, "print the last `N` steps")
	cmd.Flags().BoolVar(&s.states, "states", false, "print the state after each step")
	e.Stdout.JSONFlag(cmd.Flags())
	return cmd
}

func (s *shower) show(files []string) error {
	if err := s.readable(files); err != nil {
		return err
	}
	kinds := map[string]bool{}
	report, damage := flight.Walk(files, flight.Cores, func(t *flight.Taken) {
		kind, _, _ := strings.Cut(t.Core, " ")
		kinds[kind] = true
		if s.core == "" || s.core == t.Core || s.core == kind {
			s.pick(t)
		}
	})
	s.notes(report.Notes)
	if s.core != "" && len(s.steps) == 0 && report.Difference == nil && damage == nil {
		return fmt.Errorf("no step of a core %q is in these records; there are those of %s", s.core,
			cmp.Or(strings.Join(slices.Sorted(maps.Keys(kinds)), ", "), "none"))
	}
	s.trim()
	if s.before > 0 {
		fmt.Fprintf(s.Stderr, "note: %d steps come before these; --last N prints more\n", s.before)
	}
	if err := s.write(); err != nil {
		return err
	}
	if damage != nil {
		return fmt.Errorf("show the flight record: %w", damage)
	}
	if report.Difference != nil {
		fmt.Fprintf(s.Stderr, "%v\n", report.Difference)
		return cli.Code(cli.CodeSafety)
	}
	return nil
}

// pick keeps a step. Now and then it lets those go that will not be printed.
func (s *shower) pick(t *flight.Taken) {
	step := shownStep{
		Life: t.Life, Former: t.Life, Record: t.Record, AtNanos: t.At, Wall: t.Wall, Core: t.Core,
		Input: t.After.InputText(), Output: t.After.OutputText(),
	}
	if s.states {
		step.State = t.After.StateText(nil)
	}
	s.steps = append(s.steps, step)
	if len(s.steps)/2 >= max(s.last, 500) {
		s.trim()
	}
}

// trim keeps the last steps by their times.
func (s *shower) trim() {
	slices.SortStableFunc(s.steps, func(a, b shownStep) int { return a.Wall.Compare(b.Wall) })
	if more := len(s.steps) - s.last; more > 0 {
		s.before += more
		s.steps = slices.Delete(s.steps, 0, more)
	}
}

func (s *shower) write() error {
	for _, t := range s.steps {
		if err := s.Stdout.Print(t, func() error {
			_, err := fmt.Fprintf(s.Stdout, "%s %s %d %s: %s\n%s", client.ClockOf(t.Wall), t.Life, t.Record, t.Core,
				t.Input,
				t.lines())
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// lines are the effects of a step, and the state, below the input.
func (t *shownStep) lines() string {
	text := "    " + strings.ReplaceAll(t.Output, "; ", "\n    ") + "\n"
	if t.State != "" {
		text += "    = " + strings.ReplaceAll(strings.TrimSpace(t.State), "\n", "\n      ") + "\n"
	}
	return text
}
