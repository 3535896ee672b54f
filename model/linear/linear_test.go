package linear_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/linear"
)

// object answers operations one at a time, written down differently from the specification: a
// linearizable history must allow its answers.
type object struct {
	spec linear.Spec
	next func(t *rapid.T) (input, output any) // draws an operation and carries it out
	own  func(input any) bool                 // no client's: spontaneous events have no duration, or never end
}

// draw makes a linearizable history: operation i takes effect at time 100 i, is called some time
// before and returns some time after. Some answers are lost.
func (o object) draw(t *rapid.T) []linear.Operation {
	var history []linear.Operation
	busy := map[int]int64{} // the end of the operation of a client; forever if it stays open
	for i := range rapid.IntRange(0, 14).Draw(t, "operations") {
		at := int64(100 * (i + 10))
		in, out := o.next(t)
		op := linear.Operation{Call: at, Return: at, Input: in, Output: out}
		if !o.own(in) {
			op.Call -= rapid.Int64Range(0, 350).Draw(t, "before")
			op.Return += rapid.Int64Range(0, 350).Draw(t, "after")
			op.Open = rapid.IntRange(0, 5).Draw(t, "lost") == 0
		}
		if op.Open {
			op.Output, op.Return = "nobody saw this", 0
		}
		for until, taken := busy[op.Client]; taken && until >= op.Call; until, taken = busy[op.Client] {
			op.Client++
		}
		busy[op.Client] = op.Return
		if op.Open {
			busy[op.Client] = 1 << 60
		}
		history = append(history, op)
	}
	return history
}

func one[T any](t *rapid.T, what string, of ...T) T { return rapid.SampledFrom(of).Draw(t, what) }

func registers(loss bool) object {
	values := map[string]uint32{}
	o := object{spec: linear.Register(), own: func(in any) bool { return in.(linear.RegisterInput).Kind == linear.Lose }}
	kinds := []linear.RegisterKind{linear.Get, linear.Put, linear.CompareAndSet}
	if loss {
		o.spec, kinds = linear.RegisterWithLoss(), append(kinds, linear.Lose)
	}
	o.next = func(t *rapid.T) (any, any) {
		in := linear.RegisterInput{Kind: one(t, "kind", kinds...), Key: one(t, "key", "k", "l")}
		switch in.Kind {
		case linear.Put:
			in.Value = rapid.Uint32Max(3).Draw(t, "value")
			values[in.Key] = in.Value
		case linear.CompareAndSet:
			in.Value, in.Expect = rapid.Uint32Max(3).Draw(t, "value"), rapid.Uint32Max(3).Draw(t, "expect")
			if values[in.Key] != in.Expect {
				return in, linear.RegisterOutput{Value: values[in.Key]}
			}
			values[in.Key] = in.Value
		case linear.Lose:
			in.Key = ""
			clear(values)
		default:
			return in, linear.RegisterOutput{OK: true, Value: values[in.Key]}
		}
		return in, linear.RegisterOutput{OK: true}
	}
	return o
}

func ownership() object {
	owner := map[string]string{}
	o := object{spec: linear.Ownership(), own: func(in any) bool { return in.(linear.OwnershipInput).Kind != linear.Find }}
	o.next = func(t *rapid.T) (any, any) {
		in := linear.OwnershipInput{Point: one(t, "point", "p", "q")}
		present := owner[in.Point]
		switch change := rapid.Bool().Draw(t, "change"); {
		case present == "":
			in.Kind, in.Node = linear.Acquire, one(t, "node", "A", "B", "C")
			owner[in.Point] = in.Node
		case change:
			in.Kind, in.Node = linear.Release, present
			owner[in.Point] = ""
		default:
			return in, linear.OwnershipOutput{Node: present}
		}
		return in, nil
	}
	return o
}

