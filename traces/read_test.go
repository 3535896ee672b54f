package traces_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/traces"
)

// TestRoundTrip reads each run back and finds it unchanged.
func TestRoundTrip(t *testing.T) {
	for _, run := range runs {
		want := run.make()
		var b bytes.Buffer
		if err := traces.Write(&b, want); err != nil {
			t.Fatal(err)
		}
		got, err := traces.Read(&b)
		if err != nil {
			t.Fatalf("%s: %v", run.name, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%#v\nwant\n%#v", run.name, got, want)
		}
	}
}

// TestReadRefuses breaks a good file in one place at a time.
func TestReadRefuses(t *testing.T) {
	const init = `"mbt::actionTaken": "init"`
	for _, test := range []struct{ name, old, new, complaint string }{
		{"version", `"version": 1`, `"version": 2`,
			"#meta.canvass.version: is 2, and this program reads version 1; use the Canvass that wrote it"},
		{"no version", `"version": 1,`, ``, "#meta.canvass.version: is missing"},
		{"not ours", `"canvass": {`, `"other": {`, "#meta.canvass: is missing; only traces that Canvass wrote"},
		{"unknown field", `"commit":`, `"comit":`, `#meta.canvass: the field "comit" is unknown`},
		{"missing field", "\"commit\": \"0123abc\",", ``, `#meta.canvass: the field "commit" is missing`},
		{"missing states", `"states"`, `"stages"`, `the trace: the field "stages" is unknown`},
		{"twice", `"commit":`, `"model": "x", "commit":`, `line 16: the field "model" is there twice`},
		{"format", `"ITF"`, `"XTF"`, `#meta.format: is "XTF"`},
		{"description", `015adr`, `016adr`, `#meta.format-description: is`},
		{"type", `"A": "Str"`, `"A": "Int"`, `#meta.varTypes.A: must be "Str"`},
		{"fewer vars", `"vars": ["A", `, `"vars": [`, `#meta.varTypes: the field "A" is unknown`},
		{"more vars", `"vars": [`, `"vars": ["Z", `, `#meta.varTypes: the field "Z" is missing`},
		{"order of vars", `"mbt::actionTaken", "mbt::nondetPicks"],`, `"mbt::nondetPicks", "mbt::actionTaken"],`,
			`vars: the last two`},
		{"variable of another kind", `"A": "sent 0"`, `"A": 0`, `states[0].A: is a number, not a string`},
		{"null variable", `"A": "sent 0"`, `"A": null`, `states[0].A: is true, false or null, not a string`},
		{"variable missing", `"A": "sent 0",`, ``, `states[0]: the field "A" is missing`},
		{"variable too many", `"A": "sent 0",`, `"A": "sent 0", "Z": "",`, `states[0]: the field "Z" is unknown`},
		{"index", `{"index": 0}`, `{"index": 1}`, `states[0].#meta.index: is 1`},
		{"index no integer", `{"index": 0}`, `{"index": 0.0}`, `states[0].#meta.index: 0.0 is not a small whole number`},
		{"first not init", init, `"mbt::actionTaken": "crash"`, `states[0].mbt::actionTaken: "crash"; the first`},
		{"init later", `"mbt::actionTaken": "drop"`, init, `states[2].mbt::actionTaken: "init"; the first`},
		{"no kind", `"mbt::actionTaken": "drop"`, `"mbt::actionTaken": ""`, `states[2].mbt::actionTaken: ""`},
		{"init with picks", `{"node": {"tag": "None", "value": {"#tup": []}}`, `{"node": {"tag": "Some", "value": "A"}`,
			`states[0].mbt::nondetPicks: the initial state has no picks`},
		{"tag", `{"tag": "Some"`, `{"tag": "Sum"`, `states[1].mbt::nondetPicks.node.tag: "Sum" is neither`},
		{"Some of nothing", `"Some", "value": "A"`, `"Some", "value": ""`,
			`states[1].mbt::nondetPicks.node: is Some of nothing`},
		{"None of something", `{"#tup": []}`, `{"#tup": [1]}`,
			`states[0].mbt::nondetPicks.node.value: is not the empty tuple`},
		{"data", `"Some", "value": "02"`, `"Some", "value": "0z"`,
			`states[4].mbt::nondetPicks.data: is not in lower-case hexadecimal`},
		{"data in capitals", `"Some", "value": "02"`, `"Some", "value": "0A"`,
			`states[4].mbt::nondetPicks.data: is not in lower-case hexadecimal`},
		{"control character", `sent 0`, `sent \u001b[2J`, `states[0].A: has the control character U+001B`},
		{"turned text", `sent 0`, `sent \u202e`, `states[0].A: has the control character U+202E`},
		{"line break in an effect", `"send A->B number 1"`, `"send\nA"`, `states[1]: has the control character U+000A`},
		{"effects", `["send A->B number 1"]`, `"send A->B number 1"`, `states[1].#meta.effects: is a string, not an array`},
		{"loop behind the end", `"loop": 4`, `"loop": 6`, `loop: 6 is not the index of a state before the last`},
		{"loop before the start", `"loop": 4`, `"loop": -1`, `loop: is negative`},
		{"trigger", `"trigger": 1`, `"trigger": 7`, `#meta.canvass.trigger: 7 is not the index of a state`},
		{"trigger gone", `"trigger": 1,`, ``, `#meta.canvass.trigger: -1 is not the index of a state`},
		{"trigger unasked", `"leads to"`, `"always"`, `#meta.canvass.trigger: shape "always" has no trigger`},
		{"shape", `"leads to"`, `"sometime"`, `#meta.canvass.shape: "sometime" is not a shape`},
		{"verdict", `"violated"`, `"holds"`, `can only show that a property of shape "leads to" is violated`},
		{"witness", `"leads to"`, `"sometimes"`, `can only show that a property of shape "sometimes" holds`},
		{"model", `"toy/relay"`, `""`, `#meta.canvass.model: is empty`},
		{"property", `"AllArrive"`, `""`, `#meta.canvass.property: is empty`},
		{"budget", `"drop": 1`, `"drop": -1`, `#meta.canvass.budget.drop: -1 is not from 0`},
		{"huge", `"drop": 1`, `"drop": 99999999999`, `#meta.canvass.budget.drop: 99999999999 is not a small`},
		{"variable like ours", `"A"`, `"#A"`, `"#A" cannot be the name`},
		{"nested", `[]`, strings.Repeat("[", 20) + strings.Repeat("]", 20), `is nested too deep`},
		{"trailing", "\n}\n", "\n}\n{}", `is not JSON: invalid character '{' after top-level value`},
		{"wrong at the end", "\n}\n", "\n]", `is not JSON: invalid character ']'`},
		{"cut short", "\n}\n", "\n", `the file ends here and should go on`},
		{"encoding", "sent 0", "sent \xff", `the file: is not UTF-8`},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := golds(t, "forever")
			broken := strings.ReplaceAll(file, test.old, test.new)
			if n := strings.Count(file, test.old); n == 0 {
				t.Fatalf("%q is not in the file", test.old)
			}
			_, err := traces.Read(strings.NewReader(broken))
			var format *traces.FormatError
			if !errors.As(err, &format) || !errors.Is(err, traces.ErrFormat) {
				t.Fatalf("got %v, want a FormatError", err)
			}
			if !strings.Contains(err.Error(), test.complaint) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s", err, test.complaint)
			}
			if got := errors.Is(err, traces.ErrVersion); got != (test.name == "version") {
				t.Errorf("errors.Is(err, ErrVersion) is %t", got)
			}
		})
	}
}

