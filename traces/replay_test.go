package traces_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/traces"
)

// TestReplay makes each recorded run again and sees each step as it was recorded.
func TestReplay(t *testing.T) {
	for _, make := range []func() *traces.Trace{disordered, forever, witnessed} {
		run := make()
		var seen []traces.Step
		err := traces.Replay(&relay{}, run, func(i int, s traces.Step) {
			if i != len(seen) {
				t.Errorf("step %d comes after %d others", i, len(seen))
			}
			seen = append(seen, s)
		})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(seen, run.Steps) {
			t.Errorf("got %v\nwant %v", seen, run.Steps)
		}
		if err := traces.Replay(&relay{}, run, nil); err != nil {
			t.Errorf("without an observer: %v", err)
		}
	}
}

// TestReplayRefuses changes one thing in a trace, or the machine under it.
func TestReplayRefuses(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, test := range []struct {
		name    string
		make    func() *traces.Trace
		spoil   func(*traces.Trace)
		machine traces.Machine
		want    error
		text    string
	}{
		{"state", disordered, func(r *traces.Trace) { r.Steps[3].State[1].Value = "got [3]" }, &relay{},
			&traces.DifferenceError{},
			`step 3: after "deliver A->B number 2" the variable B is "got [2]", recorded was "got [3]"`},
		{"long state", disordered, func(r *traces.Trace) { r.Steps[0].State[0].Value = "sent 0" + long }, &relay{},
			&traces.DifferenceError{},
			`step 0: after "init" the variable A is "sent 0", recorded was "sent 0` + long[:40] + `…"`},
		{"variable renamed", disordered, rename, &relay{}, &traces.DifferenceError{},
			`step 0: after "init" the variable A2 is ""`},
		{"variable gone", disordered, shorten, &relay{}, &traces.DifferenceError{},
			`step 0: after "init" the variable network is ""`},
		{"action", disordered, func(r *traces.Trace) { r.Steps[3].Action.Text = "number 3" }, &relay{},
			&traces.NotEnabledError{},
			`step 3: "deliver A->B number 3" is not enabled; enabled: "deliver A->B number 1", "deliver A->B number 2", ` +
				`"drop A->B number 1" and 2 more`},
		{"node", disordered, func(r *traces.Trace) { r.Steps[2].Action.Node = "B" }, &relay{}, &traces.NotEnabledError{},
			`step 2: "command B tell 2" is not enabled; enabled: "timeout B clock", "deliver A->B number 1", ` +
				`"drop A->B number 1" and 1 more`},
		{"peer", disordered, func(r *traces.Trace) { r.Steps[3].Action.Peer = "C" }, &relay{}, &traces.NotEnabledError{},
			`step 3: "deliver C->B number 2" is not enabled; enabled: "deliver A->B number 2",`},
		{"corrected core", disordered, nil, &relay{sorted: true}, &traces.DifferenceError{},
			`step 4: after "deliver A->B number 1" the variable B is "got [1 2]", recorded was "got [2 1]"`},
		{"no violation", disordered, func(r *traces.Trace) { r.Steps = r.Steps[:4] }, &relay{}, &traces.UnconfirmedError{},
			`step 3: the run does not prove its claim about InOrder (always): it holds in the last state`},
		{"no witness", witnessed, func(r *traces.Trace) { r.Steps = r.Steps[:2] }, &relay{}, &traces.UnconfirmedError{},
			`(sometimes): it does not hold in the last state`},
		{"open loop", forever, func(r *traces.Trace) { r.Steps = r.Steps[:6] }, &relay{}, &traces.UnconfirmedError{},
			`the loop does not close: at its start (step 4) the variable B is "got [2]", at its end "got [2] tock"`},
		{"no end", forever, func(r *traces.Trace) { r.Loop = -1 }, &relay{}, &traces.UnconfirmedError{},
			`the run does not end there: "timeout B clock" is enabled`},
		{"goal met", metAfterAll, nil, &relay{}, &traces.UnconfirmedError{},
			`step 4: the run does not prove its claim about AllArrive (leads to): the goal is met after all`},
		{"goal met by the trigger", metAfterAll, func(r *traces.Trace) { r.Header.Trigger = 4 }, &relay{},
			&traces.UnconfirmedError{}, `step 4: the run does not prove`},
		{"goal met as a loop ends", metAfterAll, clocked, &relay{}, &traces.UnconfirmedError{},
			`step 4: the run does not prove`},
		{"unknown property", disordered, func(r *traces.Trace) { r.Header.Property = "P" }, &relay{}, nil,
			`relay has no property "P"`},
		{"unknown goal", forever, func(r *traces.Trace) { r.Header.Property = "P" }, &relay{}, nil,
			`relay has no property "P"`},
		{"malformed", disordered, func(r *traces.Trace) { r.Header.Model = "" }, &relay{}, &traces.FormatError{}, `is empty`},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.make()
			if test.spoil != nil {
				test.spoil(run)
			}
			err := traces.Replay(test.machine, run, nil)
			if err == nil {
				t.Fatal("got no error")
			}
			if !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s", err, test.text)
			}
			if test.want != nil && !errors.As(err, reflect.New(reflect.TypeOf(test.want)).Interface()) {
				t.Errorf("got a %T, want a %T", err, test.want)
			}
			_, format := test.want.(*traces.FormatError)
			if errors.Is(err, traces.ErrStale) != (test.want != nil && !format) {
				t.Errorf("errors.Is(%v, ErrStale) is %t", err, errors.Is(err, traces.ErrStale))
			}
		})
	}
}