func jobs() object {
	type state struct {
		now      linear.JobState
		value    uint32
		answered bool
	}
	all := map[string]state{}
	o := object{spec: linear.Jobs(), own: func(in any) bool { return in.(linear.JobInput).Kind >= linear.Start }}
	o.next = func(t *rapid.T) (any, any) {
		in := linear.JobInput{
			Kind: linear.JobKind(rapid.IntRange(0, int(linear.Lost)).Draw(t, "kind")),
			Job:  one(t, "job", "j", "k"),
		}
		j := all[in.Job]
		open := j.now == linear.Queued || j.now == linear.Running
		out := linear.JobOutput{}
		switch {
		case in.Kind == linear.Submit && j.now == linear.Absent:
			j.now, out.OK = linear.Queued, true
		case in.Kind == linear.Cancel && open:
			j.now, out.OK = linear.Cancelled, true
		case in.Kind == linear.Result && j.now == linear.Done && !j.answered:
			j.answered, out.OK, out.Value = true, true, j.value
		case in.Kind == linear.Start && j.now == linear.Queued:
			j.now = linear.Running
		case in.Kind == linear.Finish && j.now == linear.Running:
			in.Value = rapid.Uint32Max(3).Draw(t, "value")
			j.now, j.value = linear.Done, in.Value
		case in.Kind == linear.RunFails && j.now == linear.Running:
			j.now = linear.Queued
		case in.Kind == linear.Lost && (open || j.now == linear.Done):
			j.now = linear.Gone
		case in.Kind == linear.Start, in.Kind == linear.Finish:
			in = linear.JobInput{Kind: linear.Status, Job: in.Job} // impossible now
		}
		out.State = j.now
		all[in.Job] = j
		return in, out
	}
	return o
}

var objects = map[string]func() object{
	"register":           func() object { return registers(false) },
	"register-with-loss": func() object { return registers(true) },
	"ownership":          ownership,
	"jobs":               jobs,
}

// The answers of an object that takes one operation at a time are linearizable, with any losses.
func TestLinearizableHistoriesHold(t *testing.T) {
	for name, make := range objects {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			o := make()
			history := o.draw(t)
			require.NoError(t, linear.Validate(history))
			require.Equal(t, name, o.spec.Name)
			require.Equal(t, checker.Holds, o.spec.Check(history, 0), "%+v", history)
		}))
	}
}

// The order in which a history is listed makes no difference.
func TestOrderOfListDoesNotMatter(t *testing.T) {
	for name, make := range objects {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			o := make()
			history := o.draw(t)
			require.Equal(t, checker.Holds, o.spec.Check(rapid.Permutation(history).Draw(t, "list"), 0))
		}))
	}
}

func op(call, ret int64, in, out any) linear.Operation {
	return linear.Operation{Call: call, Return: ret, Input: in, Output: out}
}

func open(call int64, in any) linear.Operation {
	return linear.Operation{Call: call, Open: true, Input: in}
}