func golds(t testing.TB, name string) string {
	data, err := os.ReadFile(filepath.Join("testdata", name+".itf.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestWriteLimit writes what could not be read.
func TestWriteLimit(t *testing.T) {
	trace, err := traces.Read(strings.NewReader(golds(t, "crash")))
	if err != nil {
		t.Fatal(err)
	}
	trace.Steps[0].State[0].Value = strings.Repeat("x", traces.MaxBytes)
	if err := traces.Write(io.Discard, trace); !errors.Is(err, traces.ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
}

// TestReadLimit gives Read an endless file, and an unreadable one.
func TestReadLimit(t *testing.T) {
	if _, err := traces.Read(endless{}); !errors.Is(err, traces.ErrTooLarge) || !errors.Is(err, traces.ErrFormat) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
	if _, err := traces.Read(io.MultiReader(strings.NewReader("{"), broken{})); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v, want the reader's error", err)
	}
	if _, err := traces.Read(strings.NewReader("")); !errors.Is(err, traces.ErrFormat) {
		t.Errorf("got %v, want ErrFormat for nothing", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestWriteRefuses shows that Write does not write what Read would not read.
func TestWriteRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*traces.Trace){
		"no state":             func(r *traces.Trace) { r.Steps = nil },
		"names that differ":    func(r *traces.Trace) { r.Steps[1].State[0].Name = "Z" },
		"a name twice":         func(r *traces.Trace) { renameAll(r, "A") },
		"a name of the format": func(r *traces.Trace) { renameAll(r, "mbt::actionTaken") },
		"an empty name":        func(r *traces.Trace) { renameAll(r, "") },
		"a state too short":    func(r *traces.Trace) { r.Steps[1].State = r.Steps[1].State[:1] },
		"bytes as text":        func(r *traces.Trace) { r.Steps[1].Action.Text = "\xff" },
		"a loop to the end":    func(r *traces.Trace) { r.Loop = len(r.Steps) - 1 },
	} {
		run := disordered()
		spoil(run)
		var b bytes.Buffer
		if err := traces.Write(&b, run); !errors.Is(err, traces.ErrFormat) || b.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want ErrFormat and none", name, err, b.Len())
		}
	}
}

// renameAll gives the second variable another name, in all states.
func renameAll(r *traces.Trace, name string) {
	for i := range r.Steps {
		r.Steps[i].State[1].Name = name
	}
}

// FuzzRead holds that Read never panics and that an accepted trace survives writing and reading,
// with the same bytes.
func FuzzRead(f *testing.F) {
	for _, run := range runs {
		f.Add([]byte(golds(f, run.name)))
	}
	f.Add([]byte(`{"#meta":{"canvass":{"version":2}}}`))
	f.Add([]byte(`{"#meta":{"canvass":{"version":1}},"vars":[],"states":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := traces.Read(bytes.NewReader(data))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		var once, twice, views bytes.Buffer
		if err := traces.Write(&once, first); err != nil {
			t.Fatalf("the trace cannot be written: %v", err)
		}
		second, err := traces.Read(bytes.NewReader(once.Bytes()))
		if err != nil {
			t.Fatalf("the written file cannot be read: %v", err)
		}
		if err := traces.Write(&twice, second); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("written twice, it differs (%v):\n%s\n%s", err, once.Bytes(), twice.Bytes())
		}
		if err := errors.Join(traces.WriteText(&views, first), traces.WriteMermaid(&views, first)); err != nil {
			t.Fatal(err)
		}
	})
}
