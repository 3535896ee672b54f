package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/share"
)

var errDiffer = errors.New("SPIN and this engine differ")

// comparison is one model in one size.
type comparison struct {
	model string
	size  int
}

// verdict is one property that both sides decide: a deadlock, or whether the first philosopher
// eats.
type verdict struct {
	model    string
	size     int
	property string
	want     Verdict
}

// canary is a Promela model that is broken on purpose. A twin that cannot fail would show nothing.
type canary struct {
	model string
	size  int
	macro string
}

const hashBits = 22

func crosscheck(ctx context.Context, out io.Writer) error {
	differ := 0
	report := func(err error, format string, args ...any) {
		word := "ok  "
		if err != nil {
			word = "FAIL"
			differ++
		}
		fmt.Fprintf(out, "%s %s", word, fmt.Sprintf(format, args...))
		if err != nil {
			fmt.Fprintf(out, ": %v", err)
		}
		fmt.Fprintln(out)
	}
	comparisons := []comparison{
		{"twophase", 3}, {"twophase", 5}, {"twophase", 7}, {"twophase/processes", 3},
		{"paxos", 2}, {"paxos", 3}, {"paxos/processes", 2},
		{"philosophers/left-first", 5}, {"philosophers/ordered", 5}, {"philosophers/courteous", 5},
	}
	all := []comparison{
		{"twophase", 8}, {"twophase", 9}, {"twophase/processes", 8}, {"paxos", 6}, {"paxos/processes", 3},
	}
	large, err := share.Of(all)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d of %d large comparisons\n", len(large), len(all))
	for _, c := range append(comparisons, large...) {
		text, err := c.compare(ctx)
		report(err, "%s %d: %s", c.model, c.size, text)
	}
	for _, v := range []verdict{
		{"philosophers/left-first", 5, checker.Deadlock, Deadlock},
		{"philosophers/ordered", 5, checker.Deadlock, Holds},
		{"philosophers/courteous", 5, checker.Deadlock, Holds},
		{"philosophers/left-first", 3, "Eats0", Cycle},
		{"philosophers/ordered", 3, "Eats0", Cycle},
		{"philosophers/courteous", 3, "Eats0", Holds},
	} {
		err := v.compare(ctx)
		report(err, "%s %d: %s: %s", v.model, v.size, v.property, v.want)
	}
	for _, c := range []canary{
		{"twophase", 3, "BROKEN"}, {"twophase/processes", 3, "BROKEN"},
		{"paxos", 2, "FORGETFUL"}, {"paxos/processes", 2, "FORGETFUL"},
	} {
		err := c.sings(ctx)
		report(err, "%s %d: the mutant %s is caught by SPIN", c.model, c.size, c.macro)
	}
	if differ > 0 {
		return fmt.Errorf("%w in %d checks", errDiffer, differ)
	}
	return nil
}

// searchWith compiles a model and runs it.
func searchWith(ctx context.Context, b Build, s Search) (Result, error) {
	dir, err := os.MkdirTemp("", "canvass-spin-")
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a remainder does no harm
	p, err := Compile(ctx, b, dir)
	if err != nil {
		return Result{}, err
	}
	return p.Run(ctx, s)
}

func ourReport(ctx context.Context, t twin, size int, o checker.Options) (*checker.Report, error) {
	m, err := t.ours(size)
	if err != nil {
		return nil, err
	}
	r, err := checker.Check(ctx, m, o)
	if err == nil && !r.Complete {
		err = errors.New("our check is not complete")
	}
	return r, err
}

// compare holds the numbers of all states and transitions against each other.
func (c comparison) compare(ctx context.Context) (string, error) {
	t, err := twinOf(c.model)
	if err != nil {
		return "", err
	}
	ours, err := ourReport(ctx, t, c.size, checker.Options{ContinueAfterViolation: true})
	if err != nil {
		return "", err
	}
	theirs, err := searchWith(ctx, t.build(c.size), Search{AnyEnd: true, HashBits: hashBits})
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%d states, %d transitions", ours.States, ours.Transitions)
	if t.start > 0 {
		text += fmt.Sprintf(" (SPIN has %d more for starting up)", t.start)
	}
	if all := ours.Transitions + 1 + t.start; Printed(all) != all {
		text += " (SPIN prints 8 digits of them)"
	}
	switch {
	case theirs.Verdict != Holds:
		return text, fmt.Errorf("%w: SPIN's search ended with: %s", errDiffer, theirs.Verdict)
	case ours.Outcomes[0].Verdict != checker.Holds:
		return text, fmt.Errorf("%w: %s is %v here", errDiffer, ours.Outcomes[0].Property.Name, ours.Outcomes[0].Verdict)
	case theirs.States != Printed(ours.States+t.start) ||
		theirs.Transitions != Printed(ours.Transitions+1+t.start):
		return text, fmt.Errorf(
			"%w: SPIN has %d states and %d transitions with the initial state",
			errDiffer,
			theirs.States,
			theirs.Transitions,
		)
	}
	return text, nil
}

// compare decides one property on both sides.
func (v verdict) compare(ctx context.Context) error {
	t, err := twinOf(v.model)
	if err != nil {
		return err
	}
	ours, err := ourReport(ctx, t, v.size, checker.Options{ContinueAfterViolation: true})
	if err != nil {
		return err
	}
	build, how := t.build(v.size), Search{HashBits: hashBits}
	if v.property != checker.Deadlock {
		build, how.AnyEnd = t.build(v.size, "LIVENESS"), true
		build.Liveness = true
	}
	theirs, err := searchWith(ctx, build, how)
	if err != nil {
		return err
	}
	for _, o := range ours.Outcomes {
		if o.Property.Name != v.property {
			continue
		}
		if holds := v.want == Holds; theirs.Verdict != v.want || holds != (o.Verdict == checker.Holds) ||
			o.Verdict == checker.Inconclusive {
			return fmt.Errorf("%w: here it is %v, SPIN says: %s", errDiffer, o.Verdict, theirs.Verdict)
		}
		return nil
	}
	return fmt.Errorf("our model has no property %s", v.property)
}

// sings reports an error unless SPIN catches the mutant.
func (c canary) sings(ctx context.Context) error {
	t, err := twinOf(c.model)
	if err != nil {
		return err
	}
	r, err := searchWith(ctx, t.build(c.size, c.macro), Search{AnyEnd: true, HashBits: hashBits})
	if err == nil && r.Verdict != Assertion {
		err = fmt.Errorf("SPIN says: %s", strings.ToLower(string(r.Verdict)))
	}
	return err
}