// A violation that is planted into a linearizable history, on a separate key, point or job, is
// found.
func TestPlantedViolationsAreFound(t *testing.T) {
	get := func(at int64, value uint32) linear.Operation {
		return op(at, at+1, linear.RegisterInput{Key: "planted"}, linear.RegisterOutput{OK: true, Value: value})
	}
	put := func(at int64, value uint32) linear.Operation {
		in := linear.RegisterInput{Kind: linear.Put, Key: "planted", Value: value}
		return op(at, at+1, in, linear.RegisterOutput{OK: true})
	}
	cas := func(at int64, expect, value uint32, ok bool) linear.Operation {
		in := linear.RegisterInput{Kind: linear.CompareAndSet, Key: "planted", Expect: expect, Value: value}
		return op(at, at+1, in, linear.RegisterOutput{OK: ok, Value: 9})
	}
	lose := open(5, linear.RegisterInput{Kind: linear.Lose})
	owner := func(at int64, kind linear.OwnershipKind, node string) linear.Operation {
		return op(at, at, linear.OwnershipInput{Kind: kind, Point: "planted", Node: node}, linear.OwnershipOutput{Node: node})
	}
	job := func(at int64, kind linear.JobKind, out linear.JobOutput) linear.Operation {
		return op(at, at, linear.JobInput{Kind: kind, Job: "planted", Value: 7}, out)
	}
	ok := linear.JobOutput{OK: true, Value: 7}
	planted := []struct {
		name, object string
		history      []linear.Operation
	}{
		{"an invented value", "register", []linear.Operation{put(1, 1), get(3, 2)}},
		{"an old value", "register", []linear.Operation{put(1, 1), put(3, 2), get(5, 1)}},
		{"a lost update", "register", []linear.Operation{cas(1, 0, 1, true), cas(3, 0, 2, true)}},
		{"executed twice", "register", []linear.Operation{put(1, 1), put(3, 2), get(5, 2), get(7, 1)}},
		{
			"an open put comes and goes",
			"register",
			[]linear.Operation{open(1, linear.RegisterInput{Kind: linear.Put, Key: "planted", Value: 1}), get(3, 1), get(5, 0)},
		},
		{"a false mismatch", "register", []linear.Operation{put(1, 1), cas(3, 1, 2, false)}},
		{"a loss without a crash", "register-with-loss", []linear.Operation{put(1, 1), get(3, 0)}},
		{"a loss before the crash", "register-with-loss", []linear.Operation{put(1, 1), get(3, 0), lose}},
		{
			"two losses, one crash",
			"register-with-loss",
			[]linear.Operation{put(1, 1), lose, get(6, 0), put(8, 2), get(10, 0)},
		},
		{"a value comes back", "register-with-loss", []linear.Operation{put(1, 1), lose, get(6, 0), get(8, 1)}},
		{"an older value after a loss", "register-with-loss", []linear.Operation{put(1, 1), put(3, 2), lose, get(6, 1)}},
		{"a crash where nothing may be lost", "register", []linear.Operation{put(1, 1), lose, get(6, 0)}},
		{"two owners", "ownership", []linear.Operation{owner(1, linear.Acquire, "A"), owner(2, linear.Acquire, "B")}},
		{
			"a former owner is found",
			"ownership",
			[]linear.Operation{
				owner(1, linear.Acquire, "A"),
				owner(2, linear.Release, "A"),
				owner(3, linear.Acquire, "B"),
				owner(4, linear.Find, "A"),
			},
		},
		{
			"given up by another",
			"ownership",
			[]linear.Operation{owner(1, linear.Acquire, "A"), owner(2, linear.Release, "B")},
		},
		{
			"run twice",
			"jobs",
			[]linear.Operation{job(1, linear.Submit, ok), job(2, linear.Start, ok), job(3, linear.Start, ok)},
		},
		{
			"answered twice",
			"jobs",
			[]linear.Operation{
				job(1, linear.Submit, ok),
				job(2, linear.Start, ok),
				job(3, linear.Finish, ok),
				job(4, linear.Result, ok),
				job(5, linear.Result, ok),
			},
		},
		{
			"forgotten",
			"jobs",
			[]linear.Operation{job(1, linear.Submit, ok), job(2, linear.Status, linear.JobOutput{State: linear.Absent})},
		},
		{
			"gone without a crash",
			"jobs",
			[]linear.Operation{job(1, linear.Submit, ok), job(2, linear.Status, linear.JobOutput{State: linear.Gone})},
		},
		{
			"run though cancelled",
			"jobs",
			[]linear.Operation{job(1, linear.Submit, ok), job(2, linear.Cancel, ok), job(3, linear.Start, ok)},
		},
		{
			"another result",
			"jobs",
			[]linear.Operation{
				job(1, linear.Submit, ok),
				job(2, linear.Start, ok),
				job(3, linear.Finish, ok),
				job(4, linear.Result, linear.JobOutput{OK: true, Value: 8}),
			},
		},
	}
	for _, p := range planted {
		t.Run(p.name, rapid.MakeCheck(func(t *rapid.T) {
			o := objects[p.object]()
			history := o.draw(t)
			if p.object == "register-with-loss" { // a drawn crash would allow the planted loss
				history = nil
			}
			require.Equal(t, checker.Violated, o.spec.Check(append(history, p.history...), 0))
		}))
	}
}

// A history that cannot be decided in the time given neither passes nor fails.
func TestTimeLimit(t *testing.T) {
	var history []linear.Operation
	for i := range 60 {
		in := linear.RegisterInput{Kind: linear.CompareAndSet, Key: "k", Expect: uint32(i), Value: uint32(i + 7)}
		history = append(history, linear.Operation{Client: i, Call: 0, Open: true, Input: in})
	}
	history = append(history, op(1, 2, linear.RegisterInput{Key: "k"}, linear.RegisterOutput{OK: true, Value: 1 << 20}))
	require.Equal(t, checker.Inconclusive, linear.Register().Check(history, time.Nanosecond))
}

func TestDraw(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.html")
	history := []linear.Operation{op(1, 2, linear.RegisterInput{Key: "k"}, linear.RegisterOutput{OK: true, Value: 5})}
	verdict, err := linear.Register().Draw(history, 0, path)
	require.NoError(t, err)
	require.Equal(t, checker.Violated, verdict)
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(page), "get k: 5")
	_, err = linear.Register().Draw(history, 0, filepath.Join(path, "no such folder"))
	require.Error(t, err)
}