func rename(r *traces.Trace) {
	for i := range r.Steps {
		r.Steps[i].State[0].Name = "A2"
	}
}

func shorten(r *traces.Trace) {
	for i := range r.Steps {
		r.Steps[i].State = r.Steps[i].State[:2]
	}
}

// metAfterAll claims that the goal is never met, and meets it.
func metAfterAll() *traces.Trace {
	h := header("AllArrive", traces.LeadsTo)
	h.Trigger = 1
	return record(
		[]string{"command A tell 1", "command A tell 2", "deliver A->B number 1", "deliver A->B number 2"},
		-1,
		h,
	)
}

// clocked lets a run go round with the clock, its trigger at the very end.
func clocked(r *traces.Trace) {
	m := &relay{}
	indexes := choices(m, "command A tell 1", "command A tell 2", "deliver A->B number 1", "deliver A->B number 2",
		"timeout B clock", "timeout B clock")
	longer, err := traces.Record(m, indexes, 4, r.Header)
	if err != nil {
		panic(err)
	}
	*r = *longer
	r.Header.Trigger = 4
}

// stuck is a machine without enabled actions. It may declare that to be an accepted end.
type stuck struct {
	relay
	knows, accepted bool
}

func (*stuck) Enabled() []traces.Action { return nil }

func (s *stuck) Check(property string) (bool, error) {
	if !s.knows {
		return false, errors.New("unknown")
	}
	return s.accepted, nil
}

// TestReplayDeadlock confirms runs that end in a state without actions.
func TestReplayDeadlock(t *testing.T) {
	run := record(nil, -1, header("deadlock", traces.DeadlockFree))
	if err := traces.Replay(&relay{}, run, nil); !errors.Is(err, traces.ErrStale) {
		t.Errorf("something is enabled: got %v", err)
	}
	for _, m := range []*stuck{{}, {knows: true}, {accepted: true}} {
		if err := traces.Replay(m, run, nil); err != nil {
			t.Errorf("%+v: %v", m, err)
		}
	}
	if err := traces.Replay(&stuck{knows: true, accepted: true}, run, nil); !errors.Is(err, traces.ErrStale) {
		t.Errorf("an accepted end: got %v", err)
	}
	h := header("AllArrive", traces.LeadsTo)
	h.Trigger = 0
	if err := traces.Replay(&stuck{knows: true}, record(nil, -1, h), nil); err != nil {
		t.Errorf("a run that ends with the obligation open: %v", err)
	}
	run = record([]string{"command A tell 1"}, -1, header("deadlock", traces.DeadlockFree))
	if err := traces.Replay(&stuck{}, run, nil); err == nil ||
		!strings.Contains(err.Error(), "is not enabled; nothing is") {
		t.Errorf("got %v", err)
	}
}

func TestRecordRefuses(t *testing.T) {
	if _, err := traces.Record(&relay{}, []int{0, 7}, -1, header("InOrder", traces.Always)); err == nil ||
		!strings.Contains(err.Error(), "recording step 2: there is no action 7 among the 4") {
		t.Errorf("got %v", err)
	}
	if _, err := traces.Record(&relay{}, nil, 3, header("InOrder", traces.Always)); !errors.Is(err, traces.ErrFormat) {
		t.Errorf("a loop without a repeated state: got %v", err)
	}
}

// TestFollow takes the counterexample of one machine to another.
func TestFollow(t *testing.T) {
	course, err := traces.Follow(&relay{sorted: true}, disordered(), nil)
	if err != nil || course.Taken != 4 || course.Compared != 3 || course.Blocked != nil || course.Differs == nil ||
		course.Differs.Step != 4 || course.Differs.Variable != "B" {
		t.Errorf("got %+v, %v", course, err)
	}
	run := disordered()
	run.Steps[3].Action.Text = "number 3"
	run.Steps[0].State[1].Value = "another initial state"
	var seen []string
	course, err = traces.Follow(
		&relay{},
		run,
		func(i int, s traces.Step) { seen = append(seen, fmt.Sprint(i, " ", s.Action)) },
	)
	if err != nil || course.Taken != 2 || course.Compared != 2 || course.Differs != nil || course.Blocked == nil ||
		course.Blocked.Step != 3 {
		t.Errorf("got %+v, %v", course, err)
	}
	if want := []string{"0 init", "1 command A tell 1", "2 command A tell 2"}; !reflect.DeepEqual(seen, want) {
		t.Errorf("saw %q, want %q", seen, want)
	}
	run = disordered()
	run.Steps[1].Action.Text = "tell someone"
	course, err = traces.Follow(&relay{}, run, nil)
	if err != nil || course.Taken != 4 || course.Alike != 1 || course.Blocked != nil {
		t.Errorf("an action alike: got %+v, %v", course, err)
	}
	run.Steps[1].Action.Text = "ask someone"
	course, err = traces.Follow(&relay{}, run, nil)
	if err != nil || course.Taken != 0 || course.Blocked == nil {
		t.Errorf("an action unlike: got %+v, %v", course, err)
	}
	run.Loop = 99
	if _, err := traces.Follow(&relay{}, run, nil); !errors.Is(err, traces.ErrFormat) {
		t.Errorf("got %v, want ErrFormat", err)
	}
}