func TestValidate(t *testing.T) {
	tests := map[string][]linear.Operation{
		"returns before its call": {op(2, 1, nil, nil)},
		"two at a time":           {op(1, 5, nil, nil), op(3, 7, nil, nil)},
		"after an open one":       {open(1, nil), op(3, 4, nil, nil)},
	}
	for name, history := range tests {
		t.Run(name, func(t *testing.T) { require.ErrorIs(t, linear.Validate(history), linear.ErrHistory) })
	}
	require.NoError(t, linear.Validate([]linear.Operation{op(1, 2, nil, nil), op(2, 3, nil, nil), open(4, nil)}))
}

// Every history can be drawn.
func TestDrawAnything(t *testing.T) {
	for name, make := range objects {
		path := filepath.Join(t.TempDir(), fmt.Sprint(name, ".html"))
		rapid.Check(t, func(t *rapid.T) {
			o := make()
			verdict, err := o.spec.Draw(o.draw(t), 0, path)
			require.NoError(t, err)
			require.Equal(t, checker.Holds, verdict)
		})
	}
}

// A crash allows the loss of the items of its node, and of nothing else.
func TestLossIsOfOneKey(t *testing.T) {
	put := op(1, 2, linear.RegisterInput{Kind: linear.Put, Key: "k", Value: 1}, linear.RegisterOutput{OK: true})
	get := op(4, 5, linear.RegisterInput{Key: "k"}, linear.RegisterOutput{OK: true})
	for key, want := range map[string]checker.Verdict{"k": checker.Holds, "": checker.Holds, "l": checker.Violated} {
		history := []linear.Operation{put, get, open(3, linear.RegisterInput{Kind: linear.Lose, Key: key})}
		require.Equal(t, want, linear.RegisterWithLoss().Check(history, 0), key)
	}
}

// A history with an operation that the object does not have is refused, with the name of the
// mistake. Before, an answer of another type counted as none, so that any history held, and a Get
// without OK was a violation.
func TestOperationsThatTheObjectDoesNotHaveAreRefused(t *testing.T) {
	get := linear.RegisterInput{Key: "k"}
	for says, c := range map[string]struct {
		spec linear.Spec
		op   linear.Operation
	}{
		"RegisterOutput.OK is false, but a Get": {linear.Register(), op(1, 2, get, linear.RegisterOutput{})},
		"RegisterOutput.OK is false, but a Put": {linear.RegisterWithLoss(),
			op(1, 2, linear.RegisterInput{Kind: linear.Put, Key: "k"}, linear.RegisterOutput{})},
		"its Output is of type *linear.RegisterOutput": {linear.Register(), op(1, 2, get, &linear.RegisterOutput{OK: true})},
		"its Output is of type int":                    {linear.Register(), op(1, 2, get, 7)},
		"it has no Output":                             {linear.Register(), op(1, 2, get, nil)},
		"its Input is of type linear.JobInput":         {linear.Register(), op(1, 2, linear.JobInput{}, nil)},
		"its Input is of type <nil>":                   {linear.Jobs(), op(1, 2, nil, nil)},
		"RegisterInput.Kind is 9":                      {linear.Register(), open(1, linear.RegisterInput{Kind: 9})},
		"its Output is of type linear.RegisterOutput": {linear.Ownership(),
			op(1, 2, linear.OwnershipInput{}, linear.RegisterOutput{OK: true})},
		"OwnershipInput.Kind is 3": {linear.Ownership(),
			op(1, 2, linear.OwnershipInput{Kind: 3}, linear.OwnershipOutput{})},
		"JobOutput.State is 6": {linear.Jobs(), op(1, 2, linear.JobInput{Kind: linear.Status}, linear.JobOutput{State: 6})},
		"JobInput.Kind is 8":   {linear.Jobs(), open(1, linear.JobInput{Kind: 8})},
		"KeyedInput.Kind is 3": {linear.KeyedJobs(), open(1, linear.KeyedInput{Kind: 3})},
	} {
		history := []linear.Operation{c.op}
		err := c.spec.Validate(history)
		require.ErrorIs(t, err, linear.ErrHistory, says)
		require.ErrorContains(t, err, says)
		require.PanicsWithError(t, err.Error(), func() { c.spec.Check(history, 0) })
		require.PanicsWithError(t, err.Error(), func() { c.spec.Text(history, 0) })
		_, drawn := c.spec.Draw(history, 0, t.TempDir()+"/page.html")
		require.EqualError(t, drawn, err.Error())
	}
	rejected := op(1, 2, linear.RegisterInput{Kind: linear.Put, Key: "k"}, linear.RegisterOutput{})
	rejected.Rejected = true
	require.NoError(t, linear.Register().Validate([]linear.Operation{rejected}))
}
